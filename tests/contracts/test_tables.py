"""The declarations of every table: complete, described, and the same schema after a round trip through Parquet."""

import subprocess
import sys

import pytest

from indx_core.contracts.tables import (
    ASSET_TABLES,
    CORPUS_TABLES,
    REVIEW_TABLES,
    RUN_TABLES,
    TABLES,
    Column,
    Table,
    table_of,
    vectors_schema,
    vectors_table,
)

EVERY_TABLE = pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)


@EVERY_TABLE
def test_every_column_says_what_it_means(table: Table) -> None:
    schema = table.schema
    assert schema.metadata[b"schema_version"] == str(table.version).encode()
    for field in schema:
        assert field.metadata[b"description"].decode().endswith((".", "…")), field.name


@EVERY_TABLE
def test_every_table_names_its_document_first(table: Table) -> None:
    """Shard objects are merged, sorted and skipped by key."""
    assert table.columns[0].name == "key"
    assert not table.columns[0].optional


@EVERY_TABLE
def test_column_names_are_distinct(table: Table) -> None:
    names = [column.name for column in table.columns]
    assert len(set(names)) == len(names)


@EVERY_TABLE
def test_only_clocked_tables_measure_time(table: Table) -> None:
    """A data table with a clock reading could never be byte-identical on replay."""
    measured = [
        column.name for column in table.columns if column.name.endswith("_ms") and "estimated" not in column.name
    ]
    assert bool(measured) == table.clocked


def test_every_table_has_exactly_one_owner() -> None:
    owned = [table.name for tables in ASSET_TABLES.values() for table in tables]
    owned += [table.name for table in (*RUN_TABLES, *CORPUS_TABLES, *REVIEW_TABLES)]
    assert sorted(owned) == sorted(TABLES)


def test_coordinates_and_offsets_state_their_origin() -> None:
    def origins(columns: tuple[Column, ...]) -> list[tuple[str, str | None]]:
        own = [(column.name, column.unit) for column in columns if column.name in {"x0", "y0", "x1", "y1"}]
        return own + [pair for column in columns for pair in origins(column.fields)]

    found = [pair for table in TABLES.values() for pair in origins(table.columns)]
    assert len(found) == 12
    for name, unit in found:
        assert unit is not None
        assert ("left" if name.startswith("x") else "top") in unit


def test_a_space_fixes_the_length_of_its_vectors() -> None:
    schema = vectors_schema(3)
    assert schema.field("vector").type.list_size == 3
    assert schema.metadata[b"dimension"] == b"3"
    assert table_of(vectors_table("default-text")) is TABLES["vectors"]


def test_an_undeclared_table_is_refused() -> None:
    with pytest.raises(KeyError):
        table_of("nonsense")


def test_naming_the_tables_imports_no_arrow() -> None:
    """``indx --help`` names tables and must not pay 0.13 s for Arrow."""
    code = "import sys, indx_core.contracts.tables, indx_core.kit.lake; sys.exit('pyarrow' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
