"""A backfill: which stale documents are meant, and running them in batches without ever passing a budget.

Belongs here: the selection and the accounting. Does not: what is stale (``assets/stale.py``), what it would cost
(``quote.py``), how a batch runs (``launch.py``), and arguments and printing (``backfill_command.py``).
"""

import uuid
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from assets.batches import Batch, batches
from assets.requests import ESTIMATE
from assets.stale import Stale
from indx_core.app.ingest.charged import charged
from indx_core.app.ingest.listing import ListedSource
from indx_core.app.ingest.listings import partition_name
from indx_core.app.ingest.recipe import upstream
from indx_core.app.ingest.task import DocumentOutcome
from indx_core.contracts import tables as t
from indx_core.contracts.errors import RequestInvalid
from indx_core.contracts.ingest import Stage
from indx_core.kit.config import LoadedConfig
from indx_core.kit.lake import Lake
from indx_core.planning.economics import COST_DIGITS
from indx_dagster.launch import Session
from indx_dagster.quote import Quoted, affordable

REASONS = ("missing", "source", "settings", "engines", "answered", "lake")
"""What a reason may be selected by: the word its sentence in ``assets/stale.py`` holds."""
FORCED = ("forced",)
"""Reasons of a document that somebody wants run whether it is stale or not."""
BACKFILL = "indx/backfill"
"""Run tag: the backfill a run belongs to."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Which of the stale documents, and how far.

    Attributes:
        stages: Run these and what they need; documents in which none of them is behind are left out. Empty: all.
        reasons: Words of ``REASONS``; empty: any.
        first: First partition, inclusive, in the order of their names.
        last: Last partition, inclusive.
        failed: Only documents whose last attempt failed or was refused, permanent refusals included.
        force: Documents that are up to date, too, through every stage.
    """

    stages: frozenset[Stage] = frozenset()
    reasons: frozenset[str] = frozenset()
    first: str | None = None
    last: str | None = None
    failed: bool = False
    force: bool = False

    def of(
        self, sources: Sequence[ListedSource], stale: Sequence[Stale], lake: Lake, loaded: LoadedConfig
    ) -> list[Stale]:
        """The documents meant, in the order of the listing, each with the stages that are to run."""
        behind = {each.source.key: each for each in stale}
        refused = refused_keys(lake) if self.failed else {}
        found = []
        for source in sources:
            each = behind.get(source.key)
            if self.force:
                each = Stale(source, tuple(Stage), FORCED)
            elif self.failed and source.key in refused:
                each = Stale(source, each.stages if each else tuple(Stage), (f"failed: {refused[source.key]}",))
            elif self.failed:
                continue
            if each is not None and self._covers(each, partition_name(source.key, loaded.config)):
                found.append(self._cut(each))
        return [each for each in found if each.stages]

    def _covers(self, each: Stale, partition: str) -> bool:
        named = not self.reasons or any(word in reason for word in self.reasons for reason in each.reasons)
        return named and (self.first or "") <= partition and (self.last is None or partition <= self.last)

    def _cut(self, each: Stale) -> Stale:
        """The stages asked for, with those above them that are behind too."""
        if not self.stages:
            return each
        wanted = {stage for asked in self.stages if asked in each.stages for stage in _lineage(asked)}
        return Stale(each.source, tuple(stage for stage in each.stages if stage in wanted), each.reasons)


@dataclass(frozen=True, slots=True)
class Left:
    """A document that the budget left out: still stale, and what it might have cost."""

    key: str
    at_most_usd: float


