"""Results as rows of the lake: from what execution returns to Arrow tables of ``contracts/tables.py``.

Columns are built flat, without a Python object per nested value: a corpus run writes some forty lines a page. Each
function returns ``None`` where a table would be empty. The way back, from rows to results, is in ``recorded.py``.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from indx_core.contracts import tables as t
from indx_core.contracts.base import canonical_json
from indx_core.contracts.block import chunk_id
from indx_core.contracts.observation import Observation, PageObservation
from indx_core.contracts.page import Box, Link, PageOutput, Table, TextLine
from indx_core.contracts.plan import RoutePlan
from indx_core.contracts.trace import TraceEvent
from indx_core.execution.annotate import Annotations
from indx_core.execution.chunk import PlacedChunk
from indx_core.execution.embed import SpaceVectors
from indx_core.execution.entities import counted_spans, entity_counts
from indx_core.execution.ladder import PageRead

if TYPE_CHECKING:
    import pyarrow as pa

    from indx_core.app.ingest.state import DocumentState
    from indx_core.app.ingest.task import DocumentTask


_EDGES = ("x0", "y0", "x1", "y1")
_NO_BOX = (None, None, None, None)


def source_table(task: "DocumentTask", observation: Observation) -> "pa.Table":
    """One row: the document as observed."""
    row = {
        "key": task.key,
        "corpus": task.corpus,
        "path": task.path,
        "uri": task.uri,
        "filename": task.path.rpartition("/")[2] or None,
        "media_type": observation.media_type,
        "source_digest": observation.source_digest,
        "byte_count": observation.byte_count,
        "source_version": task.version,
        "page_count": len(observation.pages),
        "title": observation.properties.get("title"),
        "language": observation.properties.get("language"),
        "observation": canonical_json(observation),
        "findings": len(observation.findings),
        "observer": observation.observer,
        "sniffer": observation.sniffer,
        "loader": observation.loader,
    }
    return _from_rows(t.SOURCES, [row])


def plan_table(key: str, plan: RoutePlan) -> "pa.Table":
    """One row: the plan, whole, beside what one asks of it most."""
    row = {
        "key": key,
        "plan_id": plan.plan_id,
        "snapshot_id": plan.snapshot_id,
        "policy_version": plan.policy_version,
        "status": plan.status.value,
        "document_route": list(plan.document.capability_ids),
        "override_count": len(plan.pages),
        "estimated_cost_usd": plan.estimates.cost_usd,
        "estimated_latency_ms": plan.estimates.latency_ms,
        "estimated_quality": plan.estimates.quality,
        "unsatisfied": list(plan.unsatisfied),
        "plan": canonical_json(plan),
    }
    return _from_rows(t.PLANS, [row])


def page_table(key: str, plan_id: str, reads: Sequence[PageRead], observed: Sequence[PageObservation]) -> "pa.Table":
    """A row per observed page, read or not."""
    outputs = [read.output for read in reads]
    columns: dict[str, Any] = {
        "key": [key] * len(outputs),
        "plan_id": [plan_id] * len(outputs),
        "page": [output.number for output in outputs],
        "label": [page.label for page in observed],
        "hidden": [page.hidden for page in observed],
        "status": [output.status.value for output in outputs],
        "reason": [output.reason for output in outputs],
        "text": [output.text for output in outputs],
        "capability_id": [read.descriptor.id if read.descriptor else None for read in reads],
        "device": [read.descriptor.device.value if read.descriptor else None for read in reads],
        "fallback_index": [read.fallback_index for read in reads],
        "confidence": [output.confidence for output in outputs],
        "lines": _line_lists([output.lines for output in outputs]),
        "tables": [canonical_json(_grids(output)) if output.tables else None for output in outputs],
        "metadata": [canonical_json(dict(output.metadata)) if output.metadata else None for output in outputs],
        "findings": [[{"code": code, "message": text} for code, text in output.findings] for output in outputs],
        "links": [list(map(_link, output.links)) for output in outputs],
    }
    return _from_columns(t.PAGES, columns)


def chunk_table(key: str, chunks: Sequence[PlacedChunk], capability_of: dict[int, str | None]) -> "pa.Table | None":
    """A row per chunk in the document's order; ``capability_of`` names who read each page."""
    if not chunks:
        return None
    pieces = [chunk.piece for chunk in chunks]
    columns: dict[str, Any] = {
        "key": [key] * len(chunks),
        "chunk_id": [chunk_id(chunk.page, chunk.index) for chunk in chunks],
        "page": [chunk.page for chunk in chunks],
        "position": list(range(len(chunks))),
        "text": [piece.text for piece in pieces],
        **_edges([piece.box for piece in pieces]),
        "bbox_reason": [piece.reason for piece in pieces],
        "modality": ["text" if piece.image is None else "image" for piece in pieces],
        "image": [piece.image for piece in pieces],
        "chunker": [chunk.chunker for chunk in chunks],
        "capability_id": [capability_of.get(chunk.page) for chunk in chunks],
    }
    return _from_columns(t.CHUNKS, columns)


