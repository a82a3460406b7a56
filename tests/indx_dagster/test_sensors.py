"""Sensors over a real instance and lake: what a tick asks for, remembers and retires."""

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import dagster as dg
import pytest
from dagster_corner import DagsterCorner, dagster_corner
from object_servers import SERVERS

from assets.broken import KEY
from assets.ingest import STEP
from assets.keys import asset_key
from assets.partitions import SOURCES
from indx_core.app.ingest import sweep
from indx_core.app.ingest.retire import tombstones
from indx_core.contracts import tables as t
from indx_core.contracts.errors import SourceTemporarilyUnreadable, SourceUnreadable
from indx_core.contracts.ingest import CorpusConfig, Grain, SensorOptions, Stage
from indx_core.kit.settings import overriding
from indx_core.loaders.file.loader import FileLoader
from indx_dagster.sensors.cursor import Cursor, Phase
from indx_dagster.sensors.tick import Tick

OPTIONS = SensorOptions(runs_in_flight=3)


class Watched:
    """A corner with a sensor, whose runs happen when a test says so."""

    def __init__(self, corner: DagsterCorner, root: str = "documents") -> None:
        self.corner = corner
        self.root = root
        self.cursor: str | None = None
        self.events: list[object] = []
        self.set(OPTIONS)

    def set(self, options: SensorOptions, **config: object) -> None:
        corpora = {"corner": CorpusConfig(root=self.root, sensor=options)}
        changed = self.corner.loaded.config.model_copy(update={"corpora": corpora, **config})
        self.corner.loaded = replace(self.corner.loaded, config=changed)

    def tick(self) -> list[dg.RunRequest]:
        """One evaluation, as the daemon does it: events are logged, the cursor is kept."""
        found = Tick(self.corner.instance, self.corner.loaded, "corner").run(Cursor.decode(self.cursor))
        self.cursor = found.cursor
        self.events += found.asset_events
        for event in found.asset_events:
            self.corner.instance.report_runless_asset_event(event)
        self.said = str(found.skip_reason.skip_message if found.skip_reason else "")
        return list(found.run_requests or ())

    def run(self, requests: list[dg.RunRequest]) -> list[dg.ExecuteInProcessResult]:
        """Execute what was asked for, as the daemon would launch it."""
        job = self.corner.session._defs.resolve_job_def("ingest")
        return [
            job.execute_in_process(
                instance=self.corner.instance,
                asset_selection=list(request.asset_selection or ()),
                run_config=request.run_config,
                tags=dict(request.tags),
                raise_on_error=False,
            )
            for request in requests
        ]

    def queue(self, request: dg.RunRequest, status: dg.DagsterRunStatus = dg.DagsterRunStatus.NOT_STARTED) -> str:
        """A run of the request that the daemon has created and nobody has executed."""
        run = dg.DagsterRun("ingest", run_config=dict(request.run_config), tags=dict(request.tags), status=status)
        return self.corner.instance.run_storage.add_run(run).run_id

    def settle(self) -> None:
        """Ticks and runs until a tick asks for nothing."""
        while requests := self.tick():
            self.run(requests)

    def rows(self, table: str) -> list[str]:
        keys = self.corner.session.lake.dataset(table).to_table(columns=["key"]).column("key").to_pylist()
        return sorted(set(keys))


# Both grains where they differ: what is in flight, what is gone, and how rows of one document are removed.
@pytest.fixture(params=list(Grain), ids=str)
def watched(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Watched]:
    with dagster_corner(tmp_path, request.param) as corner:
        corner.write(a="first", b="another document", c="a third one")
        yield Watched(corner)


@pytest.fixture
def by_source(tmp_path: Path) -> Iterator[Watched]:
    with dagster_corner(tmp_path, Grain.SOURCE) as corner:
        corner.write(a="first", b="another document", c="a third one")
        yield Watched(corner)


def asked(requests: list[dg.RunRequest]) -> list[str]:
    return sorted(key for each in requests for key in each.run_config["ops"][STEP]["config"]["sources"])


ALL = ["corner/a.txt", "corner/b.txt", "corner/c.txt"]


