"""What a document may still cost and take while it is read: the plan's limits, held page by page.

The plan fits limits by estimates of first choices; refused attempts, fallbacks and vendors' real prices come on top of
them. Belongs here: whether one more attempt fits what is left. Does not: prices themselves (the operator's, handed in
by the caller), shortening routes before anything runs (``planning/budget``), and a request's own deadline, which stops
the work instead of descending (``kit/deadline``).
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from indx_core.contracts.plan import Constraints

_DIGITS = 6
"""Dollars are compared to a millionth, as in the plan: 3 x 0.1 is 0.3, never a hair above."""


@dataclass(frozen=True, slots=True)
class Budget:
    """A document's limits and the prices they are held with. Without limits nothing is ever skipped.

    Attributes:
        maximum_cost_usd: Dollars all attempts together may cost, refused ones included.
        deadline_ms: Milliseconds, from the start of reading, after which no further page is attempted.
        prices: Expected dollars per page by capability id. One that is absent is taken to be free.
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
    def overdue(self) -> bool:
        """Whether the document's time is up."""
        limit = self._budget.deadline_ms
        return limit is not None and (self._budget.clock() - self._started) * 1000 >= limit

    def _price(self, capability_id: str) -> float:
        return self._budget.prices.get(capability_id, 0.0)
