"""Tables to Parquet bytes and back. Workers encode; whoever owns the lake commits the bytes.

The bytes depend on the rows alone: row groups are cut at a fixed number of rows, however the rows arrived. Objects
are small (tens of rows), so the file is kept lean. The Arrow schema and the descriptions are not repeated in every
footer (5 kB of 7.6 kB); statistics and dictionaries cover only the columns that gain from them; zstd, which costs 12 us
a column to set up, is for long values, and LZ4 for the others. An object of 40 chunks takes 0.3 ms CPU, not 0.9 ms.
Splitting floats into byte streams saves 8 % of dense vectors, and doubles the size of those that are mostly zeros (142
instead of 71 kB for 700 of the hashed space, at 1.25 times the CPU): so only dense ones are split.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import chain, islice
from typing import IO, TYPE_CHECKING, Any

from indx_core.contracts.errors import LakeObjectInvalid, LakeTooNew
from indx_core.contracts.tables import VECTORS, Column, Table, table_of, vectors_schema

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pyarrow as pa
    import pyarrow.parquet as pq

ROWS_PER_GROUP = 2048
"""Rows of a row group: what a merge holds in memory at a time. 2,048 vectors of 1,024 floats are 8 MB."""

_SKIPPED_BY = ("key", "page")
"""Columns that readers skip row groups by: the only ones with statistics."""
_KEPT = (b"table", b"schema_version", b"dimension")
"""What an object states of its schema."""


def rows_table(name: str, rows: Sequence[Mapping[str, Any]]) -> "pa.Table":
    """Rows as an Arrow table of the declared schema. Structs may be given as tuples in the order of their fields.

    Args:
        name: A declared table other than ``vectors``.
        rows: One mapping per row; an absent optional column is null.
    """
    import pyarrow as pa

    return pa.Table.from_pylist(rows, schema=table_of(name).schema)


def vector_rows(
    key: str,
    chunks: Sequence[tuple[str, int]],
    space_id: str,
    embedder_id: str,
    vectors: "npt.NDArray[np.float32]",
) -> "pa.Table":
    """A document's vectors in one space as an Arrow table.

    Args:
        key: The document.
        chunks: ``(chunk id, page)`` of each row.
        space_id: Space of the vectors.
        embedder_id: Who made them.
        vectors: float32, shape ``(chunks, dimension)``.
    """
    import pyarrow as pa

    schema = vectors_schema(vectors.shape[1])
    count = len(chunks)
    values = pa.array(vectors.reshape(-1), pa.float32())
    columns = [
        pa.array([key] * count, pa.string()),
        pa.array([chunk for chunk, _ in chunks], pa.string()),
        pa.array([page for _, page in chunks], pa.int32()),
        pa.array([space_id] * count, pa.string()),
        pa.array([embedder_id] * count, pa.string()),
        pa.FixedSizeListArray.from_arrays(values, type=schema.field("vector").type),
    ]
    return pa.Table.from_arrays(columns, schema=schema)


def encode_table(table: "pa.Table") -> bytes:
    """The table as one Parquet file: zstd, deterministic bytes for one version of the Parquet library.

    Args:
        table: Of a declared schema, which its ``table`` metadata names.
    """
    import pyarrow as pa

    out = pa.BufferOutputStream()
    write_groups(out, table.schema, [table])
    return bytes(out.getvalue())


def write_groups(out: "IO[bytes] | pa.NativeFile", schema: "pa.Schema", tables: Iterable["pa.Table"]) -> int:
    """Write tables, one after the other, as row groups of exactly ``ROWS_PER_GROUP`` rows, the last one fewer.

    Returns:
        Rows written.
    """
    import pyarrow as pa

    written = 0
    rest: pa.Table | None = None
    coming = (table for table in tables if table.num_rows)
    first = list(islice(coming, 1))
    with _writer(out, schema, sparse=any(map(_sparse, first))) as writer:
        for table in chain(first, coming):
            rest = table if rest is None else pa.concat_tables([rest, table])
            while rest.num_rows >= ROWS_PER_GROUP:
                writer.write_table(rest.slice(0, ROWS_PER_GROUP).combine_chunks())
                rest = rest.slice(ROWS_PER_GROUP)
                written += ROWS_PER_GROUP
        if rest is not None and rest.num_rows:
            writer.write_table(rest.combine_chunks())
            written += rest.num_rows
    return written


def decode_table(name: str, data: bytes | memoryview) -> "pa.Table":
    """A stored table in the declared schema.

    Raises:
        LakeObjectInvalid: The bytes are not Parquet, or hold something else than the name promises.
    """
    file = open_parquet(name, data)
    return conform(file.read(use_threads=False), stored_schema(name, file))


def open_parquet(name: str, data: bytes | memoryview) -> "pq.ParquetFile":
    """The Parquet file inside an object, its footer read.

    Raises:
        LakeObjectInvalid: The bytes are not Parquet.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return pq.ParquetFile(pa.BufferReader(pa.py_buffer(data)))
    except pa.ArrowException as error:
        raise LakeObjectInvalid(f"an object of table {name!r} is not Parquet: {error}") from None