def test_new_documents_are_asked_for_once_and_a_changed_one_again(watched: Watched) -> None:
    requests = watched.tick()
    assert asked(requests) == ALL
    assert all(request.run_key and request.tags["indx/corpora"] == "corner" for request in requests)
    assert all(result.success for result in watched.run(requests))
    assert watched.tick() == []
    watched.corner.write(b="changed words")
    changed = watched.tick()
    assert asked(changed) == ["corner/b.txt"]
    watched.run(changed)
    assert watched.tick() == []
    assert watched.tick() == []
    assert watched.said == "nothing is new, changed or gone"


def test_documents_in_flight_are_not_asked_for_again(watched: Watched) -> None:
    for request in watched.tick():
        watched.queue(request)
    assert watched.tick() == []
    assert "3 documents in flight" in watched.said


def test_a_tick_that_failed_before_its_runs_were_created_loses_nothing(by_source: Watched) -> None:
    """The daemon was killed: the cursor is what it was, and no run was created."""
    before = by_source.cursor
    lost = by_source.tick()
    by_source.cursor = before
    again = by_source.tick()
    assert asked(again) == asked(lost)
    assert [r.run_key for r in again] == [r.run_key for r in lost], "so that runs which were created are not doubled"


def test_a_run_that_broke_off_is_asked_for_again_later_under_another_run_key(by_source: Watched) -> None:
    first = by_source.tick()
    for request in first:
        run_id = by_source.queue(request)
        run = by_source.corner.instance.get_run_by_id(run_id)
        assert run is not None
        by_source.corner.instance.report_run_failed(run, "killed")
    assert by_source.tick() == [], "not at once: a fault of the deployment would fill the list of runs"
    assert "to be tried later" in by_source.said
    again = tick_later(by_source, 100)
    assert asked(again) == ALL
    assert {r.run_key for r in again}.isdisjoint({r.run_key for r in first})


def test_what_breaks_runs_off_again_and_again_is_asked_for_in_ever_smaller_runs(by_source: Watched) -> None:
    by_source.set(OPTIONS, batch_size=4)
    for expected in ([3], [3], [1, 1, 1]):
        requests = tick_later(by_source, 4_000)
        assert [len(asked([request])) for request in requests] == expected
        for request in requests:
            run = by_source.corner.instance.get_run_by_id(by_source.queue(request))
            assert run is not None
            by_source.corner.instance.report_run_failed(run, "killed")


def tick_later(watched: Watched, seconds: float) -> list[dg.RunRequest]:
    """A tick as it would be some time from now."""
    now = time.time()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(time, "time", lambda: now + seconds)
        return watched.tick()


def test_no_more_runs_are_asked_for_than_may_be_in_flight_and_the_rest_follows(by_source: Watched) -> None:
    by_source.set(SensorOptions(runs_in_flight=2), batch_size=1)
    first = by_source.tick()
    assert len(first) == 2
    assert by_source.said == ""
    by_source.run(first[:1])
    by_source.queue(first[1])
    second = by_source.tick()
    assert asked(first + second) == ALL
    by_source.run(second)


def test_the_cursor_is_small_and_holds_no_documents(by_source: Watched) -> None:
    by_source.settle()
    assert by_source.cursor is not None
    assert len(by_source.cursor.encode()) < 100
    assert "a.txt" not in by_source.cursor


@pytest.mark.parametrize("text", [None, "", "1700000000", "{}", '{"sweep": 3}', "[1]", '{"sweep":1,"phase":"no"}'])
def test_a_cursor_of_nothing_or_of_another_form_begins_anew(text: str | None) -> None:
    assert Cursor.decode(text) == Cursor()


def test_a_cursor_comes_back_as_it_was() -> None:
    cursor = Cursor(7, Phase.WALK, "corner/請求書.txt", 3)
    assert Cursor.decode(cursor.encode()) == cursor


# -- gone ----------------------------------------------------------------------------------------------------------


