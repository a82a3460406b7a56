"""Parquet: ``chunks.parquet`` with one vector column per embedding space, as LanceDB and DuckDB take it in.

The header stands in the file's metadata under ``indx``. Edges, labels, entities and what is known of the document are
JSON.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from indx_core.contracts.base import canonical_json
from indx_core.knowledge.export.records import header, records

if TYPE_CHECKING:
    import pyarrow as pa

    from indx_core.knowledge.space import KnowledgeSpace, SpaceVectors

FILE = "chunks.parquet"
METADATA_KEY = "indx"
_NESTED = ("document", "relations", "labels", "entities")


class ParquetWriter:
    """Fits the slot ``output``."""

    def write(self, space: "KnowledgeSpace", out: Path) -> None:
        """Write ``chunks.parquet`` into the folder ``out``."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        rows = [{**row, **{name: canonical_json(row[name]) for name in _NESTED}} for _, row in records(space)]
        table = pa.Table.from_pylist(rows, schema=_schema())
        for name, vectors in space.vectors.items():
            table = table.append_column(f"vector_{name}", _column(vectors, len(rows)))
        table = table.replace_schema_metadata({METADATA_KEY: canonical_json(header(space))})
        pq.write_table(table, out / FILE, compression="zstd")


def _schema() -> "pa.Schema":
    import pyarrow as pa

    words = ("id", "text", "doc_id", "path", "folder", "type", "box_reason", "prev_id", "next_id", "summary", *_NESTED)
    fields: dict[str, Any] = dict.fromkeys(words, pa.string())
    fields |= {"position": pa.int32(), "page": pa.int32(), "box": pa.list_(pa.float64())}
    fields |= {"topics": pa.list_(pa.string()), "tags": pa.list_(pa.string())}
    return pa.schema(fields)


def _column(vectors: "SpaceVectors", count: int) -> "pa.Array":
    """A fixed-size list per chunk; null for one without a vector."""
    import numpy as np
    import pyarrow as pa

    full = np.zeros((count, vectors.dimension), np.float32)
    full[vectors.rows] = vectors.matrix
    missing = np.ones(count, bool)
    missing[vectors.rows] = False
    flat = pa.array(full.reshape(-1))
    return pa.FixedSizeListArray.from_arrays(flat, vectors.dimension, mask=pa.array(missing))
