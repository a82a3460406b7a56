"""What a document may still cost and take while it is read: the plan's limits, held page by page.

The plan fits limits by estimates of first choices; refused attempts, fallbacks and vendors' real prices come on top of
them. Belongs here: whether one more attempt fits what is left. Does not: prices themselves (the operator's, handed in
by the caller), shortening routes before anything runs (``planning/budget``), and a request's own deadline, which stops
the work instead of descending (``kit/deadline``).

``Account`` is for readers, who are asked page by page; ``Purse`` is what they left for the embedders and annotators who
are asked after them.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from indx_core.contracts.capability import Device
from indx_core.contracts.plan import Constraints

_DIGITS = 6
"""Dollars are compared to a millionth, as in the plan: 3 x 0.1 is 0.3, never a hair above."""


@dataclass(frozen=True, slots=True)
class Budget:
    """A document's limits and the prices they are held with. Without limits nothing is ever skipped.

    Attributes:
        maximum_cost_usd: Dollars all attempts together may cost, refused ones included.
        deadline_ms: Milliseconds, from the start of reading, after which no further page is attempted.
        prices: Expected dollars per page by the id of a reader, embedder or annotator. A reader that is absent is taken
            to be free, and any other to charge what it charged before.
        clock: Seconds of a monotonic clock.
    """

    maximum_cost_usd: float | None = None
    deadline_ms: int | None = None
    prices: Mapping[str, float] = field(default_factory=dict)
    clock: Callable[[], float] = time.monotonic

    @classmethod
    def of(cls, constraints: Constraints, prices: Mapping[str, float]) -> "Budget":
        """The limits of a plan's constraints."""
        return cls(constraints.maximum_cost_usd, constraints.deadline_ms, prices)


class Account:
    """What one document has spent so far; opened when reading starts."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._started = budget.clock()
        self._spent_usd = 0.0

    def charge(self, capability_id: str, cost_usd: float | None) -> None:
        """Count an answer that came back, kept or not.

        Args:
            capability_id: Who answered.
            cost_usd: What a vendor charged; an unknown price counts as the expected one.
        """
        self._spent_usd += self._price(capability_id) if cost_usd is None else cost_usd

    def refusal(self, capability_id: str, ahead: int = 0) -> str | None:
        """Why a capability may not attempt one more page, or ``None`` when it may.

        Args:
            capability_id: Who would read it.
            ahead: Pages already given to it that have not come back: they are expected to cost their price, too.
        """
        if self.overdue:
            return f"deadline_ms: the document's {self._budget.deadline_ms} ms passed before this attempt"
        limit, price = self._budget.maximum_cost_usd, self._price(capability_id)
        if limit is None or price == 0:
            return None
        comes_to = round(self._spent_usd + price * (ahead + 1), _DIGITS)
        if comes_to <= limit:
            return None
        return (
            f"maximum_cost_usd: expected at ${price:g}, this attempt would bring the document to ${comes_to:g}, "
            f"above its limit of ${limit:g}"
        )

    @property
    def spent_usd(self) -> float:
        """Dollars so far, unknown prices at the expected ones."""
        return self._spent_usd

    @property
    def overdue(self) -> bool:
        """Whether the document's time is up."""
        limit = self._budget.deadline_ms
        return limit is not None and (self._budget.clock() - self._started) * 1000 >= limit

    def _price(self, capability_id: str) -> float:
        return self._budget.prices.get(capability_id, 0.0)


class Purse:
    """What is left of one document's ``maximum_cost_usd`` when its pages are read.

    A lane is limited where the operator named its price, or where it runs outside this machine. Its next call is
    expected to cost that price, else the dearest it charged for a character of this document so far: so a lane whose
    price nobody named may overshoot by its first call, and by no other.
    """

    def __init__(
        self, budget: Budget | None = None, *, spent_usd: float = 0.0, pages: int = 0, characters: int = 0
    ) -> None:
        """What a document may still cost.

        Args:
            budget: Its limits and prices; without one nothing is limited.
            spent_usd: What reading it cost.
            pages: Pages of the document.
            characters: Characters on them: a lane's price of a page is shared out over the texts by their length.
        """
        self._budget = budget or Budget()
        self._spent_usd = spent_usd
        self._characters_per_page = max(1.0, characters / max(1, pages))
        self._dearest: dict[str, float] = {}
        self._unknown: set[str] = set()

    def limits(self, lane: str, device: Device) -> bool:
        """Whether a lane has to ask before each call."""
        limited = self._budget.maximum_cost_usd is not None
        return limited and self._budget.prices.get(lane, 1.0 if device is Device.EXTERNAL else 0.0) > 0

    def refusal(self, lane: str, device: Device, characters: int) -> str | None:
        """Why a lane may not be asked about texts of so many characters, or ``None`` when it may."""
        limit = self._budget.maximum_cost_usd
        if limit is None or not self.limits(lane, device):
            return None
        if lane in self._unknown:
            return (
                f"maximum_cost_usd: {lane} charges a price that is not known, so nothing says what is left; "
                f"name its price in the file of INDX_ROUTING_ECONOMICS"
            )
        expected = self._rate(lane) * characters
        comes_to = round(self._spent_usd + expected, _DIGITS)
        if comes_to < limit or (comes_to == limit and expected > 0):
            return None
        return (
            f"maximum_cost_usd: expected at ${expected:g}, this call would bring the document to ${comes_to:g} "
            f"of its limit of ${limit:g}"
        )

    def charge(self, lane: str, characters: int, cost_usd: float | None) -> None:
        """Count an answer. A price the vendor does not state counts as the operator's, where there is one."""
        if cost_usd is None:
            self._spent_usd += self._rate(lane) * characters
            if lane not in self._budget.prices:
                self._unknown.add(lane)
            return
        self._spent_usd += cost_usd
        self._dearest[lane] = max(self._dearest.get(lane, 0.0), cost_usd / max(1, characters))

    def _rate(self, lane: str) -> float:
        """Expected dollars a character."""
        price = self._budget.prices.get(lane)
        return self._dearest.get(lane, 0.0) if price is None else price / self._characters_per_page
