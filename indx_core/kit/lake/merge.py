"""Replacing some documents of a shard object, one row group at a time.

The result depends on the rows alone and equals encoding them in one go: documents sorted by key, each one's rows in
their own order. Knows no store.
"""

from collections.abc import Collection, Iterator
from typing import IO, TYPE_CHECKING

from indx_core.kit.lake.encode import conform, stored_schema, write_groups

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq


def merge_documents(
    name: str, old: "pq.ParquetFile | None", new: "pa.Table | None", keys: Collection[str], out: IO[bytes]
) -> int:
    """Write ``old`` without the documents ``keys``, and ``new``'s rows in their places, to ``out``.

    Args:
        name: The declared table.
        old: The stored object, sorted by key; ``None`` when there is none.
        new: Rows of the documents ``keys``; ``None`` when they have none.
        keys: Documents replaced. One that has no rows in ``new`` disappears.
        out: Where the new object is written.

    Returns:
        Rows written.

    Raises:
        ValueError: ``new`` has rows of a document that ``keys`` does not name.
        LakeObjectInvalid: ``old`` does not have the table's columns.
    """
    if new is not None:
        new = sorted_by_key(new)
        strangers = set(new.column("key").unique().to_pylist()) - set(keys)
        if strangers:
            raise ValueError(f"rows of {min(strangers)!r}, which is not among the documents to replace")
    if old is None:
        return 0 if new is None else write_groups(out, new.schema, [new])
    schema = stored_schema(name, old) if new is None else new.schema
    return write_groups(out, schema, _merged(old, new, schema, keys))


def sorted_by_key(table: "pa.Table") -> "pa.Table":
    """Rows sorted by key, those of one document in the order they stand."""
    import pyarrow.compute as pc

    return table.take(pc.sort_indices(table.column("key")))  # Arrow's sort is stable


def _merged(
    old: "pq.ParquetFile", new: "pa.Table | None", schema: "pa.Schema", keys: Collection[str]
) -> Iterator["pa.Table"]:
    import pyarrow as pa
    import pyarrow.compute as pc

    dropped = pa.array(sorted(keys), pa.string())
    for index in range(old.num_row_groups):
        group = conform(old.read_row_group(index, use_threads=False), schema)
        last = group.column("key")[-1].as_py()
        kept = group.filter(pc.invert(pc.is_in(group.column("key"), dropped)))
        if new is not None:
            due = pc.sum(pc.less_equal(new.column("key"), last)).as_py() or 0
            kept = sorted_by_key(pa.concat_tables([kept, new.slice(0, due)]))
            new = new.slice(due)
        yield kept
    if new is not None:
        yield new
