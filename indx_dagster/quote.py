"""What stale documents would cost, before anything runs: every plan that is missing is made and thrown away.

Belongs here: where each document's plan comes from, and the sums. Does not: the arithmetic over one plan
(``app/ingest/estimate.py``), and what a budget does with it (``backfill.py``). Writes nothing.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from assets.stale import Stale
from indx_core.app.ingest.batch import rehearse
from indx_core.app.ingest.estimate import UNKNOWN, Estimate, estimate, needs_plan
from indx_core.app.ingest.listings import partition_name
from indx_core.app.ingest.task import DocumentOutcome, DocumentTask
from indx_core.app.installation import Installation
from indx_core.contracts import tables as t
from indx_core.contracts.errors import IndxError
from indx_core.contracts.ingest import Stage
from indx_core.contracts.plan import RoutePlan
from indx_core.kit.config import LoadedConfig
from indx_core.kit.lake import Lake
from indx_core.planning.economics import COST_DIGITS

PLANNED = (Stage.OBSERVATION, Stage.PLAN)
"""What a plan takes: bytes and local observers, no engine."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """A stale document with its price.

    Attributes:
        problem: Why it would be refused; its estimate is nothing then.
    """

    stale: Stale
    estimate: Estimate
    problem: IndxError | None = None


@dataclass(frozen=True)
class Quoter:
    """Prices documents under one configuration."""

    loaded: LoadedConfig
    installation: Installation
    lake: Lake

    def quote(
        self,
        stale: Sequence[Stale],
        on_quoted: Callable[[Quoted], None] = lambda _quoted: None,
        seconds: float | None = None,
    ) -> list[Quoted]:
        """Price documents, in their order.

        Args:
            stale: Documents with the stages that would run.
            on_quoted: Told of each, for a progress bar.
            seconds: Stop after this long; the documents after the last one priced are left out. ``None``: never.
        """
        found: list[Quoted] = []
        started = time.monotonic()
        rehearsed = [each for each in stale if self._is_planned_anew(each)]
        with closing(rehearse(self._task(each) for each in rehearsed)) as outcomes:
            for each in stale:
                found.append(self._quoted(each, outcomes))
                on_quoted(found[-1])
                if seconds is not None and time.monotonic() - started > seconds:
                    break
        return found

    def _is_planned_anew(self, each: Stale) -> bool:
        options = self.loaded.config.options(each.source.corpus)
        return Stage.PLAN in each.stages and needs_plan(each.stages, options, self.installation)

    def _quoted(self, each: Stale, outcomes: Iterator[DocumentOutcome]) -> Quoted:
        options = self.loaded.config.options(each.source.corpus)
        if self._is_planned_anew(each):
            outcome = next(outcomes)
            if outcome.failure is not None:
                return Quoted(each, Estimate(), outcome.failure.error)
            plan: RoutePlan | None = RoutePlan.model_validate_json(outcome.reports[Stage.PLAN].facts["plan"])
        else:
            plan = self._recorded(each) if needs_plan(each.stages, options, self.installation) else None
        return Quoted(each, estimate(plan, each.stages, options, self.installation))

    def _recorded(self, each: Stale) -> RoutePlan | None:
        key = each.source.key
        rows = self.lake.read_document(t.PLANS.name, partition_name(key, self.loaded.config), key)
        return RoutePlan.model_validate_json(rows["plan"][0].as_py()) if rows is not None and rows.num_rows else None

    def _task(self, each: Stale) -> DocumentTask:
        source = each.source
        return DocumentTask(
            key=source.key,
            corpus=source.corpus,
            path=source.path,
            uri=source.uri,
            version=source.source_version,
            partition=partition_name(source.key, self.loaded.config),
            stages=tuple(stage for stage in PLANNED if stage in each.stages),
            options=self.loaded.config.options(source.corpus),
        )


def affordable(stale: Sequence[Stale], bounds: dict[str, float], left_usd: float | None) -> list[Stale]:
    """Documents whose bounds together fit into what is left, in order; one that does not fit is passed over.

    Args:
        stale: Documents.
        bounds: The most each may cost, by source key.
        left_usd: Dollars; ``None`` for no limit.
    """
    if left_usd is None:
        return list(stale)
    found, total = [], 0.0
    for each in stale:
        comes_to = round(total + bounds[each.source.key], COST_DIGITS)
        if comes_to <= round(left_usd, COST_DIGITS):
            found.append(each)
            total = comes_to
    return found


def summary(quoted: Sequence[Quoted]) -> dict[str, Any]:
    """The sums, JSON-ready: documents, bytes, stages, reasons, dollars, engines, and what would be refused."""
    estimates = [each.estimate for each in quoted]
    return {
        "documents": len(quoted),
        "bytes": sum(each.stale.source.byte_count for each in quoted),
        "stages": dict(Counter(stage.value for each in quoted for stage in each.stale.stages)),
        "reasons": dict(Counter(reason for each in quoted for reason in each.stale.reasons).most_common()),
        "expected_usd": _dollars(each.expected_usd for each in estimates),
        "people_usd": _dollars(each.people_usd for each in estimates),
        "at_most_usd": _dollars(each.at_most_usd for each in estimates),
        "unknown_prices": sorted({name for each in estimates for name in each.unpriced}),
        "engines": _engines(estimates),
        "refused": [
            {"document": each.stale.source.key, "code": each.problem.code or each.problem.type}
            for each in quoted
            if each.problem is not None
        ],
    }


def _engines(estimates: Sequence[Estimate]) -> list[dict[str, Any]]:
    """Per engine the pages it is the first choice for and their price; ``None`` where the price is unknown."""
    rows: dict[str, dict[str, Any]] = {}
    for name, share in (item for each in estimates for item in each.engines.items()):
        row = rows.setdefault(
            name, {"engine": name, "vendor": share.vendor, "pages": 0, "expected_usd": 0.0, "price": share.price}
        )
        row["pages"] += share.pages
        known = share.price != UNKNOWN
        row["expected_usd"] = round(row["expected_usd"] + share.expected_usd, COST_DIGITS) if known else None
    return [rows[name] for name in sorted(rows)]


def _dollars(amounts: Iterator[float]) -> float:
    return round(sum(amounts), COST_DIGITS)
