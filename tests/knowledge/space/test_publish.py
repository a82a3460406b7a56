"""The manifest of a corpus, and its space in the lake."""

import json
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
from kit.lake.table_rows import filled
from knowledge.corpora import ListedCorner, ingested

from indx_core.contracts.corpus import CorpusManifest
from indx_core.contracts.tables import PAGES, USAGE
from indx_core.kit.lake import encode_table
from indx_core.knowledge.space import KnowledgeSpace
from indx_core.knowledge.space.build import build_space
from indx_core.knowledge.space.manifest import corpus_manifest
from indx_core.knowledge.space.publish import Published, publish


def published(corner: ListedCorner) -> Published:
    space = build_space(corner.lake, "corner")
    return publish(space, corpus_manifest(corner.lake, "corner", space), corner.lake)


@pytest.fixture
def corner(tmp_path: Path) -> ListedCorner:
    return ingested(tmp_path)


def test_the_manifest_says_what_was_read_and_what_was_refused(corner: ListedCorner) -> None:
    corner.write("blank.txt", "")
    manifest = corpus_manifest(corner.lake, "corner", build_space(corner.lake, "corner"))
    assert (manifest.listed, manifest.documents) == (6, 5)
    assert manifest.refused == {"source_unreadable": 1}
    assert [(each.path, each.stage) for each in manifest.refusals] == [("broken.pdf", "observation")]
    assert manifest.refusals[0].remedy
    assert manifest.pages == {"completed": 5}
    assert manifest.problems == ()
    assert manifest.bytes_source == sum(each.byte_count for each in corner.listed() if each.path not in UNREAD)
    assert manifest.actual_cost_usd == 0.0
    assert manifest.actual_cost_per_1000_usd == 0.0
    assert manifest.planned_cost_per_1000_usd == pytest.approx(manifest.planned_cost_usd * 200)


def test_what_is_listed_and_not_yet_processed_is_counted(corner: ListedCorner) -> None:
    corner.write("new.txt", "Not read yet.")
    corner.record_listing()
    assert corpus_manifest(corner.lake, "corner", build_space(corner.lake, "corner")).outstanding == 1


def test_a_refused_document_that_is_gone_is_no_refusal_any_more(corner: ListedCorner) -> None:
    (corner.root / "broken.pdf").unlink()
    corner.record_listing()
    space = build_space(corner.lake, "corner")
    assert (space.errors, corpus_manifest(corner.lake, "corner", space).refusals) == ([], ())


@pytest.mark.parametrize(("known", "all_known"), [(True, True), (None, True), (False, False)])
def test_a_price_that_nobody_knows_makes_the_cost_a_lower_bound(
    corner: ListedCorner, known: bool | None, all_known: bool
) -> None:
    row = {"key": "corner/readme.txt", "bytes": 1, "pages": 1, "cost_usd": 0.5, "latency_ms": 1, "cost_known": known}
    corner.lake.write("usage", row["key"], encode_table(pa.Table.from_pylist([row], schema=USAGE.schema)))
    manifest = corpus_manifest(corner.lake, "corner", build_space(corner.lake, "corner"))
    assert (manifest.actual_cost_usd, manifest.actual_cost_known) == (0.5, all_known)


UNREAD = {"broken.pdf", "blank.txt"}


def test_pages_that_nobody_read_are_named(corner: ListedCorner) -> None:
    """A page that needs a person is found by its document and number, not only counted."""
    key = "corner/readme.txt"
    rows = [
        {**row, "key": key, "page": page, "status": "unreadable", "reason": "no text layer"}
        for page, row in enumerate(filled(PAGES, 2).to_pylist(), start=3)
    ]
    corner.lake.write("pages", key, encode_table(pa.Table.from_pylist(rows, schema=PAGES.schema)))
    manifest = corpus_manifest(corner.lake, "corner", build_space(corner.lake, "corner"))
    assert manifest.pages == {"completed": 4, "unreadable": 2}
    (problem,) = manifest.problems
    assert (problem.path, problem.status, problem.pages, problem.reason) == (
        "readme.txt",
        "unreadable",
        (3, 4),
        "no text layer",
    )


def test_everything_of_a_space_is_in_the_lake(corner: ListedCorner) -> None:
    done = published(corner)
    folder = Path(corner.lake.store.root) / done.folder
    assert sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()) == [
        "corpus.json",
        "embeddings/0.npy",
        "embeddings/0.rows.npy",
        "index.json",
        *(f"lexical/{name}.npy" for name in ("frequencies", "lengths", "offsets", "owners", "terms")),
        "manifest.json",
        "published.json",
        "space.duckdb",
        "space.indx",
    ]
    assert KnowledgeSpace.load(folder / "space.indx") == KnowledgeSpace.load(folder)
    with duckdb.connect(str(folder / "space.duckdb"), read_only=True) as connection:
        assert connection.execute("SELECT count(*) FROM documents").fetchone() == (5,)
    assert CorpusManifest.model_validate_json((folder / "corpus.json").read_text()).documents == 5


def test_an_unchanged_space_is_not_written_again(corner: ListedCorner) -> None:
    first = published(corner)
    database = Path(corner.lake.store.root) / first.folder / "space.duckdb"
    before = database.stat().st_mtime_ns
    second = published(corner)
    assert (first.changed, second.changed) == (True, False)
    assert second.digest == first.digest
    assert database.stat().st_mtime_ns == before


def test_a_changed_document_changes_the_space(corner: ListedCorner) -> None:
    first = published(corner)
    corner.write("readme.txt", "Something else stands here now.\n")
    corner.record_listing()
    corner.run(corner.task("readme.txt"))
    second = published(corner)
    assert second.changed
    assert second.digest != first.digest
    state = json.loads((Path(corner.lake.store.root) / second.folder / "published.json").read_text())
    assert state["archive"] == second.digest
