"""One query over the lake: the views it names, a DuckDB that reaches nothing else, and a typed error for bad SQL.

The connection reads no file and writes none: DuckDB's own file access is off, and views get their rows through Arrow.
Allowing it the lake's folder would not do, for what may be read there may be written there: a COPY hides in a WITH.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from indx_core.contracts.errors import IndxError, LakeObjectInvalid, LakeUnavailable, RequestInvalid
from indx_core.kit.encodable import encodable
from indx_core.kit.lake import Lake
from indx_core.knowledge.sql.views import VIEWS, create_view

if TYPE_CHECKING:
    import duckdb

_SEALED: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "enable_external_access": False,
    "python_enable_replacements": False,  # else a statement reads the variables of its callers
}
_READING = frozenset({"SELECT", "EXPLAIN", "MULTI", "PRAGMA", "SET"})
"""Kinds of statement that are run. MULTI is what PIVOT becomes; SET sets variables, for the configuration is locked."""
_OUTWARD = "`indx sql --csv` prints a result, and `indx views | duckdb` opens the lake in a DuckDB without this limit"


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


@contextmanager
def connect(lake: Lake, tables: Iterable[str] = VIEWS) -> "Iterator[duckdb.DuckDBPyConnection]":
    """An in-memory DuckDB with a view per table, sealed: it opens no file and takes no setting; closed at the end.

    Args:
        lake: Listed when a view is made, read when it is queried.
        tables: The views to make. Each lists its table's objects, so name only those needed.

    Raises:
        LakeObjectInvalid: An object of a table that was asked is not Parquet.
        LakeUnavailable: The store fails while rows are read.
    """
    import duckdb

    with duckdb.connect(config=_SEALED) as connection:
        connection.execute("SET lock_configuration = true")
        for name in tables:
            create_view(connection, lake, name)
        try:
            yield connection
        except duckdb.Error as error:
            raise _fault_of_the_lake(error) or error from None


def query(lake: Lake, sql: str) -> QueryResult:
    """Run SQL that reads over the lake's tables. Of several statements, the last one's rows are returned.

    Raises:
        RequestInvalid: A statement would write, or reach beyond the lake; or DuckDB refuses it, in DuckDB's words.
        LakeObjectInvalid: An object of a table it names cannot be read.
    """
    import duckdb

    if sql != encodable(sql):
        raise RequestInvalid("the statement is not UTF-8", param="sql", remedy="correct the SQL statement")
    if not sql.strip().rstrip(";").strip():
        raise RequestInvalid("there is no statement", param="sql", remedy="`SHOW TABLES` lists the views")
    with connect(lake, ()) as connection:
        try:
            _require_reading(connection, sql)
            for name in _named(connection, sql):
                create_view(connection, lake, name)
            done = connection.execute(sql)
            described = done.description or []
            return QueryResult(
                columns=tuple(column[0] for column in described),
                types=tuple(str(column[1]) for column in described),
                rows=done.fetchall(),
            )
        except duckdb.PermissionException:
            raise RequestInvalid(
                "`indx sql` reads the lake's views and opens no other file", param="sql", remedy=_OUTWARD
            ) from None
        except duckdb.Error as error:
            if _fault_of_the_lake(error) is not None:
                raise
            raise RequestInvalid(str(error), param="sql", remedy="correct the SQL statement") from None


def _require_reading(connection: "duckdb.DuckDBPyConnection", sql: str) -> None:
    """Refuse what would not read, before anything of it runs; DuckDB's settings refuse what hides in a statement."""
    for statement in connection.extract_statements(sql):
        kind = statement.type.name
        if kind not in _READING:
            raise RequestInvalid(f"`indx sql` only reads: {kind} statements are not run", param="sql", remedy=_OUTWARD)


def _fault_of_the_lake(error: "duckdb.Error") -> IndxError | None:
    """The typed error behind rows that did not arrive; ``None`` where the statement itself is at fault."""
    _, ours, said = str(error).partition("reading the Arrow source failed: ")
    if not ours:
        return None
    reason, _, _ = said.partition("\n")
    kind = LakeObjectInvalid if reason.startswith("Invalid: ") else LakeUnavailable
    return kind(f"the lake cannot be read: {reason.removeprefix('Invalid: ')}")


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
