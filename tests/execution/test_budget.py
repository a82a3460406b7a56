"""Limits held while pages are read: what is attempted, what is skipped with which reason, and where it ends."""

from collections.abc import Callable, Iterator

import pytest
from execution.plans import document, plan

from indx_core.contracts.capability import CapabilityKind, Device
from indx_core.contracts.errors import CapabilityUnavailable, RequestTimeout
from indx_core.contracts.page import PageOutput, PageStatus
from indx_core.contracts.plan import Constraints
from indx_core.execution.budget import Account, Budget, Purse
from indx_core.execution.ladder import Conditions, Reads, read_pages
from indx_core.execution.trace import execution_trace
from indx_core.kit.registry import Contribution, Registry
from indx_core.testing.fakes import FakeReader, fake_registry

PRICES = {"paid": 0.1, "dear": 1.0, "manual-review": 2.0}


def registry(*readers: FakeReader) -> Registry:
    return fake_registry(Contribution(readers=(*readers, person())))


def free(**script: object) -> FakeReader:
    return FakeReader(id="free", kind=CapabilityKind.NATIVE, **script)


def paid(name: str = "paid", **script: object) -> FakeReader:
    return FakeReader(id=name, kind=CapabilityKind.VLM, **script)


def person() -> FakeReader:
    outputs = {page: PageOutput(page, PageStatus.UNREADABLE, reason="needs a person") for page in range(1, 9)}
    return FakeReader(id="manual-review", kind=CapabilityKind.MANUAL, outputs=outputs)


def costing(*costs: float | None, status: PageStatus = PageStatus.COMPLETED) -> dict[int, PageOutput]:
    return {n: PageOutput(n, status, text="read", cost_usd=cost) for n, cost in enumerate(costs, 1)}


def within(usd: float) -> Conditions:
    return Conditions(budget=Budget(maximum_cost_usd=usd, prices=PRICES))


def readers_of(reads: Reads) -> list[str]:
    return [read.descriptor.id for read in reads.pages if read.descriptor]


def skipped(reads: Reads) -> list[tuple[str, str]]:
    return [(e.scope, e.actual_capability_id) for e in reads.events if (e.reason or "").startswith("maximum_cost_usd")]


def ticking(*seconds: float) -> Callable[[], float]:
    """A clock that shows these, and then the last for ever."""

    def times() -> Iterator[float]:
        yield from seconds
        while True:
            yield seconds[-1]

    running = times()
    return lambda: next(running)


@pytest.mark.parametrize(
    ("spent", "ahead", "refused"),
    [
        ((), 0, False),
        ((0.1, 0.1), 0, False),  # 3 x 0.1 is exactly the limit
        ((0.1, 0.1, 0.1), 0, True),
        ((), 2, False),
        ((), 3, True),
        ((None, None, None), 0, True),  # unknown prices count as expected
        ((0.0, 0.0, 0.0), 0, False),
    ],
)
def test_an_attempt_is_refused_as_soon_as_its_expected_price_would_pass_the_limit(
    spent: tuple[float | None, ...], ahead: int, refused: bool
) -> None:
    account = Account(Budget(maximum_cost_usd=0.3, prices=PRICES))
    for cost in spent:
        account.charge("paid", cost)
    assert (account.refusal("paid", ahead) is not None) is refused


def test_a_free_attempt_is_never_refused_for_its_price_even_when_the_limit_was_overrun() -> None:
    account = Account(Budget(maximum_cost_usd=0.3, prices=PRICES))
    account.charge("paid", 5.0)
    assert account.refusal("free") is None


def test_without_limits_nothing_is_refused() -> None:
    account = Account(Budget.of(Constraints(), PRICES))
    account.charge("dear", 1e9)
    assert account.refusal("dear") is None
    assert not account.overdue


