"""SQL over the lake: every table is there, written or not; bad SQL is the caller's error; results render for all."""

import csv
import io
from datetime import date
from decimal import Decimal
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from kit.lake.table_rows import ALL_TABLES, chunk, chunks, filled, page, vectors
from rich.cells import cell_len
from rich.console import Console

from indx_core.contracts.errors import LakeObjectInvalid, RequestInvalid
from indx_core.contracts.tables import TABLES
from indx_core.kit.lake import Lake, LakeSettings, encode_table
from indx_core.kit.lake.encode import rows_table
from indx_core.knowledge.sql import QueryResult, as_csv, as_table, connect, json_rows, query, view_statements
from indx_core.knowledge.sql.views import DERIVED


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    return Lake.open(LakeSettings(lake=str(tmp_path / "lake")))


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_an_empty_lake_shows_every_table_with_its_columns(lake: Lake, table) -> None:
    result = query(lake, f"SELECT * FROM {table.name}")
    assert result.columns == tuple(column.name for column in table.columns)
    assert result.rows == []


@pytest.mark.parametrize("table", ALL_TABLES, ids=lambda table: table.name)
def test_a_written_table_has_the_types_of_the_empty_one(lake: Lake, table) -> None:
    empty = query(lake, f"SELECT * FROM {table.name}").types
    rows = filled(table)
    lake.write(table.name, "c/a", encode_table(rows))
    result = query(lake, f"SELECT * FROM {table.name}")
    assert result.types == empty
    assert [dict(zip(result.columns, row, strict=True)) for row in result.rows] == rows.to_pylist()


def test_documents_of_every_key_are_seen(lake: Lake) -> None:
    """Folders that look like Hive partitions or patterns are names here."""
    keys = ["c/year=2026/a", "c/[x]*/b", "c/日本 語/c", "c/.d"]
    for key in keys:
        lake.write("chunks", key, encode_table(chunks(chunk(key))))
    assert query(lake, "SELECT key FROM chunks ORDER BY key").rows == [(key,) for key in sorted(keys)]


def test_a_lake_in_a_folder_with_a_pattern_in_its_name_is_read(tmp_path: Path) -> None:
    lake = Lake.open(LakeSettings(lake=str(tmp_path / "it's [a] *lake?")))
    lake.write("chunks", "c/a", encode_table(chunks(chunk("c/a"))))
    assert query(lake, "SELECT count(*) FROM chunks").rows == [(1,)]


def test_what_is_broken_says_since_when_and_when_it_is_tried_again(lake: Lake) -> None:
    columns = ("key", "corpus", "path", "uri", "stage", "type", "message", "remedy", "cause")
    row = dict.fromkeys(columns, "x") | {"http_status": 422, "attempts": 2, "since_ms": 86_400_000}
    lake.write(
        "refusals", "c/a", encode_table(rows_table("refusals", [row | {"key": "c/a", "retry_at_ms": 90_000_000}]))
    )
    lake.write("refusals", "c/b", encode_table(rows_table("refusals", [row | {"key": "c/b", "retry_at_ms": None}])))
    found = query(lake, "SELECT code, attempts, since::VARCHAR, retry_at::VARCHAR FROM broken").rows
    assert found == [("x", 2, "1970-01-02 00:00:00", "1970-01-02 01:00:00"), ("x", 2, "1970-01-02 00:00:00", None)]


def test_vectors_of_every_space_stand_in_one_view(lake: Lake) -> None:
    lake.write("vectors/one", "c/a", encode_table(vectors("c/a", [[1.0, 0.0]], "one")))
    lake.write("vectors/two", "c/a", encode_table(vectors("c/a", [[1.0, 0.0, 0.0]], "two")))
    sql = "SELECT embedding_space_id, len(vector) FROM vectors ORDER BY 1"
    assert query(lake, sql).rows == [("one", 2), ("two", 3)]
    cosine = "SELECT list_cosine_similarity(vector, [1, 1]::FLOAT[]) FROM vectors WHERE embedding_space_id = 'one'"
    assert query(lake, cosine).rows == [(pytest.approx(0.5**0.5),)]


def test_objects_of_an_older_version_show_the_new_column_as_null(lake: Lake, tmp_path: Path) -> None:
    lake.write("chunks", "c/new", encode_table(chunks(chunk("c/new", capability_id="ocr"))))
    pq.write_table(chunks(chunk("c/old")).drop_columns(["capability_id"]), tmp_path / "lake/chunks/c/old.parquet")
    found = query(lake, "SELECT key, capability_id FROM chunks ORDER BY key").rows
    assert found == [("c/new", "ocr"), ("c/old", None)]


def test_usage_written_before_prices_could_be_unknown_says_that_nobody_knows(lake: Lake, tmp_path: Path) -> None:
    rows = filled(TABLES["usage"], count=1)
    lake.write("usage", "c/new", encode_table(rows))
    pq.write_table(rows.drop_columns(["cost_known"]), tmp_path / "lake/usage/c/old.parquet")
    assert query(lake, "SELECT cost_known FROM usage ORDER BY cost_known NULLS LAST").rows == [(False,), (None,)]