def vector_table(key: str, chunks: Sequence[PlacedChunk], answer: SpaceVectors) -> "pa.Table | None":
    """A row per embedded chunk."""
    import pyarrow as pa

    if not answer.positions:
        return None
    schema = t.vectors_schema(answer.space.dimension)
    embedded = [chunks[position] for position in answer.positions]
    flat = pa.array(answer.vectors.reshape(-1), type=pa.float32())
    columns: dict[str, Any] = {
        "key": [key] * len(embedded),
        "chunk_id": [chunk_id(chunk.page, chunk.index) for chunk in embedded],
        "page": [chunk.page for chunk in embedded],
        "embedding_space_id": [answer.space.id] * len(embedded),
        "embedder_id": list(answer.embedder_ids),
        "vector": pa.FixedSizeListArray.from_arrays(flat, type=schema.field("vector").type),
    }
    return _table(schema, columns)


def trace_table(key: str, events: Sequence[TraceEvent]) -> "pa.Table | None":
    """A row per attempt, in order."""
    rows = [
        {
            "key": key,
            "event": index,
            **event.model_dump(mode="json", exclude={"validation"}),
            "validation_check": event.validation.check if event.validation else None,
            "validation_value": event.validation.value if event.validation else None,
            "validation_floor": event.validation.floor if event.validation else None,
        }
        for index, event in enumerate(events)
    ]
    return _from_rows(t.TRACE, rows) if rows else None


def usage_table(state: "DocumentState", latency_ms: int, cpu_ms: int) -> "pa.Table":
    """One row: what the run used for this document."""
    claims = [read.output.confidence for read in state.reads if read.output.confidence is not None]
    row = {
        "key": state.task.key,
        "bytes": state.observation.byte_count,
        "pages": len(state.observation.pages),
        "cost_usd": round(state.cost_usd, 8),
        "latency_ms": latency_ms,
        "quality": sum(claims) / len(claims) if claims else None,
        "cpu_ms": cpu_ms,
        "cost_known": state.cost_known,
    }
    return _from_rows(t.USAGE, [row])


def annotation_tables(key: str, found: Annotations) -> dict[str, "pa.Table | None"]:
    """The annotation tables, ``None`` for each that is empty."""
    rows: dict[t.Table, list[dict[str, Any]]] = {
        t.LANGUAGES: [
            {**_at(key, block), **score.model_dump(), "detector": who}
            for block, (who, scores) in found.languages.items()
            for score in scores
        ]
        + _declared_language(key, found),
        t.LABELS: [
            {**_at(key, block), "facet": facet, **label.model_dump(), "rank": rank, "classifier": who}
            for block, facets in found.labels.items()
            for facet, (who, labels) in facets.items()
            for rank, label in enumerate(labels)
        ],
        t.ENTITIES: [
            {**_at(key, block), **span.model_dump(), "extractor": who}
            for block, labels in found.entities.items()
            for who, spans in labels.values()
            for span in spans
        ],
        t.ENTITY_COUNTS: [
            {"key": key, "label": label, **entry}
            for label, entries in entity_counts(counted_spans(found)).items()
            for entry in entries
        ],
        t.SUMMARIES: [
            {**_at(key, block), "summary": text, "enricher": who} for block, (who, text) in found.summaries.items()
        ],
        t.TAGS: [
            {**_at(key, block), **tag.model_dump(), "enricher": who}
            for block, (who, tags) in found.tags.items()
            for tag in tags
        ],
    }
    return {table.name: _from_rows(table, of_table) if of_table else None for table, of_table in rows.items()}


