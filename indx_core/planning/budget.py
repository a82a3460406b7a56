"""The two constraints that judge the whole document: ``maximum_cost_usd`` and ``deadline_ms``.

Belongs here: shortening ladders until the sum over the pages' first choices fits, and the sentence when it cannot.
What one rung costs is ``economics.py``'s, what it may be at all is ``constraints.py``'s.

The rules, in order: a fallback of which a single page would break the limit is left out. Then, while the first choices
together are over the limit, the dearest first choice that has a cheaper rung below it is taken away. With one limit
this finds a fit whenever there is one, since it ends at every page's cheapest rung; with both limits it is a walk and
not an exhaustive search. Manual review as a fallback always stays: it spends nothing in the run, it is how a page
nobody could read is accounted for. As a first choice it has its price like any other.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from indx_core.contracts.capability import CapabilityDescriptor, CapabilityKind
from indx_core.contracts.plan import Constraints
from indx_core.planning.constraints import Rungs
from indx_core.planning.economics import COST_DIGITS, Economics, Price
from indx_core.planning.scopes import listed


class Load(NamedTuple):
    """A ladder and how many pages stand on it."""

    pages: int
    rungs: Rungs


@dataclass(frozen=True, slots=True)
class Fit:
    """The ladders after the budgets.

    Attributes:
        rungs: One per load, in the order given; unchanged where no fit was found, so that the plan shows its price.
        excluded: Ids each budget took, by its name.
        lines: Why nothing fits; empty when it does.
    """

    rungs: tuple[Rungs, ...]
    excluded: Mapping[str, tuple[str, ...]]
    lines: tuple[str, ...] = ()


class _Budget(NamedTuple):
    """One limit: its name on the wire, and the figure of a price it adds up."""

    name: str
    limit: float
    figure: str
    superlative: str

    def shown(self, amount: float) -> str:
        """The amount with its unit, never rounded below what it is."""
        if self.name == "deadline_ms":
            return f"{amount:.0f} ms"
        return "$" + f"{amount:.{COST_DIGITS}f}".rstrip("0").rstrip(".")


def fit(loads: Sequence[Load], constraints: Constraints, economics: Economics) -> Fit:
    """Shorten ladders until the document's first choices fit the budgets.

    Args:
        loads: Ladders that hold at least one rung and one page each.
        constraints: Only ``maximum_cost_usd`` and ``deadline_ms`` are looked at.
        economics: Prices.
    """
    budgets = _budgets(constraints)
    prices = {rung.id: economics.of(rung) for load in loads for rung in load.rungs}
    unchanged = tuple(load.rungs for load in loads)
    impossible = [
        _impossible(budget, loads, prices) for budget in budgets if _least(budget, loads, prices) > budget.limit
    ]
    if impossible:
        return Fit(unchanged, {}, tuple(impossible))
    fitting = _Fitting(loads, prices)
    if not fitting.shrink(budgets):
        lines = tuple(
            f"{each.name}: no route of the document meets both budgets; raise one of them" for each in budgets
        )
        return Fit(unchanged, {}, lines)
    return Fit(tuple(fitting.rungs), {name: tuple(dict.fromkeys(ids)) for name, ids in fitting.excluded.items()})


class _Fitting:
    """One walk down the ladders. ``rungs`` and ``excluded`` are its result."""

    def __init__(self, loads: Sequence[Load], prices: Mapping[str, Price]) -> None:
        self.rungs = [load.rungs for load in loads]
        self.excluded: dict[str, list[str]] = {}
        self._pages = [load.pages for load in loads]
        self._prices = prices

    def shrink(self, budgets: Sequence[_Budget]) -> bool:
        """Shorten the ladders; false where it comes to no fit."""
        for budget in budgets:
            self._drop_dear_fallbacks(budget)
        while all(self.rungs):
            over = next((each for each in budgets if self._total(each) > each.limit), None)
            if over is None:
                return True
            at = self._dearest_with_a_cheaper_rung(over)
            if at is None:
                return False
            self._take(over, at, self.rungs[at][0])
        return False

    def _drop_dear_fallbacks(self, budget: _Budget) -> None:
        for at, rungs in enumerate(self.rungs):
            for rung in rungs:
                if rung.kind is not CapabilityKind.MANUAL and self._figure(budget, rung) > budget.limit:
                    self._take(budget, at, rung)

    def _dearest_with_a_cheaper_rung(self, budget: _Budget) -> int | None:
        candidates = [
            at
            for at, (first, *others) in enumerate(self.rungs)
            if any(self._figure(budget, each) < self._figure(budget, first) for each in others)
        ]
        return max(candidates, key=lambda at: self._figure(budget, self.rungs[at][0]), default=None)

    def _take(self, budget: _Budget, at: int, rung: CapabilityDescriptor) -> None:
        self.rungs[at] = tuple(each for each in self.rungs[at] if each is not rung)
        self.excluded.setdefault(budget.name, []).append(rung.id)

    def _figure(self, budget: _Budget, rung: CapabilityDescriptor) -> float:
        return _figure(budget, self._prices[rung.id])

    def _total(self, budget: _Budget) -> float:
        return _sum(
            pages * self._figure(budget, rungs[0]) for pages, rungs in zip(self._pages, self.rungs, strict=True)
        )


def _budgets(constraints: Constraints) -> list[_Budget]:
    asked = (
        ("maximum_cost_usd", constraints.maximum_cost_usd, "cost_usd_per_page", "cheapest"),
        ("deadline_ms", constraints.deadline_ms, "latency_ms_per_page", "fastest"),
    )
    return [_Budget(name, limit, figure, best) for name, limit, figure, best in asked if limit is not None]


def _figure(budget: _Budget, price: Price) -> float:
    return float(getattr(price, budget.figure))


def _best(budget: _Budget, load: Load, prices: Mapping[str, Price]) -> CapabilityDescriptor:
    return min(load.rungs, key=lambda rung: _figure(budget, prices[rung.id]))


def _least(budget: _Budget, loads: Sequence[Load], prices: Mapping[str, Price]) -> float:
    return _sum(load.pages * _figure(budget, prices[_best(budget, load, prices).id]) for load in loads)


def _impossible(budget: _Budget, loads: Sequence[Load], prices: Mapping[str, Price]) -> str:
    pages: Counter[str] = Counter()
    for load in loads:
        pages[_best(budget, load, prices).id] += load.pages
    readers = listed(f"{name} on {count} page{'s' if count > 1 else ''}" for name, count in pages.items())
    least = budget.shown(_least(budget, loads, prices))
    return (
        f"{budget.name}: the {budget.superlative} route of the document is expected to come to {least} ({readers}) and "
        f"the limit is {budget.shown(budget.limit)}; raise it to {least}, or admit a reader below that"
    )


def _sum(amounts: Iterable[float]) -> float:
    return round(sum(amounts), COST_DIGITS)
