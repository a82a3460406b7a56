"""Pages down the ladder: fallback per outstanding page, every attempt recorded, nothing lost."""

import pytest
from execution.plans import document, plan

from indx_core.contracts.capability import CapabilityKind
from indx_core.contracts.errors import (
    CapabilityTemporarilyUnavailable,
    CapabilityUnavailable,
    Cause,
    RequestTimeout,
    SourceUnreadable,
)
from indx_core.contracts.page import PageOutput, PageStatus
from indx_core.contracts.plan import PlanStatus
from indx_core.execution.ladder import Conditions, read_pages, unsatisfied_reads
from indx_core.kit.deadline import Deadline
from indx_core.kit.registry import Contribution, Registry
from indx_core.testing.fakes import FakeReader, fake_registry


def registry(*readers: FakeReader) -> Registry:
    return fake_registry(Contribution(readers=readers))


def reader(name: str, **script: object) -> FakeReader:
    return FakeReader(id=name, kind=CapabilityKind.NATIVE, **script)


def statuses(reads) -> list[tuple[int, str, str | None]]:
    return [
        (read.output.number, read.output.status.value, read.descriptor.id if read.descriptor else None)
        for read in reads.pages
    ]


def test_a_reader_that_reads_every_page_is_one_event_of_the_document() -> None:
    """A thousand pages read alike do not carry a thousand identical events."""
    reads = read_pages(document("a", "b", "c"), plan("first", pages=3), registry(reader("first")), Conditions())
    assert statuses(reads) == [(1, "completed", "first"), (2, "completed", "first"), (3, "completed", "first")]
    assert [(event.scope, event.pages) for event in reads.events] == [("document", (1, 2, 3))]


def test_only_the_pages_a_reader_could_not_read_descend_and_the_others_stay() -> None:
    """Retrying the whole group would spend a vision model on pages that were already read."""
    first = reader("first", outputs={2: PageOutput(2, PageStatus.FAILED, reason="smudged")})
    second = reader("second")
    reads = read_pages(document("a", "b", "c"), plan("first", "second", pages=3), registry(first, second), Conditions())
    assert statuses(reads) == [(1, "completed", "first"), (2, "completed", "second"), (3, "completed", "first")]
    assert [(e.scope, e.actual_capability_id, e.status.value, e.fallback_index) for e in reads.events] == [
        ("document", "first", "completed", 0),
        ("page:2", "first", "failed", 0),
        ("page:2", "second", "completed", 1),
    ]
    refused = reads.events[1]
    assert (refused.reason, refused.validation.check) == ("smudged", "declared_failed")
    assert {event.planned_capability_id for event in reads.events} == {"first"}


def test_a_page_the_reader_is_silent_about_counts_as_absent() -> None:
    reads = read_pages(
        document("a", "b"),
        plan("first", "second", pages=2),
        registry(reader("first", absent=frozenset({1})), reader("second")),
        Conditions(),
    )
    assert statuses(reads) == [(1, "completed", "second"), (2, "completed", "first")]
    assert [e.validation.check for e in reads.events if e.validation] == ["absent"]


def test_output_below_the_floor_is_discarded_and_the_trace_holds_the_value_against_it() -> None:
    first = reader("first", outputs={1: PageOutput(1, text="guess", confidence=0.4)})
    reads = read_pages(document("a"), plan("first", "second"), registry(first, reader("second")), Conditions(floor=0.5))
    assert reads.pages[0].output.text == "a"
    validation = reads.events[0].validation
    assert (validation.check, validation.value, validation.floor) == ("below_confidence_floor", 0.4, 0.5)
    assert reads.events[0].quality == 0.4


def test_a_floor_of_zero_refuses_nothing() -> None:
    first = reader("first", outputs={1: PageOutput(1, text="guess", confidence=0.0)})
    reads = read_pages(document("a"), plan("first", "second"), registry(first, reader("second")), Conditions())
    assert reads.pages[0].output.text == "guess"


def test_unreadable_is_a_verdict_and_stops_the_ladder() -> None:
    """Failing over from the terminal rung would answer every scanned page of a default install with a 503."""
    first = reader("first", outputs={1: PageOutput(1, PageStatus.UNREADABLE, reason="needs a person")})
    reads = read_pages(document("a"), plan("first", "second"), registry(first, reader("second")), Conditions())
    assert statuses(reads) == [(1, "unreadable", "first")]


def test_pages_with_a_route_of_their_own_follow_it() -> None:
    reads = read_pages(
        document("a", "b"),
        plan("first", pages=2, overrides={2: ("second",)}),
        registry(reader("first"), reader("second")),
        Conditions(),
    )
    assert statuses(reads) == [(1, "completed", "first"), (2, "completed", "second")]
    assert [event.scope for event in reads.events] == ["document", "page:2"]


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (SourceUnreadable("the file is torn"), "the file is torn"),
        (ValueError("secret path /etc/x"), "first broke off: ValueError"),
    ],
)
def test_a_reader_that_breaks_off_costs_its_pages_and_not_the_document(error: Exception, reason: str) -> None:
    """What an untyped exception says never travels: it may name a path of the server."""
    reads = read_pages(
        document("a"), plan("first", "second"), registry(reader("first", error=error), reader("second")), Conditions()
    )
    assert statuses(reads) == [(1, "completed", "second")]
    assert reads.events[0].reason == reason