def test_refused_attempts_count_and_a_rung_beyond_what_is_left_is_skipped_with_its_reason() -> None:
    """Planned at $0.10 the first reader charged $0.25 for an answer nobody keeps: $0.05 do not pay for a second."""
    first = paid(outputs=costing(0.25, status=PageStatus.FAILED))
    second = paid("second")
    conditions = Conditions(budget=Budget(maximum_cost_usd=0.3, prices={**PRICES, "second": 0.1}))
    reads = read_pages(document("a"), plan("paid", "second", "manual-review"), registry(first, second), conditions)
    assert [(e.planned_capability_id, e.actual_capability_id, e.fallback_index, e.cost_usd) for e in reads.events] == [
        ("paid", "paid", 0, 0.25),
        ("paid", "second", 1, 0.0),
        ("paid", "manual-review", 2, 0.0),
    ]
    assert reads.events[1].reason == (
        "maximum_cost_usd: expected at $0.1, this attempt would bring the document to $0.35, above its limit of $0.3"
    )
    assert reads.events[1].validation is None, "nothing was read that a check could refuse"
    assert reads.pages[0].output.status is PageStatus.UNREADABLE
    assert execution_trace(reads.events, [read.output for read in reads.pages]).actuals.cost_usd == 0.25


def test_a_cheaper_rung_below_a_skipped_one_still_reads() -> None:
    reads = read_pages(document("a"), plan("dear", "paid"), registry(paid("dear"), paid()), within(0.5))
    assert readers_of(reads) == ["paid"]
    assert skipped(reads) == [("page:1", "dear")]


def test_the_first_pages_that_fit_are_read_and_only_the_others_descend() -> None:
    reader = paid(outputs=costing(0.1, 0.1, 0.1))
    reads = read_pages(document("a", "b", "c"), plan("paid", "manual-review", pages=3), registry(reader), within(0.2))
    assert readers_of(reads) == ["paid", "paid", "manual-review"]
    assert skipped(reads) == [("page:3", "paid")]


def test_a_vendor_that_charges_more_than_expected_is_stopped_between_pages() -> None:
    """Estimates admitted all three; the real price of the first leaves nothing for a second."""
    asked: list[tuple[str, int]] = []
    conditions = Conditions(
        budget=Budget(maximum_cost_usd=0.35, prices=PRICES), on_attempt=lambda who, page: asked.append((who, page))
    )
    reader = paid(outputs=costing(0.3, 0.3, 0.3))
    reads = read_pages(document("a", "b", "c"), plan("paid", "manual-review", pages=3), registry(reader), conditions)
    assert readers_of(reads) == ["paid", "manual-review", "manual-review"]
    assert [page for who, page in asked if who == "paid"] == [1]
    assert sum(event.cost_usd or 0 for event in reads.events) == 0.3


def test_what_one_route_spent_is_missing_to_the_next() -> None:
    reads = read_pages(
        document("a", "b"),
        plan("paid", pages=2, overrides={2: ("paid", "manual-review")}),
        registry(paid(outputs=costing(0.25, 0.25))),
        within(0.3),
    )
    assert readers_of(reads) == ["paid", "manual-review"]


def test_without_a_person_on_the_route_the_budget_is_a_typed_refusal_that_names_it() -> None:
    with pytest.raises(CapabilityUnavailable, match="failed for page 1: maximum_cost_usd"):
        read_pages(document("a"), plan("dear"), registry(paid("dear")), within(0.5))


def test_after_the_plans_deadline_outstanding_pages_wait_for_a_person() -> None:
    """The clock is looked at when reading starts, for each of three pages, and after the first has come back."""
    conditions = Conditions(budget=Budget(deadline_ms=1_000, clock=ticking(0, 0.1, 0.1, 0.1, 1.5)))
    reads = read_pages(document("a", "b", "c"), plan("free", "manual-review", pages=3), registry(free()), conditions)
    assert readers_of(reads) == ["free", "manual-review", "manual-review"]
    assert [(e.scope, e.reason) for e in reads.events if (e.reason or "").startswith("deadline_ms")] == [
        ("page:2", "deadline_ms: the document's 1000 ms passed before this attempt"),
        ("page:3", "deadline_ms: the document's 1000 ms passed before this attempt"),
    ]


def test_after_the_plans_deadline_without_a_person_the_document_times_out() -> None:
    conditions = Conditions(budget=Budget(deadline_ms=1_000, clock=ticking(0, 2)))
    with pytest.raises(RequestTimeout, match="deadline passed before page 1 was read") as caught:
        read_pages(document("a"), plan("free"), registry(free()), conditions)
    assert "deadline_ms" in caught.value.remedy
    assert caught.value.details == {"pages": [1], "route": ["free"]}


def test_a_reader_that_fails_late_is_its_own_failure_and_no_timeout() -> None:
    conditions = Conditions(budget=Budget(deadline_ms=1_000, clock=ticking(0, 0.5, 2)))
    failing = free(outputs={1: PageOutput(1, PageStatus.FAILED, reason="smudged")})
    with pytest.raises(CapabilityUnavailable, match="smudged"):
        read_pages(document("a"), plan("free"), registry(failing), conditions)


