"""Which stale documents are asked for now, and which wait: for their run, for their next attempt, or for an operator.

Three things hold a document back. It is in flight. It failed for a passing reason, and its next attempt is later or was
the last. The run it was in broke off, by a kill or by a fault of the deployment: then it waits a time that doubles, and
is asked for in ever smaller runs, so that a document which kills whole runs ends up alone in one. All of it is read off
the lake and Dagster's runs.
"""

import datetime as dt
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import dagster as dg

from assets.in_flight import CONCLUDED, CORPORA, InFlight, in_flight, partitions_of
from assets.stale import Stale, refusal_basis
from indx_core.app.ingest.listings import partition_name
from indx_core.app.ingest.recipe import recipes
from indx_core.app.ingest.settings import RetrySettings
from indx_core.app.installation import Installation
from indx_core.contracts import tables as t
from indx_core.contracts.errors import Cause
from indx_core.kit.config import LoadedConfig
from indx_core.kit.lake import Lake

LONGEST_SECONDS: Final = 3_600
"""Longest wait after a run that broke off: a deployment that was mended is not to wait for a night."""
REMEMBERED: Final = dt.timedelta(hours=6)
"""Runs that broke off longer ago count no more."""
LOOKED_AT: Final = 100
"""Runs looked at, newest first."""


@dataclass(frozen=True, slots=True)
class Broken:
    """Runs that broke off over a partition: how many, and when the last one ended, in seconds since 1970, UTC."""

    runs: int
    ended: float

    @property
    def until(self) -> float:
        """When it may be asked for again."""
        return self.ended + min(RetrySettings.load().retry_seconds << min(self.runs - 1, 16), LONGEST_SECONDS)


@dataclass(slots=True)
class Held:
    """Documents that were not asked for, by what holds them back."""

    in_flight: int = 0
    later: int = 0
    given_up: int = 0


@dataclass
class Patience:
    """What a tick knows of earlier attempts.

    Attributes:
        taken: Partitions in flight; those that this tick asks for are added.
        bases: What each corpus's documents would be refused under now.
    """

    loaded: LoadedConfig
    taken: set[str]
    bases: Mapping[str, str]
    now: float
    held: Held = field(default_factory=Held)
    _refused: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    _broken: Mapping[str, Broken] = field(default_factory=dict)

    @classmethod
    def current(
        cls, instance: dg.DagsterInstance, lake: Lake, loaded: LoadedConfig, installation: Installation, corpus: str
    ) -> tuple["Patience", InFlight]:
        """What is known of a corpus at this moment, and what is in flight."""
        flight = in_flight(instance, loaded)
        basis = refusal_basis(recipes(loaded.config.options(corpus), installation.snapshot))
        return cls.read(instance, lake, loaded, flight, corpus, basis, time.time()), flight

    @classmethod
    def read(
        cls,
        instance: dg.DagsterInstance,
        lake: Lake,
        loaded: LoadedConfig,
        flight: InFlight,
        corpus: str,
        basis: str,
        now: float,
    ) -> "Patience":
        """Take in what the lake and Dagster's runs say of a corpus."""
        broken = _broken_off(instance, loaded, corpus, now)
        return cls(loaded, set(flight.partitions), {corpus: basis}, now, Held(), _transient(lake), broken)

    def due(self, stale: Sequence[Stale]) -> list[tuple[int, list[Stale]]]:
        """Documents to ask for now, with the number of documents that a run of them may hold, largest first."""
        sizes: dict[int, list[Stale]] = {}
        for each in stale:
            partition = partition_name(each.source.key, self.loaded.config)
            if partition in self.taken:
                self.held.in_flight += 1
            elif self._is_due(each, partition):
                sizes.setdefault(self._run_size(partition), []).append(each)
        return sorted(sizes.items(), reverse=True)

    def waits(self, each: Stale) -> bool:
        """Whether something will still be done about a stale document by itself."""
        attempt = self._attempt(each)
        return attempt is None or attempt["retry_at_ms"] is not None

    def _is_due(self, each: Stale, partition: str) -> bool:
        attempt = self._attempt(each)
        if attempt is not None and attempt["retry_at_ms"] is None:
            self.held.given_up += 1
            return False
        broken = self._broken.get(partition)
        until = max(attempt["retry_at_ms"] / 1000 if attempt else 0.0, broken.until if broken else 0.0)
        self.held.later += until > self.now
        return until <= self.now

    def _attempt(self, each: Stale) -> Mapping[str, Any] | None:
        """The refusal for a passing reason that still holds: of this version, under this basis."""
        row = self._refused.get(each.source.key)
        here = (each.source.source_version, self.bases[each.source.corpus])
        return row if row is not None and (row["source_version"], row["basis"]) == here else None

    def _run_size(self, partition: str) -> int:
        runs = self._broken[partition].runs if partition in self._broken else 0
        return max(1, self.loaded.config.batch_size >> 2 * max(0, runs - 1))


def _transient(lake: Lake) -> dict[str, Mapping[str, Any]]:
    columns = ["key", "cause", "source_version", "basis", "retry_at_ms", "attempts"]
    rows = lake.select(t.REFUSALS.name, columns).to_pylist()
    # A row of before attempts were counted says nothing of when: it is due.
    return {row["key"]: row for row in rows if row["cause"] == Cause.TRANSIENT.value and row["attempts"] is not None}


def _broken_off(instance: dg.DagsterInstance, loaded: LoadedConfig, corpus: str, now: float) -> dict[str, Broken]:
    """Partitions that were in runs which ended without taking all of their documents to an end."""
    since = dt.datetime.fromtimestamp(now, dt.UTC) - REMEMBERED
    ended = [dg.DagsterRunStatus.FAILURE, dg.DagsterRunStatus.CANCELED]
    wanted = dg.RunsFilter(statuses=ended, tags={CORPORA: corpus}, updated_after=since)
    found: dict[str, Broken] = {}
    for record in instance.get_run_records(wanted, limit=LOOKED_AT):
        run = record.dagster_run
        if CONCLUDED in run.tags:
            continue
        end = record.end_time or record.update_timestamp.timestamp()
        for partition in partitions_of(run, instance, loaded):
            before = found.get(partition, Broken(0, 0.0))
            found[partition] = Broken(before.runs + 1, max(before.ended, end))
    return found
