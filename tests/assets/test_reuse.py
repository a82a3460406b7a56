"""Documents of the same bytes: read once, and the same rows as if each had been read by itself."""

import os
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from dagster_corner import DagsterCorner, dagster_corner

from assets.batches import batches
from assets.stale import Stale
from indx_core.app.ingest.retire import tombstone, write_tombstones
from indx_core.contracts.ingest import Grain, IngestOptions, Stage

PAGES = "first page\fsecond page"


@pytest.fixture
def corner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[DagsterCorner]:
    monkeypatch.setenv("DAGSTER_EMIT_PARTITION_SUBSET_IN_PLANNED_EVENTS", "1")
    with dagster_corner(tmp_path, Grain.SOURCE) as found:
        yield found


def reused(corner: DagsterCorner) -> dict[str, str]:
    """Whose page reads each document of the last ingestion took over."""
    facts = {o.task.path.removesuffix(".txt"): o.reports[Stage.PAGE_READS].facts for o in corner.outcomes}
    return {name: found["reused_from"] for name, found in facts.items() if "reused_from" in found}


def rows(corner: DagsterCorner, table: str, name: str) -> pa.Table:
    found = corner.session.lake.read(table, corner.key(name))
    assert found is not None
    return found


def test_a_copy_has_the_bytes_of_a_fresh_read_and_says_whose_pages_it_has(
    corner: DagsterCorner, tmp_path: Path
) -> None:
    corner.write(a=PAGES)
    corner.ingest()
    corner.write(copy=PAGES)
    corner.ingest()
    assert reused(corner) == {"copy": "corner/a.txt"}
    assert rows(corner, "trace", "copy").column("reason").to_pylist() == ["reused from corner/a.txt"]
    taken_over = {name: data for name, data in corner.objects().items() if "copy" in name}
    everything = [Stale(source, tuple(Stage), ("forced",)) for source in corner.discover() if "copy" in source.path]
    corner.outcomes.clear()
    for batch in batches(everything, corner.loaded):
        corner.session.run(batch)
    assert reused(corner) == {}, "forced means read again"
    fresh = {name: data for name, data in corner.objects().items() if "copy" in name}
    assert taken_over == fresh
    assert {name.split("/")[0] for name in fresh} >= {"pages", "chunks", "vectors"}
    assert corner.stale() == {}


def test_copies_that_are_new_together_are_read_once(corner: DagsterCorner) -> None:
    corner.write(a=PAGES, b=PAGES, c="another length", d=PAGES)
    corner.ingest()
    assert reused(corner) == {"b": "corner/a.txt", "d": "corner/a.txt"}
    assert rows(corner, "pages", "d").column("text").to_pylist() == ["first page", "second page"]


def test_a_document_of_the_same_length_and_other_bytes_is_read(corner: DagsterCorner) -> None:
    corner.write(a="one text", b="two text")
    corner.ingest()
    assert reused(corner) == {}
    assert rows(corner, "pages", "b").column("text").to_pylist() == ["two text"]


def test_a_renamed_document_takes_its_pages_along_while_they_stand(corner: DagsterCorner) -> None:
    corner.write(a=PAGES)
    corner.ingest()
    stone = tombstone(corner.session.lake, "corner/a.txt", corner.loaded.config, now_ms=0)
    (corner.root / "a.txt").rename(corner.root / "z.txt")
    write_tombstones(corner.session.lake, "corner", {stone.key: stone})
    corner.ingest()
    assert reused(corner) == {"z": "corner/a.txt"}


def test_pages_read_under_other_settings_are_not_taken_over(corner: DagsterCorner) -> None:
    corner.write(a=PAGES)
    corner.ingest()
    corner.write(b=PAGES)
    corner.use(IngestOptions(languages=False, embedding_spaces=()))
    corner.run("b")
    assert reused(corner) == {}, "the plan names the embedding spaces: it is another plan"


def test_other_chunkers_cut_what_was_taken_over(corner: DagsterCorner) -> None:
    corner.write(a=PAGES)
    corner.ingest()
    corner.write(b=PAGES)
    corner.use(IngestOptions(languages=False, chunkers=("page",)))
    corner.run("b")
    assert reused(corner) == {"b": "corner/a.txt"}
    (outcome,) = corner.outcomes
    assert "reused_from" not in outcome.reports[Stage.CHUNKS].facts


def test_a_document_that_was_only_touched_keeps_its_own_pages(corner: DagsterCorner) -> None:
    corner.write(a=PAGES)
    corner.ingest()
    before = corner.objects()
    os.utime(corner.root / "a.txt", (1, 1))
    assert corner.stale() == {"a": ("source changed",)}
    corner.ingest()
    assert reused(corner) == {"a": "corner/a.txt"}
    pages = [name for name in before if name.startswith(("pages/", "chunks/"))]
    assert {name: corner.objects()[name] for name in pages} == {name: before[name] for name in pages}
    assert corner.stale() == {}