def _declared_language(key: str, found: Annotations) -> list[dict[str, Any]]:
    """The language the format states of itself, as a detector of its own called ``declared``: ``ja-JP`` is ``ja``."""
    language = (found.declared_language or "").replace("_", "-").split("-")[0].lower()
    if not 2 <= len(language) <= 3 or not language.isalpha():
        return []
    return [{**_at(key, "document"), "language": language, "confidence": 1.0, "detector": "declared"}]


def _at(key: str, block: str) -> dict[str, Any]:
    """Where an annotation stands: the columns the annotation tables share, each taking those it declares."""
    page = None if block == "document" else int(block.removeprefix("page:").partition("/")[0])
    unit = "document" if page is None else "chunk" if "/" in block else "page"
    return {"key": key, "block_id": block, "page": page, "unit": unit}


def _link(link: Link) -> dict[str, Any]:
    return {"target": link.target, "text": link.text, **dict(zip(_EDGES, link.box or _NO_BOX, strict=True))}


def _grids(output: PageOutput) -> list[dict[str, Any]]:
    return [_grid(table) for table in output.tables]


def _grid(table: Table) -> dict[str, Any]:
    """A grid as JSON: size, and a cell as ``[row, column, text]`` with spans and box only where they say something."""
    cells: list[list[Any]] = []
    for cell in table.cells:
        row: list[Any] = [cell.row, cell.column, cell.text]
        if (cell.row_span, cell.column_span) != (1, 1) or cell.box:
            row += [cell.row_span, cell.column_span]
        if cell.box:
            row.append([round(edge, 6) for edge in cell.box])
        cells.append(row)
    found: dict[str, Any] = {"rows": table.rows, "columns": table.columns, "cells": cells}
    if table.header_rows:
        found["header_rows"] = table.header_rows
    if table.label is not None:
        found["label"] = table.label
    return found


def _line_lists(pages: Sequence[Sequence[TextLine]]) -> "pa.Array":
    """The ``lines`` column: flat edge columns under list offsets, no Python object per line."""
    import pyarrow as pa

    list_type = t.PAGES.schema.field("lines").type
    lines = [line for page in pages for line in page]
    offsets = [0]
    for page in pages:
        offsets.append(offsets[-1] + len(page))
    values: dict[str, list[Any]] = {
        **_edges([line.box for line in lines]),
        "start": [line.start for line in lines],
        "end": [line.end for line in lines],
        "reason": [line.reason for line in lines],
        "confidence": [line.confidence for line in lines],
    }
    struct = list_type.value_type
    arrays = [pa.array(values[part.name], type=part.type) for part in struct]
    return pa.ListArray.from_arrays(
        pa.array(offsets, pa.int32()), pa.StructArray.from_arrays(arrays, fields=list(struct)), type=list_type
    )


def _edges(boxes: Sequence[Box | None]) -> dict[str, list[float | None]]:
    """The four edge columns."""
    columns = zip(*(box or _NO_BOX for box in boxes), strict=True) if boxes else ((),) * 4
    return dict(zip(_EDGES, map(list, columns), strict=True))


def _from_rows(table: t.Table, rows: Sequence[dict[str, Any]]) -> "pa.Table":
    return _from_columns(table, {column.name: [row[column.name] for row in rows] for column in table.columns})


def _from_columns(table: t.Table, columns: dict[str, Any]) -> "pa.Table":
    return _table(table.schema, columns)


def _table(schema: "pa.Schema", columns: dict[str, Any]) -> "pa.Table":
    import pyarrow as pa

    arrays = [_array(columns[field.name], field.type) for field in schema]
    return pa.Table.from_arrays(arrays, schema=schema)


def _array(values: "Iterable[Any] | pa.Array", kind: "pa.DataType") -> "pa.Array":
    import pyarrow as pa

    return values if isinstance(values, pa.Array) else pa.array(values, type=kind)
