"""Documents that are gone, retired by the command as by the sensor, each from the same complete listing."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import dagster as dg
import pytest
from dagster_corner import DagsterCorner, dagster_corner

from assets.broken import KEY
from assets.keys import asset_key
from indx_core.app.ingest.retire import tombstones
from indx_core.contracts.errors import SourceTemporarilyUnreadable, SourceUnreadable
from indx_core.contracts.ingest import Grain, Stage
from indx_core.loaders.file.loader import FileLoader
from indx_dagster.retire import Gone


@pytest.fixture(params=list(Grain), ids=str)
def corner(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[DagsterCorner]:
    with dagster_corner(tmp_path, request.param) as found:
        found.write(a="first", b="another document", c="a third one")
        yield found


@pytest.fixture
def by_source(tmp_path: Path) -> Iterator[DagsterCorner]:
    with dagster_corner(tmp_path, Grain.SOURCE) as found:
        found.write(a="first", b="another document", c="a third one")
        yield found


def ingest(corner: DagsterCorner, within: str = "") -> tuple[Gone, int]:
    """As the command does it; returns what is gone and how many gone documents serve on."""
    corpus = replace(corner.corpus, within=within)
    corner.session.discover([corpus])
    gone = Gone.of(corner.session, [corpus])
    gone.bury()
    corner.ingest()
    return gone, gone.remove()


def rows(corner: DagsterCorner, table: str) -> list[str]:
    return sorted(set(corner.session.lake.select(table, ["key"])["key"].to_pylist()))


def test_a_deleted_document_gets_a_tombstone_and_an_event_and_leaves_the_tables(corner: DagsterCorner) -> None:
    assert ingest(corner)[0].keys == []
    (corner.root / "b.txt").unlink()
    gone, serving = ingest(corner)
    assert (gone.keys, gone.said, serving) == (["corner/b.txt"], [], 0)
    assert not tombstones(corner.session.lake, "corner")["corner/b.txt"].serving
    for table in ("sources", "pages", "chunks", "vectors"):
        assert rows(corner, table) == ["corner/a.txt", "corner/c.txt"], table
    wanted = dg.AssetRecordsFilter(asset_key(Stage.OBSERVATION))
    (record,) = corner.instance.fetch_observations(wanted, limit=5).records
    assert record.asset_observation is not None
    assert record.asset_observation.metadata["document"].value == "corner/b.txt"
    assert ingest(corner)[0].keys == [], "a document is retired once"


def test_a_document_that_comes_back_is_read_again_and_its_tombstone_goes(corner: DagsterCorner) -> None:
    ingest(corner)
    (corner.root / "b.txt").unlink()
    ingest(corner)
    corner.write(b="another document")
    assert ingest(corner)[1] == 0
    assert rows(corner, "pages") == [corner.key(name) for name in "abc"]
    assert tombstones(corner.session.lake, "corner") == {}


def test_a_renamed_document_is_taken_over_and_the_old_name_serves_until_then(by_source: DagsterCorner) -> None:
    ingest(by_source)
    (by_source.root / "b.txt").rename(by_source.root / "new.txt")
    by_source.session.discover([by_source.corpus])
    gone = Gone.of(by_source.session, [by_source.corpus])
    gone.bury()
    assert "corner/b.txt" in rows(by_source, "pages"), "nothing else holds its text yet"
    by_source.ingest()
    assert gone.remove() == 0
    assert rows(by_source, "pages") == ["corner/a.txt", "corner/c.txt", "corner/new.txt"]
    trace = by_source.session.lake.select("trace", ["key", "reason"]).to_pylist()
    assert any("reused from corner/b.txt" in (row["reason"] or "") for row in trace if row["key"] == "corner/new.txt")


def test_a_gone_document_serves_on_while_one_of_its_length_waits_and_goes_with_the_next_command(
    by_source: DagsterCorner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The new name cannot be read for a passing reason: searching must not lose the text in between."""
    ingest(by_source)
    (by_source.root / "b.txt").rename(by_source.root / "new.txt")

    def throttled(_self: FileLoader, _uri: str, _max_bytes: int | None) -> object:
        raise SourceTemporarilyUnreadable("slow down")

    with monkeypatch.context() as patched:
        patched.setattr(FileLoader, "load", throttled)
        assert ingest(by_source)[1] == 1
    assert "corner/b.txt" in rows(by_source, "pages")
    gone, serving = ingest(by_source)
    assert (gone.keys, serving) == ([], 0)
    assert "corner/b.txt" not in rows(by_source, "pages")


def test_a_folder_or_file_named_by_hand_retires_nothing(by_source: DagsterCorner) -> None:
    ingest(by_source)
    (by_source.root / "b.txt").unlink()
    assert ingest(by_source, within="sub")[0].corpora == []
    assert "corner/b.txt" in rows(by_source, "pages")


def test_a_listing_that_breaks_off_retires_nothing(by_source: DagsterCorner, monkeypatch: pytest.MonkeyPatch) -> None:
    ingest(by_source)
    (by_source.root / "b.txt").unlink()
    whole = FileLoader.list

    def broken(self: FileLoader, root: str) -> Iterator[object]:
        yield next(iter(whole(self, root)))
        raise SourceUnreadable("the listing broke off")

    monkeypatch.setattr(FileLoader, "list", broken)
    with pytest.raises(SourceUnreadable):
        ingest(by_source)
    assert tombstones(by_source.session.lake, "corner") == {}


def test_a_listing_that_misses_too_much_retires_nothing_and_says_so(by_source: DagsterCorner) -> None:
    """A share that is not mounted is an empty folder."""
    by_source.write(**{f"d{number}": f"document {number}" for number in range(12)})
    ingest(by_source)
    for path in by_source.root.iterdir():
        path.unlink()
    gone, _ = ingest(by_source)
    assert gone.keys == []
    (said,) = gone.said
    assert said.startswith("corner: the listing misses 15 of 15 documents: nothing is retired")
    assert "raise retire_at_most" in said
    assert len(rows(by_source, "pages")) == 15


def test_a_look_ahead_names_what_is_gone_and_writes_nothing(corner: DagsterCorner) -> None:
    ingest(corner)
    (corner.root / "b.txt").unlink()
    before = corner.objects()
    gone = Gone.of(corner.session, [corner.corpus])
    gone.foresee(corner.session.discover([corner.corpus], record=False))
    assert gone.keys == ["corner/b.txt"]
    assert corner.objects() == before


def test_what_was_broken_and_is_gone_is_no_longer_broken(by_source: DagsterCorner) -> None:
    by_source.write(b=b"\x00\x01\x02")
    ingest(by_source)
    (by_source.root / "b.txt").unlink()
    ingest(by_source)
    event = by_source.instance.event_log_storage.get_latest_asset_check_execution_by_key([KEY])[KEY].event
    assert event is not None
    assert event.dagster_event is not None
    assert event.dagster_event.asset_check_evaluation_data.passed
