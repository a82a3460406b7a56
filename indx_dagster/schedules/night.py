"""What one night asks for: every stale document that no run is about already, as far as the night's budget goes.

With a budget, documents are priced before they are asked for, and only those whose worst cases together fit are; so no
run has to know what another one spends. What is left out stays stale, and is named in the log of the tick.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import dagster as dg

from assets.batches import Batch, batches, without
from assets.in_flight import in_flight
from assets.keys import asset_key
from assets.partitions import register
from assets.requests import ESTIMATE, run_config, run_tags
from assets.stale import Stale, stale_sources
from indx_core.app.ingest.corpus import named_corpus
from indx_core.app.ingest.listing import list_corpus
from indx_core.app.ingest.listings import partition_name, record_listing
from indx_core.app.installation import Installation
from indx_core.contracts.base import content_id
from indx_core.contracts.ingest import Grain
from indx_core.kit.config import LoadedConfig
from indx_core.kit.lake import Lake
from indx_dagster.quote import Quoted, Quoter, affordable

NIGHT = "indx/night"
"""Run tag: the scheduled time that asked for the run."""
QUOTE_SECONDS = 30.0
"""For pricing, with a budget: Dagster gives an evaluation 60 s. What is not priced by then waits for another night."""
NAMED = 20
"""Documents named in a line of the log; the rest is counted, and `indx backfill --dry-run` names it."""


@dataclass
class Night:
    """One evaluation of a corpus's schedule.

    Attributes:
        said: What the tick's log says.
    """

    instance: dg.DagsterInstance
    loaded: LoadedConfig
    corpus: str
    lake: Lake = field(default_factory=Lake.open)
    installation: Installation = field(default_factory=Installation.current)
    said: list[str] = field(default_factory=list)

    def requests(self, night: str) -> list[dg.RunRequest]:
        """Runs to ask for.

        Args:
            night: The scheduled time; evaluating the same night twice asks for the same runs.

        Raises:
            IndxError: The corpus cannot be listed, or the lake does not answer.
        """
        corpus = named_corpus(self.corpus, self.loaded)
        sources = list_corpus(corpus, self.installation.registry)
        record_listing(self.lake, self.corpus, sources, self.loaded.config)
        stale = stale_sources(sources, self.instance, self.lake, self.loaded, self.installation)
        taken = set(in_flight(self.instance, self.loaded).partitions)
        due = [each for each in stale if partition_name(each.source.key, self.loaded.config) not in taken]
        if len(due) < len(stale):
            self.said.append(f"{len(stale) - len(due)} documents are in flight already")
        expected: dict[str, float] = {}
        if (budget := self.loaded.config.schedule_of(self.corpus).budget_usd) is not None:
            due, expected = self._within(due, budget)
        found = []
        for batch in batches(due, self.loaded):
            free = without(batch, taken, self.loaded)
            if free.sources:
                found.append(self._request(free, night, expected))
                taken |= {partition_name(source.key, self.loaded.config) for source in free.sources}
        return found

    def _within(self, stale: Sequence[Stale], budget_usd: float) -> tuple[list[Stale], dict[str, float]]:
        """Documents that the budget pays for whatever happens, and what each is expected to cost."""
        quoted = Quoter(self.loaded, self.installation, self.lake).quote(stale, seconds=QUOTE_SECONDS)
        priced = [each for each in quoted if not each.estimate.unpriced]
        bounds = {each.stale.source.key: each.estimate.at_most_usd for each in priced}
        found = affordable([each.stale for each in priced], bounds, budget_usd)
        self._name_left(stale, quoted, {each.source.key for each in found}, budget_usd)
        return found, {each.stale.source.key: each.estimate.expected_usd for each in priced}

    def _name_left(self, stale: Sequence[Stale], quoted: Sequence[Quoted], found: set[str], budget_usd: float) -> None:
        unpriced = sorted({name for each in quoted for name in each.estimate.unpriced})
        if unpriced:
            self.said.append(f"nobody states a price for {', '.join(unpriced)}: the documents that need it are left")
        if len(quoted) < len(stale):
            self.said.append(f"{len(stale) - len(quoted)} documents could not be priced in {QUOTE_SECONDS:g} s")
        if left := [each.source.key for each in stale if each.source.key not in found]:
            more = f" and {len(left) - NAMED} more" if len(left) > NAMED else ""
            self.said.append(f"the budget of ${budget_usd:g} leaves as they are: {', '.join(left[:NAMED])}{more}")

    def _request(self, batch: Batch, night: str, expected: dict[str, float]) -> dg.RunRequest:
        keys = [source.key for source in batch.sources]
        if self.loaded.config.grain is Grain.SOURCE:
            register(self.instance, keys)
        tags = {NIGHT: night}
        if expected:
            tags[ESTIMATE] = f"{sum(expected[key] for key in keys):g}"
        named = content_id([batch.stages, [(s.key, s.source_version) for s in batch.sources]])
        return dg.RunRequest(
            run_key=f"{self.corpus}:{night}:{named.removeprefix('sha256:')[:16]}",
            run_config=run_config(batch),
            tags=run_tags(batch, self.loaded, tags),
            asset_selection=[asset_key(stage) for stage in batch.stages],
        )
