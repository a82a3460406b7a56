"""One tick of a corpus's sensor: as much of a sweep as its time and the runs in flight allow.

Every step can be done twice: a tick that fails, or is killed, leaves the cursor where it was, and the next one finds
what is recorded, what is in flight, and what is left. Documents are asked for in batches; none that is in flight is.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import dagster as dg

from assets.batches import Batch, batches, without
from assets.broken import changed_evaluation
from assets.keys import asset_key
from assets.partitions import register
from assets.requests import run_config, run_tags
from assets.stale import Stale, stale_sources
from indx_core.app.ingest.corpus import named_corpus
from indx_core.app.ingest.listing import ListedSource
from indx_core.app.ingest.listings import partition_name, record_listing
from indx_core.app.ingest.retire import has_rows, tombstones
from indx_core.app.ingest.settings import SensorSettings
from indx_core.app.ingest.sweep import Part, drop_parts, list_on, slice_after
from indx_core.app.installation import Installation
from indx_core.contracts.base import content_id
from indx_core.contracts.ingest import Grain, Stage
from indx_core.kit.config import LoadedConfig
from indx_core.kit.lake import Lake
from indx_dagster.sensors.cursor import Cursor, Phase
from indx_dagster.sensors.gone import Retirement
from indx_dagster.sensors.patience import Patience

SWEEP = "indx/sweep"
"""Run tag: the sweep of the sensor that asked for the run."""

Event = dg.AssetObservation | dg.AssetCheckEvaluation

NOTHING = "nothing is new, changed or gone"
"""Said of an idle tick, which Dagster would call an empty result."""


@dataclass
class Tick:
    """The state of one evaluation.

    Attributes:
        said: What a person reads of a tick that asked for nothing.
        asked: Documents that were asked for: their partitions are added at once, which reads all there are.
        free: Runs that may still be asked for.
        until: Reading of ``time.monotonic()`` at which it stops.
    """

    instance: dg.DagsterInstance
    loaded: LoadedConfig
    corpus: str
    lake: Lake = field(default_factory=Lake.open)
    installation: Installation = field(default_factory=Installation.current)
    until: float = field(default_factory=lambda: time.monotonic() + SensorSettings.load().sensor_tick_seconds)
    requests: list[dg.RunRequest] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    free: int = 0

    def run(self, cursor: Cursor) -> dg.SensorResult:
        """Go on from where the last tick stopped.

        Raises:
            IndxError: The corpus cannot be listed, or the lake does not answer; the cursor stays where it was.
        """
        if cursor.phase is Phase.LIST:
            cursor = self._list(cursor)
        if cursor.phase is Phase.BURY:
            cursor = self._bury(cursor)
        if cursor.phase in {Phase.WALK, Phase.REMOVE}:
            cursor = self._work(cursor)
        if self.asked and self.loaded.config.grain is Grain.SOURCE:
            register(self.instance, self.asked)
        reason = "; ".join(self.said) or (None if self.events else NOTHING)
        return dg.SensorResult(
            run_requests=self.requests,
            cursor=cursor.encode(),
            asset_events=self.events,
            skip_reason=None if self.requests else reason,
        )

    def _list(self, cursor: Cursor) -> Cursor:
        corpus = named_corpus(self.corpus, self.loaded)
        done = Part(cursor.after, cursor.parts)
        part = list_on(corpus, self.installation.registry, self.lake, done, self.until)
        if part.sources is None:
            self.said.append(f"listing goes on after {part.after}")
            return replace(cursor, after=part.after, parts=part.parts)
        record_listing(self.lake, self.corpus, part.sources, self.loaded.config)
        drop_parts(self.lake, corpus, cursor.parts)
        return cursor.at(Phase.BURY)

    def _work(self, cursor: Cursor) -> Cursor:
        patience, flight = Patience.current(self.instance, self.lake, self.loaded, self.installation, self.corpus)
        self.free = self.loaded.config.sensor_of(self.corpus).runs_in_flight - flight.runs.get(self.corpus, 0)
        if cursor.phase is Phase.WALK:
            cursor = self._walk(cursor, patience)
        if cursor.phase is Phase.REMOVE:
            cursor = self._remove(cursor, patience)
        held = patience.held
        if held.in_flight or held.later or held.given_up:
            self.said.append(
                f"{held.in_flight} documents in flight, {held.later} to be tried later, {held.given_up} given up"
            )
        return cursor

    def _walk(self, cursor: Cursor, patience: Patience) -> Cursor:
        """Slice by slice, until the listing or the time or the runs in flight are exhausted.

        A slice of which something is left to ask for is looked at again: what was asked for is in flight then.
        """
        removed = {key for key, stone in tombstones(self.lake, self.corpus).items() if not stone.serving}
        while True:
            sources, last = slice_after(self.lake, self.corpus, self.loaded.config, cursor.after)
            if not sources:
                return cursor.at(Phase.REMOVE)
            if not self._ask(self._stale(sources, removed), patience, cursor.sweep):
                self.said.append(f"as many runs in flight as the corpus may have, after {cursor.after or 'the start'}")
                return cursor
            cursor = replace(cursor, after=last)
            if time.monotonic() > self.until:
                self.said.append(f"the walk goes on after {cursor.after}")
                return cursor

    def _stale(self, sources: Sequence[ListedSource], removed: set[str]) -> list[Stale]:
        """What a run would change; all of a document that is there again, whatever the event log says of it."""
        stale = stale_sources(sources, self.instance, self.lake, self.loaded, self.installation, some=True)
        back = [s for s in sources if s.key in removed and not has_rows(self.lake, s.key, self.loaded.config)]
        if not back:
            return stale
        keys = {source.key for source in back}
        return [each for each in stale if each.source.key not in keys] + [
            Stale(source, tuple(Stage), ("came back",)) for source in back
        ]

    def _ask(self, stale: Sequence[Stale], patience: Patience, sweep: int) -> bool:
        """Ask for runs over what is due; returns whether all of it could be asked for."""
        for size, documents in patience.due(stale):
            config = self.loaded.config.model_copy(update={"batch_size": size})
            for batch in batches(documents, replace(self.loaded, config=config)):
                free = without(batch, patience.taken, self.loaded)
                if not free.sources:
                    continue
                if self.free <= 0:
                    return False
                self.requests.append(self._request(free, sweep))
                self.free -= 1
                patience.taken |= {partition_name(source.key, self.loaded.config) for source in free.sources}
        return True

    def _request(self, batch: Batch, sweep: int) -> dg.RunRequest:
        self.asked += [source.key for source in batch.sources]
        named = content_id([batch.stages, [(s.key, s.source_version) for s in batch.sources]])
        return dg.RunRequest(
            # The sweep's number lets a document be asked for again when a run of it was lost; within one sweep the
            # same batch is the same request, which Dagster does not start twice.
            run_key=f"{self.corpus}:{sweep}:{named.removeprefix('sha256:')[:16]}",
            run_config=run_config(batch),
            tags=run_tags(batch, self.loaded, {SWEEP: str(sweep)}),
            asset_selection=[asset_key(stage) for stage in batch.stages],
        )

    def _bury(self, cursor: Cursor) -> Cursor:
        gone = self._retirement()
        done = gone.bury()
        self.events += gone.events
        if gone.refused:
            self.said.append(gone.refused)
        if not done:
            self.said.append("recording what is gone goes on")
        return cursor.at(Phase.WALK) if done else cursor

    def _remove(self, cursor: Cursor, patience: Patience) -> Cursor:
        if not self._retirement().remove(patience):
            self.said.append("removing what is gone goes on")
            return cursor
        evaluation = changed_evaluation(self.instance, self.lake)
        if evaluation is not None:
            self.events.append(evaluation)
        return cursor.next_sweep()

    def _retirement(self) -> Retirement:
        return Retirement(self.instance, self.lake, self.loaded, self.installation, self.corpus, self.until)
