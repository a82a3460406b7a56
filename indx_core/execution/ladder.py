"""Pages down the ladder: each page is offered to its route's capabilities in order until one answers well.

A capability that reads eight of ten pages keeps those eight and sends two down; refused output is discarded and the
refusal recorded. Does not decide routes and does not know what a capability does.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

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
    """Every page of a document with its outcome, in order, and every attempt that led there."""

    pages: list[PageRead] = field(default_factory=list)
    events: list[TraceEvent] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Conditions:
    """Under what conditions pages are read.

    Attributes:
        deadline: Checked before each attempt.
        floor: Confidence floor, 0-1; 0 is off.
        poisoned: Attempts known to kill a worker, by ``(capability_id, page)``: counted as failed with this reason.
        on_attempt: Told ``(capability_id, page)`` before a page is read: the worker's heartbeat.
    """

    deadline: Deadline = field(default_factory=Deadline)
    floor: float = 0.0
    poisoned: Mapping[tuple[str, int], str] = field(default_factory=dict)
    on_attempt: Callable[[str, int], None] = lambda _capability, _page: None


def read_pages(document: OpenDocument, plan: RoutePlan, registry: Registry, conditions: Conditions) -> Reads:
    """Read every page of a ready plan along its route.

    Raises:
        CapabilityUnavailable: A page exhausted its route (an installation without its terminal rung, or a request that
            allows no fallbacks). Names the pages and the readers; its transient subclass is raised when every last
            refusal was transient.
        RequestTimeout: The deadline passed between attempts.
    """
    reads = Reads()
    kept: dict[int, PageRead] = {}
    for route, pages in _groups(plan).items():
        _descend(
            document, _Group(route, pages, plan.document.capability_ids == route), registry, conditions, kept, reads
        )
    reads.pages = [kept[page] for page in range(1, plan.page_count + 1)]
    return reads


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


def _descend(
    document: OpenDocument,
    group: _Group,
    registry: Registry,
    conditions: Conditions,
    kept: dict[int, PageRead],
    reads: Reads,
) -> None:
    outstanding = list(group.pages)
    last: list[Attempt] = []
    for index, capability_id in enumerate(group.route):
        if not outstanding:
            return
        conditions.deadline.check()
        reader = registry.reader(capability_id)
        descriptor = reader.descriptor if reader else None
        last = list(_attempts(document, capability_id, reader, outstanding, conditions))
        for attempt in last:
            if attempt.output is not None and attempt.validation is None:
                kept[attempt.page] = PageRead(attempt.output, descriptor, index)
        whole = group.is_default and len(last) == len(group.pages)
        reads.events.extend(attempt_events(last, group.route[0], capability_id, descriptor, index, whole))
        outstanding = [attempt.page for attempt in last if attempt.page not in kept]
    if outstanding:
        raise _exhausted(group.route, [attempt for attempt in last if attempt.page in set(outstanding)])


def _attempts(
    document: OpenDocument,
    capability_id: str,
    reader: Reader | None,
    pages: Sequence[int],
    conditions: Conditions,
) -> Iterator[Attempt]:
    """One attempt per page, in page order: what came back, how long it took, and which check refused it."""
    poisoned = {
        page: conditions.poisoned[key] for page in pages if (key := (capability_id, page)) in conditions.poisoned
    }
    asked = [page for page in pages if page not in poisoned]
    outputs: dict[int, tuple[PageOutput, float]] = {}
    failure: IndxError | None = None
    if reader is None:
        failure = CapabilityUnavailable(f"capability {capability_id} is not installed")
    else:
        failure = _collect(document, capability_id, reader, asked, conditions, outputs)
    for page in pages:
        if page in poisoned:
            yield Attempt(page, None, 0.0, Validation(check="declared_failed"), poisoned[page])
            continue
        output, seconds = outputs.get(page, (None, 0.0))
        check = refused(output, conditions.floor)
        reason = output.reason if output is not None else (failure.message if failure else "nothing came back")
        transient = output is None and failure is not None and failure.cause is Cause.TRANSIENT
        yield Attempt(page, output, seconds, check, reason, transient)


def _collect(
    document: OpenDocument,
    capability_id: str,
    reader: Reader,
    pages: Sequence[int],
    conditions: Conditions,
    outputs: dict[int, tuple[PageOutput, float]],
) -> IndxError | None:
    """Fill ``outputs`` as pages arrive; return what broke the attempt off, if anything did."""
    if not pages:
        return None
    wanted = set(pages)
    waiting = dict.fromkeys(pages)
    started = time.perf_counter()
    try:
        conditions.on_attempt(capability_id, pages[0])
        for output in reader.read(document, pages):
            now = time.perf_counter()
            if output.number in wanted:
                outputs[output.number] = (output, now - started)
            started = now
            waiting.pop(output.number, None)
            if waiting:
                conditions.on_attempt(capability_id, next(iter(waiting)))
    except RequestTimeout:
        raise
    except IndxError as error:
        return error
    except Exception as error:  # noqa: BLE001 - a reader's defect costs its pages, never the document
        return CapabilityUnavailable(f"{capability_id} broke off: {type(error).__name__}")
    return None


def _exhausted(route: tuple[str, ...], attempts: Sequence[Attempt]) -> CapabilityUnavailable:
    pages = ", ".join(str(attempt.page) for attempt in attempts[:10]) + (" …" if len(attempts) > 10 else "")
    reasons = "; ".join(sorted({attempt.reason or "refused" for attempt in attempts})[:3])
    kind = CapabilityTemporarilyUnavailable if all(a.transient for a in attempts) else CapabilityUnavailable
    return kind(
        f"every capability of the route [{', '.join(route)}] failed for page {pages}: {reasons}",
        details={"pages": [attempt.page for attempt in attempts], "route": list(route)},
    )


def unsatisfied_reads(plan: RoutePlan) -> Reads:
    """What an unsatisfied plan reads: every page failed, saying which constraint stood in the way."""
    reason = "the plan is unsatisfied: " + "; ".join(plan.unsatisfied)
    pages = range(1, plan.page_count + 1)
    return Reads(pages=[PageRead(PageOutput(page, PageStatus.FAILED, reason=reason)) for page in pages])
