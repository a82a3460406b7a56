"""Rows of real shape for the suites about the lake."""

from typing import Any

import numpy as np
import pyarrow as pa

from indx_core.contracts.tables import CHUNKS, TABLES, Column, Table
from indx_core.kit.lake import rows_table, vector_rows


def chunk(key: str, position: int = 0, text: str = "本文", **other: Any) -> dict[str, Any]:
    """A chunk without a box, on page 1."""
    return {
        "key": key,
        "chunk_id": f"page:1/chunk:{position + 1}",
        "page": 1,
        "position": position,
        "text": text,
        "bbox_reason": "no_geometry",
        "modality": "text",
        "chunker": "indx-chunker-text",
        **other,
    }


def chunks(*rows: dict[str, Any]) -> pa.Table:
    """Chunks as a table."""
    return rows_table(CHUNKS.name, rows)


def page(key: str, **other: Any) -> dict[str, Any]:
    """A page with its required columns alone."""
    return {
        "key": key,
        "plan_id": "p",
        "page": 1,
        "hidden": False,
        "status": "completed",
        "text": "a",
        "lines": [],
        "findings": [],
        **other,
    }


def vectors(key: str, matrix: list[list[float]], space: str = "default-text") -> pa.Table:
    """Vectors of a document whose chunks are numbered as ``chunk`` does."""
    values = np.array(matrix, np.float32)
    return vector_rows(key, [(f"page:1/chunk:{n + 1}", 1) for n in range(len(values))], space, "hashed-text", values)


def filled(table: Table, count: int = 3, *, optional: bool = True) -> pa.Table:
    """Rows with a value in every column, the optional ones included or null."""
    rows = [
        {column.name: _value(column, row) for column in table.columns if optional or not column.optional}
        for row in range(count)
    ]
    return rows_table(table.name, rows)


def _value(column: Column, row: int) -> Any:
    if column.fields:
        return [tuple(_value(part, row) for part in column.fields)] * row
    if column.type.startswith("list<") or column.type == "vector":
        item = column.type[5:-1] if column.type.startswith("list<") else "float32"
        return [_scalar(item, row, column.name)] * row
    return _scalar(column.type, row, column.name)


def _scalar(kind: str, row: int, name: str) -> Any:
    values = {"string": f"{name} {row} 値", "binary": bytes([row]), "bool": bool(row % 2)}
    return values.get(kind, row / 2 if kind.startswith("float") else row)


ALL_TABLES = [table for name, table in TABLES.items() if name != "vectors"]
