"""Pages down the ladder: each page is offered to its route's capabilities in order until one answers well.

A capability that reads eight of ten pages keeps those eight and sends two down; refused output is discarded and the
refusal recorded. A page that an attempt would bring over the document's budget is not attempted: it descends, and a
person costs the machine nothing. Does not decide routes, and does not ask a reader itself (``rung.py``).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from indx_core.contracts.capability import CapabilityDescriptor
from indx_core.contracts.errors import (
    CapabilityTemporarilyUnavailable,
    CapabilityUnavailable,
    Cause,
    IndxError,
    RequestTimeout,
)
from indx_core.contracts.page import PageOutput, PageStatus
from indx_core.contracts.plan import RoutePlan
from indx_core.contracts.trace import TraceEvent, Validation
from indx_core.execution.budget import Account, Budget
from indx_core.execution.rung import Rung
from indx_core.execution.trace import Attempt, attempt_events
from indx_core.execution.validation import refused
from indx_core.kit.deadline import Deadline
from indx_core.kit.registry import Registry
from indx_core.ports.document import OpenDocument
from indx_core.ports.reader import Reader


@dataclass(frozen=True, slots=True)
class PageRead:
    """A page as it was kept, and who read it. ``descriptor`` is ``None`` where nothing did (an unsatisfied plan)."""

    output: PageOutput
    descriptor: CapabilityDescriptor | None = None
    fallback_index: int | None = None


@dataclass(slots=True)
class Reads:
    """Every page of a document with its outcome, in order, and every attempt that led there.

    Attributes:
        spent_usd: What that cost, as the budget counts it: unknown prices at the expected ones.
    """

    pages: list[PageRead] = field(default_factory=list)
    events: list[TraceEvent] = field(default_factory=list)
    spent_usd: float = 0.0


@dataclass(frozen=True, slots=True)
class Conditions:
    """Under what conditions pages are read.

    Attributes:
        deadline: Checked before each attempt.
        floor: Confidence floor, 0-1; 0 is off.
        budget: Limits of the plan's constraints, held before each page is attempted.
        poisoned: Attempts known to kill a worker, by ``(capability_id, page)``: counted as failed with this reason.
        on_attempt: Told ``(capability_id, page)`` before a page is read: the worker's heartbeat.
    """

    deadline: Deadline = field(default_factory=Deadline)
    floor: float = 0.0
    budget: Budget = field(default_factory=Budget)
    poisoned: Mapping[tuple[str, int], str] = field(default_factory=dict)
    on_attempt: Callable[[str, int], None] = lambda _capability, _page: None


def read_pages(document: OpenDocument, plan: RoutePlan, registry: Registry, conditions: Conditions) -> Reads:
    """Read every page of a ready plan along its route.

    Raises:
        CapabilityUnavailable: A page exhausted its route (an installation without its terminal rung, or a request that
            allows no fallbacks). Names the pages and the readers; its transient subclass is raised when every last
            refusal was transient.
        RequestTimeout: The request's deadline passed between attempts; or the plan's, and a page's route ends in no
            person who could still read it.
    """
    descent = _Descent(document, registry, conditions)
    for route, pages in _groups(plan).items():
        descent.run(_Group(route, pages, plan.document.capability_ids == route))
    return Reads([descent.kept[page] for page in range(1, plan.page_count + 1)], descent.events, descent.spent_usd)


@dataclass(frozen=True, slots=True)
class _Group:
    """Pages that share a route."""

    route: tuple[str, ...]
    pages: Sequence[int]
    is_default: bool


def _groups(plan: RoutePlan) -> dict[tuple[str, ...], list[int]]:
    overrides = {route.scope: route.capability_ids for route in plan.pages}
    groups: dict[tuple[str, ...], list[int]] = {}
    for page in range(1, plan.page_count + 1):
        groups.setdefault(overrides.get(f"page:{page}", plan.document.capability_ids), []).append(page)
    return groups


class _Descent:
    """One document on its way down. ``kept`` (by page number) and ``events`` are its result."""

    def __init__(self, document: OpenDocument, registry: Registry, conditions: Conditions) -> None:
        self.kept: dict[int, PageRead] = {}
        self.events: list[TraceEvent] = []
        self._document = document
        self._registry = registry
        self._conditions = conditions
        self._account = Account(conditions.budget)

    @property
    def spent_usd(self) -> float:
        """What the attempts so far cost."""
        return self._account.spent_usd

    def run(self, group: _Group) -> None:
        """Take the pages of one route down it."""
        outstanding = list(group.pages)
        last: list[Attempt] = []
        refusals: dict[int, str] = {}
        for index, capability_id in enumerate(group.route):
            if not outstanding:
                return
            self._conditions.deadline.check()
            reader = self._registry.reader(capability_id)
            descriptor = reader.descriptor if reader else None
            last = list(self._attempts(capability_id, reader, outstanding))
            for attempt in last:
                if attempt.output is not None and attempt.validation is None:
                    output = _with_cause(attempt.output, refusals.get(attempt.page))
                    self.kept[attempt.page] = PageRead(output, descriptor, index)
                elif attempt.reason:
                    refusals[attempt.page] = attempt.reason
            whole = group.is_default and len(last) == len(group.pages)
            self.events.extend(attempt_events(last, group.route[0], capability_id, descriptor, index, whole))
            outstanding = [attempt.page for attempt in last if attempt.page not in self.kept]
        if outstanding:
            left = [attempt for attempt in last if attempt.page in set(outstanding)]
            unattempted = any(attempt.output is None and attempt.validation is None for attempt in left)
            raise _exhausted(group.route, left, overdue=unattempted and self._account.overdue)

    def _attempts(self, capability_id: str, reader: Reader | None, pages: Sequence[int]) -> Iterator[Attempt]:
        """One attempt per page, in page order: what came back, how long it took, and which check refused it."""
        known = self._conditions.poisoned
        poisoned = {page: known[key] for page in pages if (key := (capability_id, page)) in known}
        rung = Rung(capability_id, self._account, self._conditions.on_attempt)
        if reader is None:
            rung.failure = CapabilityUnavailable(f"capability {capability_id} is not installed")
        else:
            rung.ask(self._document, reader, [page for page in pages if page not in poisoned])
        for page in pages:
            if page in poisoned:
                yield Attempt(page, None, 0.0, Validation(check="declared_failed"), poisoned[page])
            elif page in rung.skipped:
                yield Attempt(page, None, 0.0, None, rung.skipped[page])
            else:
                yield self._judged(page, rung)

    def _judged(self, page: int, rung: Rung) -> Attempt:
        output, seconds = rung.outputs.get(page, (None, 0.0))
        failure = rung.failure
        check = refused(output, self._conditions.floor)
        reason = output.reason if output is not None else (failure.message if failure else "nothing came back")
        transient = output is None and failure is not None and failure.cause is Cause.TRANSIENT
        return Attempt(page, output, seconds, check, reason, transient)


def _with_cause(output: PageOutput, refusal: str | None) -> PageOutput:
    """A page that ends with a person says what the last reader before said, not only that a person is needed."""
    if output.status is not PageStatus.UNREADABLE or refusal is None:
        return output
    return replace(output, reason=f"{output.reason} ({refusal})")


def _exhausted(route: tuple[str, ...], attempts: Sequence[Attempt], *, overdue: bool) -> IndxError:
    pages = ", ".join(str(attempt.page) for attempt in attempts[:10]) + (" …" if len(attempts) > 10 else "")
    reasons = "; ".join(sorted({attempt.reason or "refused" for attempt in attempts})[:3])
    details = {"pages": [attempt.page for attempt in attempts], "route": list(route)}
    if overdue:
        return RequestTimeout(
            f"the document's deadline passed before page {pages} was read: {reasons}",
            remedy="raise deadline_ms, or admit manual-review so that outstanding pages wait for a person",
            details=details,
        )
    kind = CapabilityTemporarilyUnavailable if all(a.transient for a in attempts) else CapabilityUnavailable
    return kind(
        f"every capability of the route [{', '.join(route)}] failed for page {pages}: {reasons}", details=details
    )


def unsatisfied_reads(plan: RoutePlan) -> Reads:
    """What an unsatisfied plan reads: every page failed, saying which constraint stood in the way."""
    reason = "the plan is unsatisfied: " + "; ".join(plan.unsatisfied)
    pages = range(1, plan.page_count + 1)
    return Reads(pages=[PageRead(PageOutput(page, PageStatus.FAILED, reason=reason)) for page in pages])
