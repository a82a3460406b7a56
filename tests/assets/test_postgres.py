"""Real runs whose event log is a real Postgres: batched events, statuses per document, staleness, replay.

SQLite stores events one by one, so only here is the batched path of ``assets/events.py`` a batch.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import chain, repeat
from pathlib import Path

import dagster as dg
import pytest
from dagster_corner import DagsterCorner
from postgres_server import PostgresServer, postgres_server, programs

from assets.keys import asset_key
from assets.pools import give_default_limits
from indx_core.contracts.ingest import Grain, IngestOptions, Stage
from indx_core.kit.settings import overriding
from indx_dagster.home import ENVIRONMENT
from indx_dagster.jobs import REPLAYED

pytestmark = [pytest.mark.slow, pytest.mark.services]


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    """A server of this machine's own; skips where none is installed, and fails instead where CI says that one is."""
    where = programs()
    if where is None:
        message = "no Postgres server is installed here (Debian and Ubuntu: apt install postgresql)"
        if os.environ.get("INDX_REQUIRE_CORPUS"):
            pytest.fail(message)
        pytest.skip(message)
    with postgres_server(where) as running:
        yield running


@pytest.fixture(scope="module")
def instance(server: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dg.DagsterInstance]:
    """One instance for the module: creating its tables takes seconds."""
    overrides = {
        "telemetry": {"enabled": False},
        "storage": {"postgres": {"postgres_url": server.database("indx")}},
    }
    with dg.DagsterInstance.local_temp(str(tmp_path_factory.mktemp("home")), overrides=overrides) as found:
        yield found


@contextmanager
def clean_corner(instance: dg.DagsterInstance, folder: Path, grain: Grain) -> Iterator[DagsterCorner]:
    """An empty event log and lake, and three documents, under the environment that our launch commands set."""
    with pytest.MonkeyPatch.context() as patch, overriding({"INDX_LAKE": str(folder / "lake"), "INDX_WORKERS": "0"}):
        for name, value in ENVIRONMENT.items():
            patch.setenv(name, value)
        assert type(instance.event_log_storage).__module__.startswith("dagster_postgres")
        assert instance._is_batch_writing_enabled()
        instance.wipe_assets([asset_key(stage) for stage in Stage])
        found = DagsterCorner(folder, grain, IngestOptions(languages=False), instance)
        found.write(a="first page\fsecond page", b="another document", c="a third one")
        yield found


@pytest.fixture
def corner(instance: dg.DagsterInstance, tmp_path: Path) -> Iterator[DagsterCorner]:
    with clean_corner(instance, tmp_path, Grain.SOURCE) as found:
        yield found


@pytest.mark.parametrize("grain", Grain, ids=str)
def test_a_first_ingest_materializes_everything_and_a_second_finds_it_up_to_date(
    instance: dg.DagsterInstance, tmp_path: Path, grain: Grain
) -> None:
    with clean_corner(instance, tmp_path, grain) as corner:
        assert [result.success for result in corner.ingest()] == [True]
        for stage in Stage:
            assert corner.status(stage, "a", "b", "c") == ["MATERIALIZED"] * 3
        assert corner.stale() == {}
        assert corner.ingest() == []


def test_one_failing_document_fails_alone(corner: DagsterCorner) -> None:
    corner.write(b=b"\x00\x01\x02")
    (result,) = corner.ingest()
    assert not result.success
    for stage in Stage:
        assert corner.status(stage, "a", "b", "c") == ["MATERIALIZED", "FAILED", "MATERIALIZED"]
    assert corner.stale() == {}
    corner.write(b="mended")
    corner.ingest()
    assert corner.processed() == {"b": 1}
    assert corner.status(Stage.ANNOTATIONS, "b") == ["MATERIALIZED"]