def test_tables_join(lake: Lake) -> None:
    lake.write("chunks", "c/a", encode_table(chunks(chunk("c/a"), chunk("c/a", 1))))
    lake.write("vectors/s", "c/a", encode_table(vectors("c/a", [[1.0], [2.0]])))
    sql = "WITH v AS (FROM Vectors) SELECT count(*) FROM chunks JOIN v USING (key, chunk_id)"
    assert query(lake, sql).rows == [(2,)]


def test_show_tables_and_several_statements_see_every_table(lake: Lake) -> None:
    assert {name for (name,) in query(lake, "SHOW TABLES").rows} == {*TABLES, *DERIVED}
    assert query(lake, "SET VARIABLE n = 1; SELECT count(*) + getvariable('n') FROM pages").rows == [(1,)]


@pytest.mark.parametrize(
    ("sql", "says"),
    [
        ("SELEC 1", "SELEC"),
        ("SELECT nope FROM chunks", "nope"),
        ("FROM nowhere", "nowhere"),
    ],
)
def test_bad_sql_is_the_callers_error_in_duckdbs_words(lake: Lake, sql: str, says: str) -> None:
    with pytest.raises(RequestInvalid, match=says) as error:
        query(lake, sql)
    assert error.value.param == "sql"


@pytest.mark.parametrize(
    "sql",
    [
        "COPY (SELECT 1) TO '{outside}/x.csv'",
        "COPY (SELECT 1) TO '{lake}/x.csv'",
        "WITH hidden AS (COPY (SELECT 1) TO '{lake}/x.csv') SELECT 1",
        "EXPLAIN ANALYZE COPY (SELECT 1) TO '{lake}/x.csv'",
        "SELECT 1; COPY (SELECT 1) TO '{outside}/x.csv'",
        "EXPORT DATABASE '{outside}/x'",
        "ATTACH '{outside}/x.duckdb'",
        "SET profiling_output = '{outside}/x.json'",
        "SET temp_directory = '{outside}/x'",
        "CREATE TABLE x AS SELECT 1",
        "INSERT INTO chunks SELECT 1",
        "DROP VIEW chunks",
        "INSTALL httpfs",
    ],
)
def test_a_statement_that_would_write_is_refused_before_anything_runs(lake: Lake, tmp_path: Path, sql: str) -> None:
    """A COPY hides in a WITH and in an EXPLAIN, so that kinds of statement alone would not do."""
    lake.write("chunks", "c/a", encode_table(chunks(chunk("c/a"))))
    (tmp_path / "outside").mkdir()
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(RequestInvalid) as error:
        query(lake, sql.format(lake=tmp_path / "lake", outside=tmp_path / "outside"))
    assert error.value.param == "sql"
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    "sql",
    [
        "FROM read_csv('{file}')",
        "FROM read_text('{file}')",
        "FROM '{file}'",
        "FROM glob('{folder}/*')",
        "ATTACH '{file}'",
        "COPY chunks FROM '{file}'",
        "FROM query('FROM read_text(''{file}'')')",
        "SET enable_external_access = true; FROM read_text('{file}')",
    ],
)
def test_no_file_beside_the_lake_is_read(lake: Lake, tmp_path: Path, sql: str) -> None:
    file = tmp_path / "secret.csv"
    file.write_text("secret")
    with pytest.raises(RequestInvalid):
        query(lake, sql.format(file=file, folder=tmp_path))


def test_who_wants_a_file_is_told_the_two_ways_to_one(lake: Lake) -> None:
    with pytest.raises(RequestInvalid, match="only reads: COPY") as error:
        query(lake, "COPY (SELECT 1) TO 'x.csv'")
    assert "--csv" in error.value.remedy
    assert "indx views | duckdb" in error.value.remedy


def test_a_statement_sees_no_variable_of_the_program_that_runs_it(lake: Lake) -> None:
    with pytest.raises(RequestInvalid, match="sql"):
        query(lake, "SELECT * FROM sql")


@pytest.mark.parametrize(
    "sql",
    [
        "PIVOT chunks ON page USING count(*)",
        "EXPLAIN SELECT * FROM chunks",
        "PRAGMA table_info('chunks')",
        "SUMMARIZE chunks",
        "DESCRIBE chunks",
        "WITH c AS (FROM chunks) FROM c",
        "VALUES (1)",
    ],
)
def test_every_way_to_read_stays(lake: Lake, sql: str) -> None:
    lake.write("chunks", "c/a", encode_table(chunks(chunk("c/a"))))
    assert query(lake, sql).rows