def test_the_trace_holds_a_refused_confidence_against_its_floor_and_its_price_counts() -> None:
    unsure = paid(outputs={1: PageOutput(1, text="guess", confidence=0.4, cost_usd=0.1)})
    conditions = Conditions(floor=0.5, budget=Budget(maximum_cost_usd=1, prices=PRICES))
    reads = read_pages(document("a"), plan("paid", "free"), registry(unsure, free()), conditions)
    refused = reads.events[0].validation
    assert refused is not None
    assert (refused.check, refused.value, refused.floor) == ("below_confidence_floor", 0.4, 0.5)
    trace = execution_trace(reads.events, [read.output for read in reads.pages])
    assert (trace.actuals.cost_usd, trace.actuals.quality) == (0.1, None)


def test_a_price_nobody_knows_is_said_to_be_unknown_rather_than_counted_as_free() -> None:
    reads = read_pages(document("a"), plan("free"), registry(free()), Conditions())
    outputs = [read.output for read in reads.pages]
    known = execution_trace(reads.events, outputs, [0.25, 0.0]).actuals
    assert (known.cost_usd, known.cost_known) == (0.25, True)
    partly = execution_trace(reads.events, outputs, [0.25, None]).actuals
    assert (partly.cost_usd, partly.cost_known) == (0.25, False)


def purse(limit: float | None = 1.0, spent: float = 0.0, **prices: float) -> Purse:
    """Of a document of two pages with a thousand characters on each."""
    return Purse(Budget(maximum_cost_usd=limit, prices=prices), spent_usd=spent, pages=2, characters=2000)


def test_a_lane_with_a_named_price_is_stopped_before_its_first_call() -> None:
    assert purse(hosted=0.5).refusal("hosted", Device.EXTERNAL, 2000) is None
    assert "would bring the document to $1.2" in (purse(hosted=0.6).refusal("hosted", Device.EXTERNAL, 2000) or "")


def test_a_lane_without_a_named_price_is_expected_to_charge_what_it_charged_before() -> None:
    """It may overshoot by its first call, and by no other."""
    left = purse()
    assert left.refusal("hosted", Device.EXTERNAL, 1000) is None
    left.charge("hosted", 1000, 0.75)
    assert left.refusal("hosted", Device.EXTERNAL, 300) is None
    assert "expected at $0.75" in (left.refusal("hosted", Device.EXTERNAL, 1000) or "")


def test_what_reading_spent_counts() -> None:
    assert "would bring the document to $1 of" in (purse(spent=1.0).refusal("hosted", Device.EXTERNAL, 1) or "")
    assert purse(spent=0.9).refusal("hosted", Device.EXTERNAL, 1) is None


def test_a_price_that_nobody_knows_is_paid_once_under_a_limit() -> None:
    left = purse()
    left.charge("hosted", 1000, None)
    assert "INDX_ROUTING_ECONOMICS" in (left.refusal("hosted", Device.EXTERNAL, 1) or "")
    assert left.refusal("another", Device.EXTERNAL, 1) is None


def test_an_unknown_charge_counts_as_the_named_price() -> None:
    """A lane whose price nobody named would be asked no more after the first one."""
    left = purse(hosted=0.5)
    left.charge("hosted", 1000, None)
    assert left.refusal("hosted", Device.EXTERNAL, 1000) is None
    assert "would bring the document to $1.05 of its limit of $1" in (
        left.refusal("hosted", Device.EXTERNAL, 1100) or ""
    )


@pytest.mark.parametrize(
    ("left", "device"),
    [
        (purse(limit=None), Device.EXTERNAL),
        (purse(limit=0.0), Device.CPU),
        (purse(limit=0.0, lane=0.0), Device.EXTERNAL),
    ],
    ids=["without a limit", "on this machine", "named as free"],
)
def test_what_is_free_or_unlimited_never_asks(left: Purse, device: Device) -> None:
    left.charge("lane", 1000, None)
    assert not left.limits("lane", device)
    assert left.refusal("lane", device, 1000) is None


def test_nothing_external_runs_under_a_limit_of_nothing() -> None:
    assert "of its limit of $0" in (purse(limit=0.0).refusal("hosted", Device.EXTERNAL, 1) or "")