def test_a_deleted_document_gets_a_tombstone_and_an_event_and_leaves_every_table(watched: Watched) -> None:
    watched.settle()
    (watched.corner.root / "b.txt").unlink()
    assert watched.tick() == []
    lake = watched.corner.session.lake
    stone = tombstones(lake, "corner")["corner/b.txt"]
    assert (stone.path, stone.byte_count, stone.serving) == ("b.txt", len("another document"), False)
    assert [event.metadata["document"].value for event in watched.events] == ["corner/b.txt"]
    kept = ["corner/a.txt", "corner/c.txt"]
    for table in (t.SOURCES, t.PLANS, t.PAGES, t.TRACE, t.USAGE, t.CHUNKS, t.VECTORS):
        assert watched.rows(table.name) == kept, table.name
    if watched.corner.loaded.config.grain is Grain.SOURCE:
        assert sorted(watched.corner.instance.get_dynamic_partitions(SOURCES)) == kept
    assert watched.tick() == []
    assert len(watched.events) == 1


def test_a_document_that_comes_back_unchanged_is_read_again(by_source: Watched) -> None:
    """The event log still says that it is up to date; its rows are gone."""
    by_source.settle()
    path = by_source.corner.root / "b.txt"
    path.rename(by_source.corner.folder / "b.txt")
    by_source.tick()
    (by_source.corner.folder / "b.txt").rename(path)
    requests = by_source.tick()
    assert asked(requests) == ["corner/b.txt"]
    by_source.run(requests)
    assert by_source.tick() == []
    assert by_source.rows("pages") == ALL
    assert tombstones(by_source.corner.session.lake, "corner") == {}


def test_a_renamed_document_serves_under_its_old_name_until_it_is_read_under_the_new_one(by_source: Watched) -> None:
    by_source.settle()
    (by_source.corner.root / "b.txt").rename(by_source.corner.root / "new.txt")
    requests = by_source.tick()
    assert asked(requests) == ["corner/new.txt"]
    assert "corner/b.txt" in by_source.rows("pages"), "nothing else holds its text yet"
    assert tombstones(by_source.corner.session.lake, "corner")["corner/b.txt"].serving
    by_source.run(requests)
    by_source.tick()
    assert by_source.rows("pages") == ["corner/a.txt", "corner/c.txt", "corner/new.txt"]


def test_a_changed_document_serves_its_old_version_until_the_new_one_commits(by_source: Watched) -> None:
    by_source.settle()
    by_source.corner.write(b="changed words")
    requests = by_source.tick()
    texts = by_source.corner.session.lake.dataset("pages").to_table().column("text").to_pylist()
    assert "another document" in texts
    by_source.run(requests)
    texts = by_source.corner.session.lake.dataset("pages").to_table().column("text").to_pylist()
    assert "another document" not in texts
    assert "changed words" in texts


