"""Attempts as trace events: planned against actual, one event per scope that ended alike.

Pages of the document's default route that its first choice answered together are one ``document`` event; every page
that was refused, that fell back, or that has a route of its own, is a ``page:N`` event. So a fallback is always visible
by page and a 1,000-page text does not carry a thousand identical events.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from indx_core.contracts.capability import CapabilityDescriptor, Device
from indx_core.contracts.page import PageOutput, PageStatus
from indx_core.contracts.trace import Actuals, EventStatus, ExecutionTrace, TraceEvent, Validation


@dataclass(frozen=True, slots=True)
class Attempt:
    """One page offered to one capability.

    Attributes:
        seconds: Wall clock until its output arrived.
        output: What came back; ``None`` when nothing did, or when the page was not attempted for want of budget.
        validation: Which check refused it; ``None`` when it was kept, and when there was no attempt to refuse.
        reason: What stopped it, or the reader's remark.
        transient: Whether the next attempt may end otherwise.
    """

    page: int
    output: PageOutput | None
    seconds: float
    validation: Validation | None
    reason: str | None
    transient: bool = False


def attempt_events(
    attempts: Sequence[Attempt],
    planned: str,
    actual: str,
    descriptor: CapabilityDescriptor | None,
    fallback_index: int,
    whole: bool,
) -> list[TraceEvent]:
    """The events of one rung over one group of pages.

    Args:
        attempts: One per page, in page order.
        planned: First choice of the route.
        actual: The capability that was asked.
        descriptor: Its descriptor; ``None`` when it is not installed.
        fallback_index: 0 for the first choice.
        whole: Whether these are all pages of the document's default route.
    """
    device = descriptor.device if descriptor else Device.CPU

    def event(scope: str, group: Sequence[Attempt], status: EventStatus) -> TraceEvent:
        first = group[0]
        return TraceEvent(
            scope=scope,
            pages=tuple(attempt.page for attempt in group),
            planned_capability_id=planned,
            actual_capability_id=actual,
            device=device,
            status=status,
            fallback_index=fallback_index,
            latency_ms=round(sum(attempt.seconds for attempt in group) * 1000),
            cost_usd=_cost(group),
            quality=_quality(group),
            reason=first.reason,
            validation=first.validation,
        )

    together: dict[EventStatus, list[Attempt]] = {}
    events: list[TraceEvent] = []
    for attempt in attempts:
        status = _status(attempt)
        if whole and attempt.output is not None and attempt.validation is None:
            together.setdefault(status, []).append(attempt)
        else:
            events.append(event(f"page:{attempt.page}", [attempt], status))
    return [event("document", group, status) for status, group in together.items()] + events


def known_cost(costs: Iterable[float | None]) -> float:
    """USD, as far as it is known: ``None`` stands for a price nobody knows."""
    return round(sum(cost or 0.0 for cost in costs), 8)


def execution_trace(
    events: Sequence[TraceEvent], pages: Sequence[PageOutput], extra_costs: Sequence[float | None] = ()
) -> ExecutionTrace:
    """The trace of one document, with what it cost and was worth. Components are added by the caller.

    Args:
        events: Every attempt, in order.
        pages: Pages as they were kept.
        extra_costs: What embedders and annotators charged, in USD; ``None`` where it is unknown.
    """
    failed = any(page.status is PageStatus.FAILED for page in pages)
    unreadable = pages and all(page.status is PageStatus.UNREADABLE for page in pages)
    status = EventStatus.FAILED if failed else EventStatus.UNREADABLE if unreadable else EventStatus.COMPLETED
    claims = [page.confidence for page in pages if page.confidence is not None]
    costs = [*(event.cost_usd for event in events), *extra_costs]
    actuals = Actuals(
        cost_usd=known_cost(costs),
        cost_known=None not in costs,
        quality=round(sum(claims) / len(claims), 6) if claims else None,
        latency_ms=sum(event.latency_ms for event in events),
    )
    return ExecutionTrace(status=status, events=tuple(events), actuals=actuals)


def _status(attempt: Attempt) -> EventStatus:
    if attempt.validation is not None or attempt.output is None:
        return EventStatus.FAILED
    return EventStatus(attempt.output.status.value)


def _cost(attempts: Sequence[Attempt]) -> float | None:
    """What the group charged; unknown as soon as one page's price is."""
    costs = [attempt.output.cost_usd for attempt in attempts if attempt.output is not None]
    return None if None in costs else known_cost(costs)


def _quality(attempts: Sequence[Attempt]) -> float | None:
    claims = [a.output.confidence for a in attempts if a.output is not None and a.output.confidence is not None]
    return round(sum(claims) / len(claims), 6) if claims else None