def schema_version(file: "pq.ParquetFile") -> int:
    """Version of the schema an object was written with. The first release that recorded none wrote version 1."""
    return int((file.metadata.metadata or {}).get(b"schema_version", b"1"))


def stored_schema(name: str, file: "pq.ParquetFile") -> "pa.Schema":
    """The declared schema of a stored table; of vectors, with the dimension that the object states.

    Raises:
        LakeTooNew: The object has a schema that this program does not know.
    """
    dimension = (file.metadata.metadata or {}).get(b"dimension")
    table, version = table_of(name), schema_version(file)
    if version > table.version:
        raise LakeTooNew(f"an object of table {name!r} has schema version {version}, known here to {table.version}")
    return vectors_schema(int(dimension)) if table is VECTORS and dimension else table.schema


def conform(table: "pa.Table", schema: "pa.Schema") -> "pa.Table":
    """Rows as they were stored, in the declared schema: an absent optional column is null, an unknown one is left out.

    Raises:
        LakeObjectInvalid: A required column is missing, or a column has another type.
    """
    import pyarrow as pa

    name = schema.metadata[b"table"].decode()
    columns = []
    for field in schema:
        if field.name in table.column_names:
            columns.append(table.column(field.name))
        elif field.nullable:
            columns.append(pa.nulls(table.num_rows, field.type))
        else:
            raise LakeObjectInvalid(f"an object of table {name!r} has no column {field.name!r}")
    try:
        arrays = [column.cast(field.type) for column, field in zip(columns, schema, strict=True)]
    except pa.ArrowException as error:
        raise LakeObjectInvalid(f"an object of table {name!r} does not have its columns' types: {error}") from None
    return pa.Table.from_arrays(arrays, schema=schema)


@contextmanager
def _writer(out: "IO[bytes] | pa.NativeFile", schema: "pa.Schema", *, sparse: bool) -> Iterator["pq.ParquetWriter"]:
    import pyarrow.parquet as pq

    metadata = schema.metadata
    options = _options(table_of(metadata[b"table"].decode()), sparse=sparse)
    with pq.ParquetWriter(out, schema, store_schema=False, **options) as writer:
        yield writer
        writer.add_key_value_metadata({name: metadata[name] for name in _KEPT if name in metadata})


def _sparse(table: "pa.Table") -> bool:
    """Whether these are vectors of mostly zeros. By the first one, which is the first however the rows arrived."""
    if table.schema.metadata[b"table"] != VECTORS.name.encode():
        return False
    vector = table.column("vector")[0].as_py()
    return 2 * sum(map(bool, vector)) < len(vector)


@cache
def _options(table: Table, *, sparse: bool) -> dict[str, Any]:
    leaves = {leaf: column.long for column in table.columns for leaf in _leaves(column)}
    return {
        "compression": {leaf: "zstd" if long else "lz4" for leaf, long in leaves.items()},
        "compression_level": {leaf: 1 for leaf, long in leaves.items() if long},
        "use_dictionary": [column.name for column in table.columns if column.repeats],
        "write_statistics": [column.name for column in table.columns if column.name in _SKIPPED_BY],
        "column_encoding": {"vector.list.element": "BYTE_STREAM_SPLIT"} if table is VECTORS and not sparse else None,
    }


def _leaves(column: Column, prefix: str = "") -> list[str]:
    """Paths of the Parquet columns that a column becomes."""
    path = prefix + column.name
    if column.fields:
        return [leaf for part in column.fields for leaf in _leaves(part, f"{path}.list.element.")]
    return [f"{path}.list.element" if column.type == "vector" or column.type.startswith("list<") else path]
