"""The database file: every table filled, documented, and readable without an extension."""

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from knowledge.spaces import small_space

from indx_core.knowledge.database import TABLES, write_database


@pytest.fixture
def database(tmp_path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    space = small_space()
    named = space.chunks[1].model_copy(
        update={"metadata": {"page": 2, "box": [0.1, 0.2, 0.3, 0.4], "entities": {"organization": ["東京電力"]}}}
    )
    link = {"target": "https://example.com/", "text": "our site", "page": 2, "box": [0.1, 0.2, 0.3, 0.4]}
    labelled = space.documents_[0].model_copy(
        update={"metadata": {"labels": {"sensitivity": "public"}, "links": [link]}}
    )
    error = {"path": "x.pdf", "stage": "observation", "code": "source_unreadable", "message": "broken"}
    space = space.model_copy(
        update={
            "chunks": [space.chunks[0], named, space.chunks[2]],
            "documents_": [labelled, *space.documents_[1:]],
            "metadata": {"errors": [error]},
        }
    )
    write_database(space, tmp_path / "space.duckdb")
    with duckdb.connect(str(tmp_path / "space.duckdb"), read_only=True) as connection:
        yield connection


@pytest.mark.parametrize("table", [table.name for table in TABLES])
def test_every_table_has_rows_and_every_column_a_comment(database: duckdb.DuckDBPyConnection, table: str) -> None:
    (count,) = database.execute(f'SELECT count(*) FROM "{table}"').fetchone()
    assert count > 0
    columns = database.execute("SELECT column_name, comment FROM duckdb_columns() WHERE table_name = ?", [table])
    assert all(comment for _, comment in columns.fetchall())
    (comment,) = database.execute("SELECT comment FROM duckdb_tables() WHERE table_name = ?", [table]).fetchone()
    assert comment


def test_chunks_join_their_documents_and_neighbours(database: duckdb.DuckDBPyConnection) -> None:
    question = """
        SELECT d.path, c.page, c.x0, n.text FROM chunks c JOIN documents d ON d.id = c.doc_id
        JOIN chunks n ON n.id = c.next_id JOIN entities e ON e.chunk_id = c.id WHERE e.name = '東京電力'
    """
    assert database.execute(question).fetchall() == [
        ("policies/保存期間.pdf", 2, 0.1, "Enterprise data is kept 90 days")
    ]


def test_edges_of_documents_and_chunks_are_in_one_table(database: duckdb.DuckDBPyConnection) -> None:
    edges = database.execute("SELECT src, dst, type, score FROM relations ORDER BY ALL").fetchall()
    assert edges == [
        ("chunk_0002", "legal/gdpr.md", "references", 1.0),
        ("doc_0001", "legal", "parent", None),
        ("doc_0002", "doc_0001", "references", 1.0),
    ]


def test_links_out_of_the_corpus_are_kept(database: duckdb.DuckDBPyConnection) -> None:
    links = database.execute("SELECT doc_id, page, target, text, y1 FROM links").fetchall()
    assert links == [
        ("doc_0001", 2, "https://example.com/", "our site", 0.4),
        ("doc_0002", 1, "../legal/gdpr.md", "the regulation", None),
    ]


def test_vectors_are_compared_in_sql(database: duckdb.DuckDBPyConnection) -> None:
    nearest = database.execute(
        "SELECT chunk_id FROM vectors WHERE embedding_space_id = 'default-text'"
        " ORDER BY list_cosine_similarity(vector, [0.0, 1.0, 0.0]) DESC LIMIT 1"
    ).fetchone()
    assert nearest == ("chunk_0003",)


def test_writing_again_replaces_the_file(tmp_path: Path) -> None:
    for _ in range(2):
        write_database(small_space(), tmp_path / "space.duckdb")
    with duckdb.connect(str(tmp_path / "space.duckdb")) as connection:
        assert connection.execute("SELECT count(*) FROM chunks").fetchone() == (3,)
