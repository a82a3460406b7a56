"""Which documents some run has already been asked for: nobody asks for them again until it has ended.

Read off Dagster's runs: those that are not finished, the documents in their config, and the partitions in their tags.
A run whose process is gone is ended here, for its documents would be in flight for ever: Dagster's own run monitoring
asks the launcher, and neither the default one nor a run in the process of a command has an answer to give.
"""

import re
import socket
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import dagster as dg
import psutil
from dagster._core.storage.tags import (
    ASSET_PARTITION_RANGE_END_TAG,
    ASSET_PARTITION_RANGE_START_TAG,
    PARTITION_NAME_TAG,
)

from assets.partitions import SOURCES
from indx_core.app.ingest.listings import partition_name
from indx_core.app.ingest.settings import RetrySettings
from indx_core.contracts.ingest import Grain
from indx_core.kit.config import LoadedConfig
from indx_core.kit.keys import shard_name

WORKER = ".dagster/indx/worker"
"""Run tag: the process a run works in, set as its step begins; see ``Worker``. Dagster shows no tag of this prefix."""
CORPORA = "indx/corpora"
"""Run tag: names of the corpora whose documents a run is about, separated by commas."""
CONCLUDED = ".dagster/indx/concluded"
"""Run tag of a run that took every one of its documents to an end, refused ones too; one that broke off has none.

Bookkeeping too: what a person reads of the end is the tag ``indx/outcome``.
"""
UNFINISHED = [
    dg.DagsterRunStatus.QUEUED,
    dg.DagsterRunStatus.NOT_STARTED,
    dg.DagsterRunStatus.STARTING,
    dg.DagsterRunStatus.STARTED,
    dg.DagsterRunStatus.CANCELING,
]


@dataclass(frozen=True, slots=True)
class InFlight:
    """What unfinished runs are about.

    Attributes:
        partitions: Dagster partitions: documents at source grain, whole buckets at shard grain.
        runs: Unfinished runs, by the corpora in their tags.
        holders: By partition, the id of the first run that asked for it.
    """

    partitions: frozenset[str]
    runs: Mapping[str, int]
    holders: Mapping[str, str]


def in_flight(instance: dg.DagsterInstance, loaded: LoadedConfig, before: str | None = None) -> InFlight:
    """What is being worked on, or waits to be: one query over unfinished runs, however many there were before.

    Args:
        instance: Whose runs.
        loaded: ``indx.toml``.
        before: Only what was asked for before this run was, by its id: two that start at once see each other, and the
            later one gives way.
    """
    runs: Counter[str] = Counter()
    holders: dict[str, str] = {}
    records = instance.get_run_records(dg.RunsFilter(statuses=UNFINISHED), ascending=True)
    for record in records:
        run = record.dagster_run
        if run.run_id == before:
            break
        if is_lost(record):
            instance.report_run_failed(run, "the process of the run is gone; what it committed stands")
            # Its slots in pools would be taken until a daemon looks, and there need not be one.
            instance.event_log_storage.free_concurrency_slots_for_run(run.run_id)
        elif named := set(partitions_of(run, instance, loaded)):
            holders.update(dict.fromkeys(named - holders.keys(), run.run_id))
            runs.update(filter(None, run.tags.get(CORPORA, "").split(",")))
    return InFlight(frozenset(holders), runs, holders)


class Worker(NamedTuple):
    """The process a run works in: host, process id, and when it started, since ids come round again."""

    host: str
    pid: int
    started: int

    @classmethod
    def current(cls) -> "Worker":
        """This very process."""
        process = psutil.Process()
        return cls(_host(), process.pid, round(_started(process)))

    @classmethod
    def of(cls, run: dg.DagsterRun) -> "Worker | None":
        """What the run's tag says, if its step has begun."""
        parts = run.tags.get(WORKER, "").rsplit(".", 2)
        return cls(parts[0], int(parts[1]), int(parts[2])) if len(parts) == 3 else None

    def tag(self) -> str:
        """``<host>.<pid>.<started>``."""
        return f"{self.host}.{self.pid}.{self.started}"

    def is_gone(self) -> bool:
        """Whether it ran on this machine and does no more. Of a process elsewhere nothing is known."""
        if self.host != _host():
            return False
        try:
            process = psutil.Process(self.pid)
            return bool(process.status() == psutil.STATUS_ZOMBIE or abs(_started(process) - self.started) > 2)
        except psutil.NoSuchProcess:
            return True


def _started(process: psutil.Process) -> float:
    """When a process started, in seconds: on Linux after the machine did.

    There the time of day is worked out from that by the clock of now: one that is set, or wakes up, would move it, and
    every run at work would count as lost.
    """
    started: float = process.create_time() - (psutil.boot_time() if psutil.LINUX else 0.0)
    return started


def is_lost(record: dg.RunRecord) -> bool:
    """Whether nobody works on a run that was launched: its process is gone, or its step never began.

    The launcher of a deployment with workers on other machines answers for those itself. A run in the process of a
    command names it from the start; one that is executed again has the tag of the run before until its step begins.
    """
    run = record.dagster_run
    worker = Worker.of(run)
    fresh = run.status is dg.DagsterRunStatus.NOT_STARTED and run.parent_run_id is None and worker is not None
    begun = run.status in {dg.DagsterRunStatus.STARTED, dg.DagsterRunStatus.CANCELING} or fresh
    if begun and worker is not None:
        return worker.is_gone()
    if not begun and run.status is not dg.DagsterRunStatus.STARTING:
        return False
    since = record.start_time or record.update_timestamp.timestamp()
    return time.time() - since > RetrySettings.load().run_start_seconds


def _host() -> str:
    """The machine's name, as much of it as a tag holds beside two numbers."""
    return re.sub(r"[^A-Za-z0-9_-]", "-", socket.gethostname())[:40]


def partitions_of(run: dg.DagsterRun, instance: dg.DagsterInstance, loaded: LoadedConfig) -> Iterator[str]:
    """Partitions of one run: of the sources in its config, else those that its tags name."""
    sources = _sources(run.run_config)
    if sources:
        yield from {partition_name(key, loaded.config) for key in sources}
    elif ASSET_PARTITION_RANGE_START_TAG in run.tags:
        first, last = run.tags[ASSET_PARTITION_RANGE_START_TAG], run.tags[ASSET_PARTITION_RANGE_END_TAG]
        yield from _range(first, last, instance, loaded)
    elif PARTITION_NAME_TAG in run.tags:
        yield run.tags[PARTITION_NAME_TAG]


def _sources(config: Mapping[str, Any]) -> list[str]:
    """The documents in a run's config, whatever its step is called."""
    ops: Mapping[str, Any] = config.get("ops") or {}
    return [key for op in ops.values() for key in ((op or {}).get("config") or {}).get("sources", ())]


def _range(first: str, last: str, instance: dg.DagsterInstance, loaded: LoadedConfig) -> Sequence[str]:
    """Partitions from the first to the last, in the order of their set."""
    known: Sequence[str] = (
        list(instance.get_dynamic_partitions(SOURCES))
        if loaded.config.grain is Grain.SOURCE
        else [shard_name(index) for index in range(loaded.config.shards)]
    )
    if first not in known or last not in known:
        return [first, last]
    return known[known.index(first) : known.index(last) + 1]