def test_a_broken_object_is_named_and_is_not_the_callers_fault(lake: Lake, tmp_path: Path) -> None:
    lake.write("chunks", "c/a", encode_table(chunks(chunk("c/a"))))
    lake.write("chunks", "c/broken", b"half an object")
    with pytest.raises(LakeObjectInvalid, match=r"chunks/c/broken\.parquet") as error:
        query(lake, "SELECT count(*) FROM chunks")
    assert str(tmp_path) not in error.value.message


def test_no_extension_is_fetched(lake: Lake) -> None:
    """An extension would be a download; without one the statement fails at once."""
    with connect(lake, ()) as connection:
        for option in ("autoinstall_known_extensions", "autoload_known_extensions"):
            assert connection.execute(f"SELECT current_setting('{option}')").fetchone() == (False,)


COUNTS = [
    {"key": "c/a", "label": "organization", "surface": "ABC", "count": 2, "forms": ["ABC", "ＡＢＣ"]},
    {"key": "c/b", "label": "organization", "surface": "ABC", "count": 3, "forms": ["ＡＢＣ", "AＢC"]},
    {"key": "other/a", "label": "organization", "surface": "ABC", "count": 1, "forms": ["ABC"]},
]


def test_what_documents_name_is_counted_over_their_corpus_with_its_raw_forms(lake: Lake) -> None:
    for row in COUNTS:
        lake.write("entity_counts", row["key"], encode_table(rows_table("entity_counts", [row])))
    statement = "SELECT * FROM corpus_entity_counts ORDER BY corpus"
    expected = [
        ("c", "organization", "ABC", 5, 2, ["ABC", "AＢC", "ＡＢＣ"]),
        ("other", "organization", "ABC", 1, 1, ["ABC"]),
    ]
    assert query(lake, statement).rows == expected
    with duckdb.connect() as own:
        for each in view_statements(lake):
            own.execute(each)
        assert own.execute(statement).fetchall() == expected


def test_the_statements_build_the_views_in_anybodys_duckdb(lake: Lake) -> None:
    lake.write("chunks", "c/a", encode_table(chunks(chunk("c/a"))))
    with duckdb.connect() as own:
        for statement in view_statements(lake):
            own.execute(statement)
        assert own.execute("SELECT key FROM chunks").fetchall() == [("c/a",)]
        assert own.execute("SELECT count(*) FROM entities").fetchall() == [(0,)]


RESULT = QueryResult(
    columns=("key", "x", "x", "part", "raw"),
    types=("VARCHAR", "FLOAT", "DECIMAL(4,2)", "STRUCT(a FLOAT[], d DATE)", "BLOB"),
    rows=[
        (
            '日本語, "引用"\n',
            0.10000000149011612,
            Decimal("1.50"),
            {"a": [0.20000000298023224], "d": date(2026, 3, 31)},
            b"\x00",
        ),
        (None, float("nan"), Decimal(2), None, None),
    ],
)


def test_json_has_one_object_a_row_and_no_column_hides_another() -> None:
    assert json_rows(RESULT) == [
        {"key": '日本語, "引用"\n', "x": 0.1, "x_1": 1.5, "part": {"a": [0.2], "d": "2026-03-31"}, "raw": "AA=="},
        {"key": None, "x": None, "x_1": 2, "part": None, "raw": None},
    ]


def test_csv_reads_back_as_it_was() -> None:
    lines = list(csv.reader(io.StringIO(as_csv(RESULT))))
    assert lines[0] == ["key", "x", "x", "part", "raw"]
    assert lines[1] == ['日本語, "引用"\n', "0.1", "1.5", '{"a": [0.2], "d": "2026-03-31"}', "AA=="]
    assert lines[2] == ["", "", "2", "", ""]


def rendered(result: QueryResult, width: int = 60) -> list[str]:
    console = Console(width=width, file=io.StringIO(), force_terminal=False)
    as_table(result, console)
    return console.file.getvalue().splitlines()


def test_a_table_lines_up_with_japanese_in_it() -> None:
    lines = rendered(QueryResult(("k",), ("VARCHAR",), [("決算短信",), ("abc",)]))
    assert len({cell_len(line.rstrip()) for line in lines[:-1]}) == 1
    assert lines[-1].startswith("2 rows")


def test_a_table_shows_text_as_text() -> None:
    """A document must neither colour the terminal nor move its cursor."""
    lines = "\n".join(
        rendered(QueryResult(("k",), ("VARCHAR",), [("[red]\x1b[2Jあ[/red]",), ("長" * 1000,), (b"\0\1",)]))
    )
    assert "[red]" in lines
    assert "\x1b" not in lines
    assert lines.count("長") == 299
    assert "<2 bytes>" in lines


def test_a_result_of_arrow_lists_is_plain_python(lake: Lake) -> None:
    rows = pa.Table.from_pylist([page("c/a", lines=[(0, 1, 0.5, 0.5, 0.5, 0.5, None, None)])], TABLES["pages"].schema)
    lake.write("pages", "c/a", encode_table(rows))
    assert query(lake, "SELECT lines[1].x0, len(findings) FROM pages").rows == [(0.5, 0)]
