"""The way back: rows of the lake as results, for a run that starts in the middle of the chain.

What is read here was written by ``rows.py``; a claim of the event log that has no rows behind it is an error that names
the stage to re-materialize, never an empty document.
"""

import json
from typing import TYPE_CHECKING, Any

from indx_core.contracts.capability import CapabilityDescriptor, CapabilityKind, Device
from indx_core.contracts.errors import SourceUnreadable
from indx_core.contracts.observation import Observation
from indx_core.contracts.page import (
    Box,
    BoxReason,
    Cell,
    ChunkPiece,
    Link,
    PageOutput,
    PageStatus,
    Table,
    TextLine,
)
from indx_core.contracts.trace import TraceEvent, Validation
from indx_core.execution.chunk import PlacedChunk
from indx_core.execution.ladder import PageRead

if TYPE_CHECKING:
    import pyarrow as pa


def recorded_observation(sources: "pa.Table | None", key: str) -> Observation:
    """The observation of record.

    Raises:
        SourceUnreadable: There is none.
    """
    return Observation.model_validate_json(_rows(sources, key, "observation")[0]["observation"])


def recorded_reads(pages: "pa.Table | None", key: str) -> list[PageRead]:
    """Every page with its text, lines and grids, as the ladder left it."""
    return [_read(row) for row in _rows(pages, key, "page_reads")]


def recorded_events(trace: "pa.Table | None") -> list[TraceEvent]:
    """Every attempt in order."""
    return [_event(row) for row in (trace.to_pylist() if trace is not None else [])]


def recorded_chunks(chunks: "pa.Table | None") -> list[PlacedChunk]:
    """Every chunk in the document's order. A document may have none."""
    rows = chunks.to_pylist() if chunks is not None else []
    return [_chunk(row) for row in rows]


def _rows(table: "pa.Table | None", key: str, stage: str) -> list[dict[str, Any]]:
    if table is None or table.num_rows == 0:
        raise SourceUnreadable(
            f"the lake has no {stage} of {key}",
            remedy=f"materialize {stage} of this document first",
        )
    rows: list[dict[str, Any]] = table.to_pylist()
    return rows


def _read(row: dict[str, Any]) -> PageRead:
    output = PageOutput(
        number=row["page"],
        status=PageStatus(row["status"]),
        text=row["text"],
        reason=row["reason"],
        confidence=row["confidence"],
        lines=tuple(_line(line) for line in row["lines"]),
        tables=tuple(_grid(grid) for grid in json.loads(row["tables"] or "[]")),
        metadata=json.loads(row["metadata"] or "{}"),
        findings=tuple((finding["code"], finding["message"]) for finding in row["findings"]),
        links=tuple(Link(link["target"], link["text"], _box(link)) for link in row["links"] or ()),
    )
    if row["capability_id"] is None:
        return PageRead(output)
    # Kind and distribution are not recorded per page and nothing below reading asks for them.
    descriptor = CapabilityDescriptor(
        id=row["capability_id"], kind=CapabilityKind.NATIVE, device=Device(row["device"]), distribution=""
    )
    return PageRead(output, descriptor, row["fallback_index"])


def _box(row: dict[str, Any]) -> Box | None:
    return None if row["x0"] is None else Box(row["x0"], row["y0"], row["x1"], row["y1"])


def _event(row: dict[str, Any]) -> TraceEvent:
    names = set(TraceEvent.model_fields) - {"validation"}
    check, value, floor = (row[f"validation_{name}"] for name in ("check", "value", "floor"))
    validation = None if check is None else Validation(check=check, value=value, floor=floor)
    return TraceEvent(**{name: row[name] for name in names}, validation=validation)


def _line(line: dict[str, Any]) -> TextLine:
    reason = BoxReason(line["reason"]) if line["reason"] else None
    return TextLine(line["start"], line["end"], _box(line), reason, line["confidence"])


def _grid(grid: dict[str, Any]) -> Table:
    cells = tuple(
        Cell(
            row=cell[0],
            column=cell[1],
            text=cell[2],
            row_span=cell[3] if len(cell) > 3 else 1,
            column_span=cell[4] if len(cell) > 4 else 1,
            box=Box(*cell[5]) if len(cell) > 5 else None,
        )
        for cell in grid["cells"]
    )
    return Table(grid["rows"], grid["columns"], cells, grid.get("header_rows", 0), grid.get("label"))


def _chunk(row: dict[str, Any]) -> PlacedChunk:
    reason = BoxReason(row["bbox_reason"]) if row["bbox_reason"] else None
    index = int(row["chunk_id"].rpartition(":")[2])
    return PlacedChunk(row["page"], index, ChunkPiece(row["text"], _box(row), reason, row["image"]), row["chunker"])
