"""One query over the lake: the views it names, DuckDB without extensions, and a typed error for bad SQL.

A query may create, copy or attach what it likes: it is the user's own machine, and the database is in memory. It cannot
change the lake, whose tables are views.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from indx_core.contracts.errors import RequestInvalid
from indx_core.kit.lake import Lake
from indx_core.knowledge.sql.views import VIEWS, create_view

if TYPE_CHECKING:
    import duckdb

_OFFLINE: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}


@dataclass(frozen=True, slots=True)
class QueryResult:
    """What a query answered.

    Attributes:
        columns: Names, as the query gives them.
        types: DuckDB's type of each.
        rows: Values in Python's types, one tuple a row.
    """

    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: list[tuple[Any, ...]]


def connect(lake: Lake, tables: Iterable[str] = VIEWS) -> "duckdb.DuckDBPyConnection":
    """An in-memory DuckDB with a view per table; the caller closes it.

    Args:
        lake: Read when a view is made (names and footers) and when it is queried.
        tables: The views to make. DuckDB reads every footer of a table to make its view, 0.1 ms an object, so name
            only those needed where there are many.
    """
    import duckdb

    connection = duckdb.connect(config=_OFFLINE)
    for name in tables:
        create_view(connection, lake, name)
    return connection


def query(lake: Lake, sql: str) -> QueryResult:
    """Run SQL over the lake's tables. Of several statements, the last one's rows are returned.

    Raises:
        RequestInvalid: DuckDB refuses the statement; the message is DuckDB's.
        LakeObjectInvalid: An object of a table it names cannot be read.
    """
    import duckdb

    if not sql.strip().rstrip(";").strip():
        raise RequestInvalid("there is no statement", param="sql", remedy="`SHOW TABLES` lists the views")
    with connect(lake, ()) as connection:
        try:
            for name in _named(connection, sql):
                create_view(connection, lake, name)
            done = connection.execute(sql)
            described = done.description or []
            return QueryResult(
                columns=tuple(column[0] for column in described),
                types=tuple(str(column[1]) for column in described),
                rows=done.fetchall(),
            )
        except duckdb.Error as error:
            raise RequestInvalid(str(error), param="sql", remedy="correct the SQL statement") from None


def _named(connection: "duckdb.DuckDBPyConnection", sql: str) -> tuple[str, ...]:
    """The views a statement names; all of them when it names none, such as ``SHOW TABLES``."""
    import duckdb

    try:
        names = {name.lower() for name in connection.get_table_names(sql)}
    except duckdb.ParserException:
        raise
    except duckdb.Error:  # several statements at once, which DuckDB does not analyse
        return VIEWS
    return tuple(view for view in VIEWS if view in names) or VIEWS
