"""Which documents are in flight, told from Dagster's runs alone."""

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import psutil
import pytest

from assets.in_flight import WORKER, Worker, in_flight
from assets.partitions import SOURCES
from indx_core.contracts.ingest import Grain, IndxConfig
from indx_core.kit.config import LoadedConfig

LOADED = LoadedConfig(IndxConfig(), Path())
SHARDS = LoadedConfig(IndxConfig(grain=Grain.SHARD, shards=4), Path())
LISTED = {"ops": {"documents": {"config": {"sources": ["c/a.txt", "c/b.txt"]}}}}
CORPUS = {"indx/corpora": "c"}


@pytest.fixture
def instance() -> Iterator[dg.DagsterInstance]:
    with dg.DagsterInstance.ephemeral() as found:
        yield found


def run(
    instance: dg.DagsterInstance,
    status: dg.DagsterRunStatus,
    config: dict[str, object] | None = None,
    **tags: str,
) -> str:
    stored = instance.run_storage.add_run(
        dg.DagsterRun("ingest", status=status, run_config=config or {}, tags={**CORPUS, **tags})
    )
    return stored.run_id


def ended_worker() -> str:
    process = subprocess.Popen([sys.executable, "-c", "pass"])
    worker = Worker.current()._replace(pid=process.pid)
    process.wait()
    return worker.tag()


@pytest.mark.parametrize("status", ["NOT_STARTED", "STARTING", "STARTED", "CANCELING"])
def test_documents_in_the_config_of_an_unfinished_run_are_in_flight(instance: dg.DagsterInstance, status: str) -> None:
    run(instance, dg.DagsterRunStatus[status], LISTED)
    found = in_flight(instance, LOADED)
    assert found.partitions == {"c/a.txt", "c/b.txt"}
    assert found.runs == {"c": 1}


@pytest.mark.parametrize("status", ["SUCCESS", "FAILURE", "CANCELED"])
def test_documents_of_a_finished_run_are_not(instance: dg.DagsterInstance, status: str) -> None:
    run(instance, dg.DagsterRunStatus[status], LISTED)
    assert in_flight(instance, LOADED).partitions == frozenset()


def test_partitions_that_tags_name_are_in_flight_ranges_too(instance: dg.DagsterInstance) -> None:
    instance.add_dynamic_partitions(SOURCES, ["a", "b", "c", "d"])
    run(instance, dg.DagsterRunStatus.NOT_STARTED, **{"dagster/partition": "a"})
    ends = {"dagster/asset_partition_range_start": "c", "dagster/asset_partition_range_end": "d"}
    run(instance, dg.DagsterRunStatus.STARTED, **ends, **{WORKER: Worker.current().tag()})
    assert in_flight(instance, LOADED).partitions == {"a", "c", "d"}


def test_of_two_runs_that_asked_at_once_the_later_one_sees_the_earlier_and_never_the_other_way(
    instance: dg.DagsterInstance,
) -> None:
    """Both looked, and nothing was in flight; then both were made. One of them has the documents, whichever looks first."""
    first, second = (run(instance, dg.DagsterRunStatus.STARTED, LISTED) for _ in range(2))
    assert in_flight(instance, LOADED, before=first).partitions == frozenset()
    assert in_flight(instance, LOADED, before=second).holders == {"c/a.txt": first, "c/b.txt": first}
    assert in_flight(instance, LOADED).holders == {"c/a.txt": first, "c/b.txt": first}


def test_a_run_that_is_executed_again_is_not_taken_for_the_one_before(instance: dg.DagsterInstance) -> None:
    """It has the tags of the run before, the worker's among them, until its own step begins."""
    again = dg.DagsterRun(
        "ingest", run_config=LISTED, tags={WORKER: ended_worker()}, parent_run_id="before", root_run_id="before"
    )
    instance.run_storage.add_run(again)
    assert in_flight(instance, LOADED).partitions == {"c/a.txt", "c/b.txt"}


def test_at_shard_grain_a_document_takes_its_bucket_into_flight(instance: dg.DagsterInstance) -> None:
    run(instance, dg.DagsterRunStatus.NOT_STARTED, LISTED)
    assert in_flight(instance, SHARDS).partitions <= {f"shard-{number:05d}" for number in range(4)}
    assert in_flight(instance, SHARDS).partitions


@pytest.mark.parametrize("status", ["NOT_STARTED", "STARTED", "CANCELING"])
def test_a_run_whose_process_is_gone_is_ended_and_its_documents_are_free_again(
    instance: dg.DagsterInstance, status: str
) -> None:
    """Killed with its machine, nobody else would ever end it, and its documents would be in flight for ever."""
    lost = run(instance, dg.DagsterRunStatus[status], LISTED, **{WORKER: ended_worker()})
    assert in_flight(instance, LOADED).partitions == frozenset()
    stored = instance.get_run_by_id(lost)
    assert stored is not None
    assert stored.status is dg.DagsterRunStatus.FAILURE


@pytest.mark.parametrize("worker", [Worker.current(), Worker.current()._replace(host="elsewhere", pid=1)])
def test_a_run_whose_process_lives_or_is_elsewhere_is_left_alone(instance: dg.DagsterInstance, worker: Worker) -> None:
    run(instance, dg.DagsterRunStatus.STARTED, LISTED, **{WORKER: worker.tag()})
    assert in_flight(instance, LOADED).partitions == {"c/a.txt", "c/b.txt"}


@pytest.mark.parametrize("status", ["STARTING", "STARTED"])
def test_a_run_that_was_launched_and_never_begins_is_lost_in_the_end(
    instance: dg.DagsterInstance, status: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A machine that loses its power while a run starts: no process has said yet that it works on it."""
    run(instance, dg.DagsterRunStatus[status], LISTED)
    assert in_flight(instance, LOADED).partitions
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 301)
    assert in_flight(instance, LOADED).partitions == frozenset()


def test_a_process_id_that_came_round_again_is_another_process() -> None:
    worker = Worker.current()
    assert worker._replace(started=worker.started + 5).is_gone()
    assert not Worker.current().is_gone()


@pytest.mark.skipif(not psutil.LINUX, reason="elsewhere the system keeps the time of day that a process started at")
def test_a_clock_that_is_set_loses_no_run(monkeypatch: pytest.MonkeyPatch) -> None:
    worker, boot_time = Worker.current(), psutil.boot_time()
    monkeypatch.setattr("psutil._pslinux.boot_time", lambda: boot_time + 3_600)
    assert psutil.Process().create_time() > boot_time + 3_600
    assert not worker.is_gone()