def test_an_exhausted_route_is_a_503_naming_the_page_and_the_readers() -> None:
    failing = reader("first", outputs={2: PageOutput(2, PageStatus.FAILED, reason="smudged")})
    with pytest.raises(CapabilityUnavailable, match=r"\[first\] failed for page 2: smudged") as caught:
        read_pages(document("a", "b"), plan("first", pages=2), registry(failing), Conditions())
    assert caught.value.http_status == 503
    assert caught.value.details == {"pages": [2], "route": ["first"]}
    assert caught.value.cause is Cause.PERMANENT


def test_a_route_exhausted_by_a_throttled_vendor_may_be_tried_again() -> None:
    throttled = reader("first", error=CapabilityTemporarilyUnavailable("429"))
    with pytest.raises(CapabilityTemporarilyUnavailable):
        read_pages(document("a"), plan("first"), registry(throttled), Conditions())


def test_a_capability_that_is_no_longer_installed_descends_with_a_reason() -> None:
    reads = read_pages(document("a"), plan("gone", "second"), registry(reader("second")), Conditions())
    assert reads.events[0].reason == "capability gone is not installed"
    assert statuses(reads) == [(1, "completed", "second")]


def test_an_attempt_that_killed_a_worker_is_not_repeated() -> None:
    conditions = Conditions(poisoned={("first", 2): "worker crashed reading page 2"})
    reads = read_pages(
        document("a", "b"), plan("first", "second", pages=2), registry(reader("first"), reader("second")), conditions
    )
    assert statuses(reads) == [(1, "completed", "first"), (2, "completed", "second")]
    assert [(e.actual_capability_id, e.reason) for e in reads.events if e.scope == "page:2"] == [
        ("first", "worker crashed reading page 2"),
        ("second", None),
    ]


def test_every_page_is_announced_before_it_is_read_and_none_that_was_not_asked_for() -> None:
    """The page announced last is the one a dead worker is laid to: one that is not on the route would be no help."""
    told: list[tuple[str, int]] = []
    conditions = Conditions(on_attempt=lambda capability, page: told.append((capability, page)))
    first = reader("first", outputs={3: PageOutput(3, PageStatus.FAILED)})
    overrides = {2: ("second",)}
    read_pages(
        document("a", "b", "c"),
        plan("first", "second", pages=3, overrides=overrides),
        registry(first, reader("second")),
        conditions,
    )
    assert told == [("first", 1), ("first", 3), ("second", 3), ("second", 2)]


def test_the_deadline_is_checked_before_each_capability_and_never_falls_back() -> None:
    times = iter([0.0, 0.5, 2.0, 2.0])
    conditions = Conditions(deadline=Deadline(1.0, clock=lambda: next(times)))
    failing = reader("first", outputs={1: PageOutput(1, PageStatus.FAILED, reason="smudged")})
    with pytest.raises(RequestTimeout):
        read_pages(document("a"), plan("first", "second"), registry(failing, reader("second")), conditions)


def test_a_page_the_plan_does_not_know_is_not_invented() -> None:
    extra = reader("first", outputs={1: PageOutput(7, text="from nowhere")})
    with pytest.raises(CapabilityUnavailable):
        read_pages(document("a"), plan("first"), registry(extra), Conditions())


def test_the_cost_of_a_refused_attempt_is_counted() -> None:
    paid = reader("paid", outputs={1: PageOutput(1, PageStatus.FAILED, reason="blurred", cost_usd=0.02)})
    reads = read_pages(document("a"), plan("paid", "second"), registry(paid, reader("second")), Conditions())
    assert [event.cost_usd for event in reads.events] == [0.02, 0.0]


def test_half_a_surrogate_pair_costs_one_character_and_not_the_document() -> None:
    """A model's JSON may hold one; written as it is, it would fail the answer, the tables and every annotator."""
    broken = reader("first", outputs={1: PageOutput(1, text="a" + chr(0xD800) + "b")})
    reads = read_pages(document("a"), plan("first"), registry(broken), Conditions())
    assert reads.pages[0].output.text == "a?b"


def test_a_confidence_that_is_no_number_is_none_and_such_a_price_is_unknown() -> None:
    """NaN passes every comparison with a floor or a budget and can be written in no JSON."""
    nan = float("nan")
    broken = reader("first", outputs={1: PageOutput(1, text="a", confidence=nan, cost_usd=nan)})
    reads = read_pages(document("a"), plan("first"), registry(broken), Conditions())
    assert (reads.events[0].quality, reads.events[0].cost_usd) == (None, None)


def test_an_unknown_price_stays_unknown() -> None:
    paid = reader("paid", outputs={1: PageOutput(1, text="x", cost_usd=None)})
    reads = read_pages(document("a"), plan("paid"), registry(paid), Conditions())
    assert reads.events[0].cost_usd is None


def test_an_unsatisfied_plan_accounts_for_every_page_as_failed() -> None:
    unsatisfied = plan("first", pages=2).model_copy(
        update={"status": PlanStatus.UNSATISFIED, "unsatisfied": ("maximum_cost_usd: too dear",)}
    )
    reads = unsatisfied_reads(unsatisfied)
    assert statuses(reads) == [(1, "failed", None), (2, "failed", None)]
    assert "maximum_cost_usd: too dear" in reads.pages[0].output.reason