@dataclass
class Backfill:
    """Quoted documents on their way through runs.

    Before a batch starts, everything that it may cost at the prices in force has to fit into what is left; afterwards
    only what was charged is taken off. A document whose charge nobody knows counts with the most it may have cost.

    Attributes:
        budget_usd: Dollars; ``None`` for no limit.
    """

    session: Session
    quoted: Sequence[Quoted]
    budget_usd: float | None = None
    id: str = field(default_factory=lambda: uuid.uuid4().hex[:8])
    runs: list[str] = field(default_factory=list)
    spent_usd: float = 0.0
    _concluded: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        unpriced = sorted({name for each in self.quoted for name in each.estimate.unpriced})
        if self.budget_usd is not None and unpriced:
            raise RequestInvalid(
                f"a budget cannot be held: nobody states a price for {', '.join(unpriced)}",
                param="budget_usd",
                remedy="name cost_usd_per_page for it in the file of INDX_ROUTING_ECONOMICS, or run without a budget",
            )
        self._bounds = {each.stale.source.key: each.estimate.at_most_usd for each in self.quoted}

    def run(
        self,
        on_outcome: Callable[[DocumentOutcome], None] = lambda _outcome: None,
        wait: Callable[[Sequence[Stale]], None] = lambda _held: None,
    ) -> list[Left]:
        """Run batch by batch; returns what the budget left out, in order.

        Documents that another run has are left to it and waited for when everything else has run; what is stale of them
        then is run here, at the price that it was quoted at.

        Args:
            on_outcome: Told of every document.
            wait: Waits until no other run has these documents.

        Raises:
            KeyboardInterrupt: Ctrl-C; what was committed until then stands.
            IndxError: A run failed for another reason than its documents.
        """

        def count(outcome: DocumentOutcome) -> None:
            self.spent_usd = round(self.spent_usd + self._charge(outcome), COST_DIGITS)
            self._concluded.add(outcome.task.key)
            on_outcome(outcome)

        self.session.on_outcome = count
        pending = [each.stale for each in self.quoted]
        held: dict[str, Stale] = {}
        while True:
            taken = self.session.holders([each.source for each in pending])
            held |= {each.source.key: each for each in pending if each.source.key in taken}
            pending = [each for each in pending if each.source.key not in held]
            if batch := self._next(pending):
                asked = {source.key for source in batch.sources}
                self._run(batch, asked)
                # Another run may have taken some of them since: those have no outcome here.
                held |= {e.source.key: e for e in pending if e.source.key in asked - self._concluded}
                pending = [each for each in pending if each.source.key not in asked]
            elif held:
                wait(list(held.values()))
                pending, held = self._in_order([*pending, *self._still_asked(held.values())]), {}
            else:
                return [Left(each.source.key, self._bounds[each.source.key]) for each in pending]

    def _run(self, batch: Batch, keys: Collection[str]) -> None:
        meant = [each for each in self.quoted if each.stale.source.key in keys]
        tags = {BACKFILL: self.id, ESTIMATE: f"{sum(each.estimate.expected_usd for each in meant):g}"}
        engines = {name for each in meant for name in each.estimate.engines}
        self.runs.append(self.session.run(batch, tags, sorted(engines)).run_id)

    def _still_asked(self, held: Collection[Stale]) -> list[Stale]:
        """What is left to do of documents that other runs had: of forced ones everything, of others what is stale."""
        behind = {each.source.key: set(each.stages) for each in self.session.stale([each.source for each in held])}
        found = []
        for each in held:
            forced = each.reasons == FORCED
            stages = each.stages if forced else tuple(s for s in each.stages if s in behind.get(each.source.key, ()))
            if stages:
                found.append(replace(each, stages=stages))
        return found

    def _in_order(self, stale: Sequence[Stale]) -> list[Stale]:
        order = {each.stale.source.key: at for at, each in enumerate(self.quoted)}
        return sorted(stale, key=lambda each: order[each.source.key])

    def _next(self, pending: Sequence[Stale]) -> Batch | None:
        """The next batch: documents in their order, as far as the worst that they may cost together still fits."""
        return next(batches(list(affordable(pending, self._bounds, self.left_usd)), self.session.loaded), None)

    @property
    def left_usd(self) -> float | None:
        """Dollars of the budget that are not spent yet."""
        return None if self.budget_usd is None else self.budget_usd - self.spent_usd

    def _charge(self, outcome: DocumentOutcome) -> float:
        usd, known = charged(outcome)
        return usd if known else max(usd, self._bounds.get(outcome.task.key, 0.0))


def refused_keys(lake: Lake) -> dict[str, str]:
    """Documents whose last attempt failed or was refused, with the code."""
    rows: list[dict[str, Any]] = lake.select(t.REFUSALS.name, ["key", "code", "type"]).to_pylist()
    return {row["key"]: row["code"] or row["type"] for row in rows}


def _lineage(stage: Stage) -> set[Stage]:
    """A stage and everything above it."""
    return {stage}.union(*(_lineage(above) for above in upstream(stage)))