def test_a_listing_that_breaks_off_retires_nothing(by_source: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    by_source.settle()
    (by_source.corner.root / "b.txt").unlink()
    whole = FileLoader.list_after

    def broken(self: FileLoader, root: str, after: str) -> Iterator[object]:
        yield next(iter(whole(self, root, after)))
        raise SourceUnreadable("the listing broke off")

    monkeypatch.setattr(FileLoader, "list_after", broken)
    before = by_source.cursor
    with pytest.raises(SourceUnreadable):
        by_source.tick()
    assert by_source.cursor == before
    assert tombstones(by_source.corner.session.lake, "corner") == {}
    assert by_source.rows("pages") == ALL


def test_a_listing_that_misses_too_much_retires_nothing_and_says_so(by_source: Watched) -> None:
    """A share that is not mounted is an empty folder."""
    by_source.corner.write(**{f"d{number}": f"document {number}" for number in range(12)})
    by_source.settle()
    for path in by_source.corner.root.iterdir():
        path.unlink()
    assert by_source.tick() == []
    assert "nothing is retired" in by_source.said
    assert len(by_source.rows("pages")) == 15
    by_source.set(SensorOptions(retire_at_most=1.0))
    by_source.tick()
    assert by_source.rows("pages") == []


# -- failures ------------------------------------------------------------------------------------------------------


@pytest.fixture
def throttled(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Names of documents whose store is throttled."""
    names: set[str] = set()
    load = FileLoader.load

    def throttling(self: FileLoader, uri: str, max_bytes: int | None) -> object:
        if uri.rpartition("/")[2] in names:
            raise SourceTemporarilyUnreadable("slow down")
        return load(self, uri, max_bytes)

    monkeypatch.setattr(FileLoader, "load", throttling)
    return names


def refusal(watched: Watched, key: str) -> dict[str, object]:
    rows = watched.corner.session.lake.dataset("refusals").to_table().to_pylist()
    return next(row for row in rows if row["key"] == key)


def test_a_document_that_failed_for_a_passing_reason_is_tried_again_later_and_later(
    by_source: Watched, throttled: set[str]
) -> None:
    throttled.add("b.txt")
    by_source.run(by_source.tick())
    since = refusal(by_source, "corner/b.txt")["since_ms"]
    waits = []
    for attempt in (1, 2):
        row = refusal(by_source, "corner/b.txt")
        assert (row["attempts"], row["since_ms"]) == (attempt, since)
        waits.append(round(int(str(row["retry_at_ms"])) / 1000 - time.time()))
        assert by_source.tick() == [], "its time has not come"
        requests = tick_later(by_source, 86_400)
        assert asked(requests) == ["corner/b.txt"]
        by_source.run(requests)
    assert [round(wait / 60) for wait in waits] == [1, 2]
    throttled.clear()
    by_source.run(tick_later(by_source, 86_400))
    assert by_source.rows("refusals") == []
    assert by_source.rows("pages") == ALL


def test_a_passing_reason_that_does_not_pass_is_given_up_and_taken_up_with_another_version(
    by_source: Watched, throttled: set[str]
) -> None:
    throttled.add("b.txt")
    with overriding({"INDX_RETRY_ATTEMPTS": "1"}):
        by_source.run(by_source.tick())
    assert refusal(by_source, "corner/b.txt")["retry_at_ms"] is None
    assert tick_later(by_source, 864_000) == []
    assert "1 given up" in by_source.said
    by_source.corner.write(b="a newer version")
    assert asked(by_source.tick()) == ["corner/b.txt"]


def test_a_permanent_refusal_is_never_asked_for_again_until_the_source_changes(by_source: Watched) -> None:
    by_source.corner.write(b=b"\x00\x01\x02")
    by_source.run(by_source.tick())
    assert refusal(by_source, "corner/b.txt")["cause"] == "permanent"
    assert tick_later(by_source, 864_000) == []
    by_source.corner.write(b="words at last")
    assert asked(by_source.tick()) == ["corner/b.txt"]


def test_what_is_broken_is_a_check_over_all_corpora_that_every_run_and_a_retirement_bring_up_to_date(
    by_source: Watched,
) -> None:
    def recorded() -> tuple[bool, int]:
        found = by_source.corner.instance.event_log_storage.get_latest_asset_check_execution_by_key([KEY])[KEY]
        data = found.event.dagster_event.asset_check_evaluation_data
        return data.passed, data.metadata["documents"].value

    by_source.corner.write(b=b"\x00\x01\x02", c=b"\x00\x01\x03")
    by_source.settle()
    assert recorded() == (False, 2)
    by_source.corner.write(b="words at last")
    by_source.settle()
    assert recorded() == (False, 1)
    assert by_source.events == [], "what a run has said, the sensor does not say again"
    (by_source.corner.root / "c.txt").unlink()
    by_source.tick()
    assert recorded() == (True, 0)


# -- chunks --------------------------------------------------------------------------------------------------------


def test_a_listing_is_walked_in_slices_and_none_is_missed(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep, "SLICE", 2)
    watched.corner.write(**{f"d{number}": f"document {number}" for number in range(9)})
    watched.set(SensorOptions(runs_in_flight=50))
    with overriding({"INDX_SENSOR_TICK_SECONDS": "0.001"}):
        found: list[dg.RunRequest] = []
        for _ in range(12):
            found += watched.tick()
            for request in found[-1:]:
                watched.queue(request)
    assert set(asked(found)) == {*ALL, *(f"corner/d{number}.txt" for number in range(9))}


def test_a_folder_too_large_for_one_tick_is_listed_in_several_and_only_the_whole_calls_anything_gone(
    by_source: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep, "LOOK", 2)
    (by_source.corner.root / "deeper").mkdir()
    by_source.corner.write(**{f"deeper/d{number}": f"document {number}" for number in range(4)})
    by_source.settle()
    (by_source.corner.root / "b.txt").unlink()
    with overriding({"INDX_SENSOR_TICK_SECONDS": "0.000001"}):
        for _ in range(3):  # seven files, two a tick
            assert by_source.tick() == []
            assert "listing goes on after" in by_source.said
            assert tombstones(by_source.corner.session.lake, "corner") == {}
    by_source.settle()
    assert sorted(tombstones(by_source.corner.session.lake, "corner")) == ["corner/b.txt"]
    assert len(by_source.rows("pages")) == 6


def test_the_sensor_is_stopped_unless_the_corpus_says_otherwise(by_source: Watched) -> None:
    from indx_dagster.definitions import build_defs

    by_source.set(SensorOptions(running=True, every_seconds=7))
    (sensor,) = build_defs(loaded=by_source.corner.loaded).sensors or ()
    assert (sensor.name, sensor.minimum_interval_seconds) == ("watch_corner", 7)
    assert sensor.default_status is dg.DefaultSensorStatus.RUNNING
    by_source.set(SensorOptions())
    (sensor,) = build_defs(loaded=by_source.corner.loaded).sensors or ()
    assert sensor.default_status is dg.DefaultSensorStatus.STOPPED


def test_dagster_evaluates_the_sensor_with_the_resources_of_the_deployment(by_source: Watched) -> None:
    from indx_dagster.definitions import build_defs

    (sensor,) = build_defs(loaded=by_source.corner.loaded).sensors or ()
    defs = build_defs(loaded=by_source.corner.loaded)
    with dg.build_sensor_context(
        instance=by_source.corner.instance, definitions=defs, resources=defs.resources
    ) as context:
        data = sensor.evaluate_tick(context)
    (request,) = data.run_requests or ()
    assert asked([request]) == ALL
    assert json.loads(data.cursor or "")["sweep"] == 2


def test_a_retired_document_is_seen_in_dagster(by_source: Watched) -> None:
    by_source.settle()
    (by_source.corner.root / "b.txt").unlink()
    by_source.tick()
    wanted = dg.AssetRecordsFilter(asset_key(Stage.OBSERVATION), asset_partitions=["corner/b.txt"])
    (record,) = by_source.corner.instance.fetch_observations(wanted, limit=5).records
    assert record.asset_observation is not None
    assert record.asset_observation.metadata["indx/status"].value == "gone"


# -- object stores -------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.services
@pytest.mark.parametrize("scheme", SERVERS)
def test_a_bucket_is_watched_like_a_folder(scheme: str, tmp_path: Path) -> None:
    with (
        SERVERS[scheme]() as server,
        overriding(server.loader),
        dagster_corner(tmp_path, Grain.SOURCE, **server.loader) as corner,
    ):
        server.create("filings")
        server.put("filings", "2026/報告 書.txt", "2026/b.txt", "2026/c.txt", "2025/other.txt")
        watched = Watched(corner, root=f"{scheme}://filings/2026")
        requests = watched.tick()
        assert asked(requests) == ["corner/b.txt", "corner/c.txt", "corner/報告 書.txt"]
        assert all(result.success for result in watched.run(requests))
        server.write("filings", "2026/b.txt", b"changed words", "text/plain")
        server.remove("filings", "2026/c.txt")
        server.put("filings", "2026/d.txt")
        with overriding({"INDX_SENSOR_TICK_SECONDS": "0.001"}):  # a step of the sweep a tick
            found = [request for _ in range(2) for request in watched.tick()]
        assert asked(found) == ["corner/b.txt", "corner/d.txt"]
        assert sorted(tombstones(corner.session.lake, "corner")) == ["corner/c.txt"]
