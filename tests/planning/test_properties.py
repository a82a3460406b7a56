"""Properties that hold for every document, installation and request: PLN-01, PLN-03, PLN-07, CON-01, CON-02."""

from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from planning.builders import (
    INVOICE,
    MANUAL,
    NATIVE,
    OCR,
    PDF,
    VLM,
    capability,
    match,
    observed,
    plan,
    routes,
    snapshot,
)

from indx_core.contracts.capability import CapabilityDescriptor, CapabilityKind, CapabilitySnapshot, Device
from indx_core.contracts.observation import Observation, TextLayer
from indx_core.contracts.plan import Constraints, PlanStatus, RoutePlan
from indx_core.planning.decide import decide
from indx_core.planning.economics import DEFAULTS, Economics, PriceOverride
from indx_core.planning.ladder import RUNGS
from indx_core.planning.plan_id import compute_plan_id
from indx_core.planning.request import RequestParts
from indx_core.planning.signatures import Detection

LOCAL_VLM = capability("local-vlm", CapabilityKind.VLM, PDF, device=Device.GPU)
SECOND_OCR = capability("a-ocr", CapabilityKind.OCR, PDF)
POOL = (NATIVE, OCR, VLM, LOCAL_VLM, SECOND_OCR, INVOICE)
IDS = [each.id for each in (*POOL, MANUAL)]
KIND = {each.id: each.kind for each in (*POOL, MANUAL)}

documents = st.lists(st.sampled_from(list(TextLayer)), max_size=12).map(lambda layers: observed(*layers))
constraint_sets = st.builds(
    Constraints,
    minimum_quality=st.none() | st.sampled_from([0.0, 0.7, 0.85, 0.95, 1.0]),
    deadline_ms=st.none() | st.sampled_from([1, 100, 1_000, 10_000, 200_000_000]),
    maximum_cost_usd=st.none() | st.sampled_from([0.0, 0.0005, 0.01, 0.1, 5.0]),
    gpu_allowed=st.booleans(),
    data_residency=st.booleans(),
    capability_ids=st.none() | st.lists(st.sampled_from(IDS), unique=True).map(tuple),
    fallbacks_allowed=st.booleans(),
)
price_overrides = st.dictionaries(
    st.sampled_from(IDS),
    st.builds(
        PriceOverride,
        quality=st.sampled_from([0.0, 0.5, 0.9, 1.0]),
        cost_usd_per_page=st.sampled_from([0.0, 0.001, 0.05]),
        latency_ms_per_page=st.sampled_from([0, 50, 5_000]),
    ),
    max_size=3,
).map(Economics)


@st.composite
def installations(draw: st.DrawFn) -> CapabilitySnapshot:
    """Any part of the pool, each available or not; something always reads a PDF, else there is no plan at all."""
    chosen = draw(st.lists(st.sampled_from(POOL), unique=True))
    switched = [
        each.model_copy(update={"available": draw(st.booleans()), "unavailable_reason": "not here"}) for each in chosen
    ]
    return snapshot([*(each for each in switched if each.id != NATIVE.id), NATIVE, MANUAL])


@st.composite
def detections(draw: st.DrawFn, document: Observation) -> Detection | None:
    if draw(st.booleans()):
        return None
    scopes = ["document", *(f"page:{page.number}" for page in document.pages)]
    nominations = st.tuples(st.sampled_from(scopes), st.sampled_from([*IDS, "missing-parser"]))
    return Detection(matches=tuple(match(scope, nominee) for scope, nominee in draw(st.lists(nominations, max_size=4))))


@st.composite
def questions(draw: st.DrawFn) -> tuple[Observation, CapabilitySnapshot, Constraints, Economics, Detection | None]:
    document = draw(documents)
    return document, draw(installations()), draw(constraint_sets), draw(price_overrides), draw(detections(document))


def answer(
    document: Observation,
    inventory: CapabilitySnapshot,
    constraints: Constraints,
    economics: Economics,
    detection: Detection | None,
) -> RoutePlan:
    parts = RequestParts(constraints=constraints, signature_detection=detection is not None)
    return decide(document, inventory, parts, economics, detection or Detection())


quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@quick
@given(questions())
def test_the_same_question_has_the_same_answer_to_the_byte(question: tuple) -> None:
    """PLN-01."""
    first, second = answer(*question), answer(*question)
    assert first.model_dump_json() == second.model_dump_json()
    assert first.plan_id == compute_plan_id(RoutePlan.model_validate_json(first.model_dump_json()))


@quick
@given(questions())
def test_every_page_has_a_route_or_the_plan_is_unsatisfied(question: tuple) -> None:
    decided = answer(*question)
    assert sorted(decided.routes()) == [page.number for page in question[0].pages]
    if decided.status is PlanStatus.READY:
        assert all(route.capability_ids for route in decided.routes().values())
        assert not decided.unsatisfied
    else:
        assert decided.unsatisfied


