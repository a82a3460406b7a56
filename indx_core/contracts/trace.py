"""What did happen: every attempt planned against actual, who took part, and what it used.

Clock readings live here and in the trace table only, never in a data table, so that a replay is byte-identical.
"""

from enum import StrEnum

from indx_core.contracts.base import Contract
from indx_core.contracts.capability import Device
from indx_core.contracts.observation import Finding
from indx_core.contracts.plan import Component


class EventStatus(StrEnum):
    """How an attempt, or a whole execution, ended."""

    COMPLETED = "completed"
    FAILED = "failed"
    UNREADABLE = "unreadable"


class Validation(Contract):
    """Why an output was refused.

    Attributes:
        check: ``absent``, ``declared_failed`` or ``below_confidence_floor``.
        value: The measured value, where the check has one.
        floor: What it was held against.
    """

    check: str
    value: float | None = None
    floor: float | None = None


class TraceEvent(Contract):
    """One capability asked for one scope, whether it answered or not.

    Attributes:
        scope: ``document`` when every page of the document went to it together and ended alike, else ``page:N``.
        pages: The pages this event covers.
        planned_capability_id: First choice of the route.
        actual_capability_id: The one that ran.
        device: Where it computes.
        status: How the attempt ended.
        fallback_index: 0 for the first choice.
        latency_ms: Wall milliseconds of the attempt.
        cost_usd: What it charged; ``None`` when unknown.
        quality: The capability's own claim, 0-1, mean over ``pages``; ``None`` when it made none.
        reason: What stopped it.
        validation: Which check refused its output.
    """

    scope: str
    pages: tuple[int, ...]
    planned_capability_id: str
    actual_capability_id: str
    device: Device
    status: EventStatus
    fallback_index: int
    latency_ms: int
    cost_usd: float | None = 0.0
    quality: float | None = None
    reason: str | None = None
    validation: Validation | None = None


class Actuals(Contract):
    """What the plan's estimates turned out to be.

    Attributes:
        cost_usd: What was charged, as far as it is known.
        cost_known: Whether that is all: false when a vendor's price is unknown, and ``cost_usd`` a lower bound.
        quality: Mean of what readers claimed, 0-1; ``None`` where none did.
        latency_ms: Wall milliseconds of all attempts together.
    """

    cost_usd: float
    cost_known: bool = True
    quality: float | None = None
    latency_ms: int


class ExecutionTrace(Contract):
    """Everything that was attempted, in order, failures included: that is what makes a fallback visible.

    Attributes:
        status: How the whole ended.
        events: Every attempt.
        components: Who took part without a capability id to be named by.
        findings: What was left out after the pages were read, and why: chunks, vectors, annotations.
        actuals: What the estimates turned out to be.
    """

    status: EventStatus
    events: tuple[TraceEvent, ...] = ()
    components: tuple[Component, ...] = ()
    findings: tuple[Finding, ...] = ()
    actuals: Actuals


class Usage(Contract):
    """Aggregate use of one request.

    Attributes:
        bytes: Size of the source, or of the query.
        pages: Pages of the document; 0 for a query.
        cost_usd: What readers, embedders and annotators charged, as far as it is known.
        cost_known: Whether that is all: false when a vendor's price is unknown, and ``cost_usd`` a lower bound.
        latency_ms: Wall milliseconds.
        quality: Mean of what readers claimed, 0-1; ``None`` where none did.
        cpu_ms: CPU milliseconds of the process that did the work.
    """

    bytes: int
    pages: int
    cost_usd: float
    cost_known: bool = True
    latency_ms: int
    quality: float | None = None
    cpu_ms: int | None = None