def test_every_event_of_a_batch_is_stored_under_its_own_partition_and_points_at_what_it_was_made_from(
    corner: DagsterCorner,
) -> None:
    """A batch insert returns ids in the order of its rows; were it not so, versions would be swapped between documents."""
    corner.ingest()
    for name in "abc":
        observed = corner.materialization(Stage.OBSERVATION, name)
        planned = corner.materialization(Stage.PLAN, name)
        assert observed.metadata["uri"].value == (corner.root / f"{name}.txt").as_uri()
        version = observed.tags["dagster/data_version"]
        assert planned.tags["dagster/input_data_version/observation"] == version
        pointer = int(planned.tags["dagster/input_event_pointer/observation"])
        wanted = dg.AssetRecordsFilter(asset_key(Stage.OBSERVATION), storage_ids=[pointer])
        (pointed,) = corner.instance.fetch_materializations(wanted, limit=1).records
        assert pointed.partition_key == corner.key(name)


def test_a_replay_out_of_postgres_writes_byte_identical_tables(corner: DagsterCorner) -> None:
    corner.ingest()
    before = corner.objects()
    result = corner.run("a", "b", "c", stages=REPLAYED, job="replay")
    assert result.success
    assert before
    assert corner.objects() == before


def test_a_run_takes_a_slot_of_its_pools_and_gives_it_back(
    corner: DagsterCorner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assets.run.pools_of", lambda *_asked: ["vendor/acme"])
    storage = corner.instance.event_log_storage
    storage.set_concurrency_slots("vendor/acme", 1)
    held: list[int] = []
    corner.session.on_outcome = lambda _outcome: held.append(
        storage.get_concurrency_info("vendor/acme").active_slot_count
    )
    (result,) = corner.ingest()
    after = storage.get_concurrency_info("vendor/acme")
    assert (result.success, held) == (True, [1, 1, 1])
    assert (after.active_slot_count, after.pending_step_count) == (0, 0)


@pytest.fixture
def limited(server: PostgresServer, tmp_path: Path) -> Iterator[Callable[[int], dg.DagsterInstance]]:
    """Instances on one database of their own that differ in the default limit of pools."""
    address = server.database(f"pools_{tmp_path.name}".replace("-", "_")[:60])
    with ExitStack() as stack:

        def opened(limit: int) -> dg.DagsterInstance:
            overrides = {
                "telemetry": {"enabled": False},
                "storage": {"postgres": {"postgres_url": address}},
                "concurrency": {"pools": {"default_limit": limit, "granularity": "op"}},
            }
            home = tmp_path / f"home-{limit}"
            home.mkdir()
            return stack.enter_context(dg.DagsterInstance.local_temp(str(home), overrides=overrides))

        yield opened


def pool_limits(instance: dg.DagsterInstance) -> dict[str, int]:
    return {limit.name: limit.limit for limit in instance.event_log_storage.get_pool_limits()}


def test_a_pool_that_another_run_made_a_moment_ago_is_taken_as_it_is(
    limited: Callable[[int], dg.DagsterInstance], monkeypatch: pytest.MonkeyPatch
) -> None:
    instance = limited(8)
    storage = instance.event_log_storage
    before = storage.get_pool_limits()
    give_default_limits(instance, ["engine/a"])
    looks = chain([lambda: before], repeat(storage.get_pool_limits))

    def look() -> object:
        return next(looks)()

    monkeypatch.setattr(storage, "get_pool_limits", look)
    give_default_limits(instance, ["engine/a", "engine/b"])
    assert pool_limits(instance) == {"engine/a": 8, "engine/b": 8}


def test_a_changed_default_limit_holds_for_pools_without_one_of_their_own(
    limited: Callable[[int], dg.DagsterInstance],
) -> None:
    before = limited(8)
    before.event_log_storage.set_concurrency_slots("vendor/own", 1)
    give_default_limits(before, ["engine/a", "vendor/own"])
    after = limited(3)
    give_default_limits(after, ["engine/a", "vendor/own"])
    assert pool_limits(after) == {"engine/a": 3, "vendor/own": 1}
    assert after.event_log_storage.get_concurrency_info("engine/a").slot_count == 3
