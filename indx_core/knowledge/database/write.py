"""Writing the database file: tables from Arrow, comments from the declarations. Makes no rows itself."""

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from indx_core.contracts.tables import Table
from indx_core.knowledge.database import tables as t
from indx_core.knowledge.database.rows import ROWS

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

    from indx_core.knowledge.space import KnowledgeSpace

_BATCH = 10_000  # rows turned into Arrow at a time
_OFFLINE: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}


def write_database(space: "KnowledgeSpace", path: Path) -> None:
    """Write the space as a DuckDB database; an old file at ``path`` is replaced.

    The tables are the same for the same space; the file's bytes are not, since DuckDB marks each file it makes.
    """
    import duckdb

    path.unlink(missing_ok=True)
    with duckdb.connect(str(path), config=_OFFLINE) as connection:
        for table in t.TABLES:
            _create(connection, table)
            source = _vectors(space) if table is t.VECTORS else _batches(table, ROWS[table.name](space))
            for batch in source:
                connection.register("incoming", batch)
                connection.execute(f'INSERT INTO "{table.name}" SELECT * FROM incoming')  # noqa: S608 - our own names
                connection.unregister("incoming")


def _create(connection: "duckdb.DuckDBPyConnection", table: Table) -> None:
    connection.register("empty", table.schema.empty_table())
    connection.execute(f'CREATE TABLE "{table.name}" AS SELECT * FROM empty')  # noqa: S608 - our own names
    connection.unregister("empty")
    connection.execute(f'COMMENT ON TABLE "{table.name}" IS {_literal(table.description)}')
    for column in table.columns:
        said = f"{column.description} ({column.unit})" if column.unit else column.description
        connection.execute(f'COMMENT ON COLUMN "{table.name}"."{column.name}" IS {_literal(said)}')


def _batches(table: Table, rows: Iterable[dict[str, Any]]) -> Iterator["pa.Table"]:
    import pyarrow as pa

    remaining = iter(rows)
    while batch := list(islice(remaining, _BATCH)):
        yield pa.Table.from_pylist(batch, schema=table.schema)


def _vectors(space: "KnowledgeSpace") -> Iterator["pa.Table"]:
    import numpy as np
    import pyarrow as pa

    for vectors in space.vectors.values():
        for start in range(0, len(vectors.rows), _BATCH):
            rows, matrix = vectors.rows[start : start + _BATCH], vectors.matrix[start : start + _BATCH]
            offsets = np.arange(len(rows) + 1, dtype=np.int32) * vectors.dimension
            lists = pa.ListArray.from_arrays(
                pa.array(offsets), pa.array(matrix.reshape(-1)), type=t.VECTORS.schema.field("vector").type
            )
            ids = pa.array([space.chunks[row].id for row in rows])
            yield pa.Table.from_arrays([ids, pa.array([vectors.space_id] * len(rows)), lists], schema=t.VECTORS.schema)


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