@quick
@given(questions())
def test_constraints_only_ever_shrink_a_route(question: tuple) -> None:
    """CON-01: what is left stands in the order it had."""
    document, inventory, _, economics, detection = question
    free = answer(document, inventory, Constraints(), economics, detection)
    constrained = answer(*question)
    for page, route in constrained.routes().items():
        left = set(route.capability_ids)
        assert route.capability_ids == tuple(name for name in free.routes()[page].capability_ids if name in left)


@quick
@given(questions())
def test_a_ready_plan_keeps_every_constraint_it_was_given(question: tuple) -> None:
    decided = answer(*question)
    _, inventory, constraints, economics, _ = question
    if decided.status is PlanStatus.UNSATISFIED:
        return
    if constraints.maximum_cost_usd is not None:
        assert decided.estimates.cost_usd <= constraints.maximum_cost_usd
    if constraints.deadline_ms is not None:
        assert decided.estimates.latency_ms <= constraints.deadline_ms
    for name in {name for route in decided.routes().values() for name in route.capability_ids}:
        rung = inventory.capability(name)
        assert rung is not None
        assert rung.available
        assert constraints.gpu_allowed or rung.device is not Device.GPU
        assert not constraints.data_residency or rung.device is not Device.EXTERNAL
        assert constraints.capability_ids is None or name in constraints.capability_ids
        assert constraints.minimum_quality is None or economics.of(rung).quality >= constraints.minimum_quality


@quick
@given(questions())
def test_one_budget_is_unsatisfied_only_where_even_the_cheapest_rungs_break_it(question: tuple) -> None:
    """A plan that says no although there is a route would send a document to a person for nothing."""
    document, inventory, constraints, economics, detection = question
    without = constraints.model_copy(update={"maximum_cost_usd": None, "deadline_ms": None, "fallbacks_allowed": True})
    free = answer(document, inventory, without, economics, detection)
    decided = answer(document, inventory, without.model_copy(update={"maximum_cost_usd": 0.01}), economics, detection)
    if free.status is PlanStatus.READY:
        cheapest = sum(
            min(economics.of(rung_of(inventory, name)).cost_usd_per_page for name in route.capability_ids)
            for route in free.routes().values()
        )
        assert (decided.status is PlanStatus.READY) == (round(cheapest, 6) <= 0.01)


def rung_of(inventory: CapabilitySnapshot, name: str) -> CapabilityDescriptor:
    rung = inventory.capability(name)
    assert rung is not None
    return rung


@quick
@given(questions())
def test_manual_review_is_the_last_of_its_route(question: tuple) -> None:
    for route in answer(*question).routes().values():
        assert MANUAL.id not in route.capability_ids[:-1]


@quick
@given(documents, installations(), constraint_sets, price_overrides)
def test_fallbacks_stand_in_the_order_of_the_ladder(
    document: Observation, inventory: CapabilitySnapshot, constraints: Constraints, economics: Economics
) -> None:
    """PLN-03: prices choose among rungs and never reorder them, and no parser is among them unasked."""
    for route in answer(document, inventory, constraints, economics, None).routes().values():
        places = [(RUNGS.index(KIND[name]), name) for name in route.capability_ids]
        assert all(before < after for before, after in pairwise(places))


@quick
@given(questions())
def test_overrides_are_minimal_and_the_default_is_the_most_common_route(question: tuple) -> None:
    """PLN-07."""
    decided = answer(*question)
    assert all(route.capability_ids != decided.document.capability_ids for route in decided.pages)
    taken = [tuple(names) for names in routes(decided).values()]
    if taken:
        most = max(taken.count(each) for each in taken)
        assert decided.document.capability_ids == next(each for each in taken if taken.count(each) == most)


RELAXATIONS = [
    {"minimum_quality": None},
    {"gpu_allowed": True},
    {"data_residency": False},
    {"capability_ids": None},
]


@pytest.mark.parametrize("relaxed", RELAXATIONS)
@quick
@given(document=documents, inventory=installations(), constraints=constraint_sets)
def test_relaxing_a_constraint_never_makes_a_plan_dearer_or_slower(
    relaxed: dict, document: Observation, inventory: CapabilitySnapshot, constraints: Constraints
) -> None:
    """True under prices that rise down the ladder, as the shipped ones do, where every page is read before and after."""
    costs = [DEFAULTS[kind].cost_usd_per_page for kind in RUNGS]
    assert costs == sorted(costs)
    strict = answer(document, inventory, constraints, Economics(), None)
    loose = answer(document, inventory, constraints.model_copy(update=relaxed), Economics(), None)
    if strict.status is PlanStatus.READY:
        assert loose.status is PlanStatus.READY
        assert loose.estimates.cost_usd <= strict.estimates.cost_usd
        assert loose.estimates.latency_ms <= strict.estimates.latency_ms


@quick
@given(documents, installations())
def test_a_reason_is_written_for_the_document_or_for_a_page_that_is_there(
    document: Observation, inventory: CapabilitySnapshot
) -> None:
    decided = plan(document, inventory)
    scopes = {"document", *(f"page:{page.number}" for page in document.pages)}
    assert {reason.scope for reason in decided.reasons} <= scopes
    assert len({(reason.scope, reason.code, reason.message) for reason in decided.reasons}) == len(decided.reasons)
