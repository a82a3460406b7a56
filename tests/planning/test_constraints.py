"""CON-01 and CON-02: constraints shrink ladders, and an impossible one is a line that says what to change."""

from typing import Any

import pytest
from planning.builders import (
    MANUAL,
    NATIVE,
    OCR,
    PDF,
    VLM,
    A,
    P,
    capability,
    match,
    observed,
    plan,
    routes,
    snapshot,
    without_engines,
)

from indx_core.contracts.capability import CapabilityKind, Device
from indx_core.contracts.plan import PlanStatus, RoutePlan
from indx_core.planning.economics import parse_economics
from indx_core.planning.signatures import Detection

DEAR_OCR = parse_economics('{"generic-ocr": {"cost_usd_per_page": 0.05, "latency_ms_per_page": 100}}')


def excluded(decided: RoutePlan) -> list[str]:
    return [reason.message for reason in decided.reasons if reason.code == "rung_excluded"]


@pytest.mark.parametrize(
    ("constraints", "route"),
    [
        ({}, ["generic-ocr", "generic-vlm", "manual-review"]),
        ({"minimum_quality": 0.85}, ["generic-vlm", "manual-review"]),
        ({"minimum_quality": 0.95}, ["manual-review"]),
        ({"data_residency": True}, ["generic-ocr", "manual-review"]),
        ({"maximum_cost_usd": 0.005}, ["generic-ocr", "manual-review"]),
        ({"deadline_ms": 1000}, ["generic-ocr", "manual-review"]),
        ({"fallbacks_allowed": False}, ["generic-ocr"]),
        ({"capability_ids": ("manual-review", "generic-vlm")}, ["generic-vlm", "manual-review"]),
        ({"capability_ids": ("generic-vlm",), "fallbacks_allowed": False}, ["generic-vlm"]),
        ({"minimum_quality": 0.6, "deadline_ms": 30000, "maximum_cost_usd": 0.05, "gpu_allowed": False},
         ["generic-ocr", "generic-vlm", "manual-review"]),
    ],
)  # fmt: skip
def test_each_constraint_shrinks_the_ladder(constraints: dict[str, Any], route: list[str]) -> None:
    """CON-01, CON-02."""
    decided = plan(observed(A), **constraints)
    assert (decided.status, routes(decided)) == (PlanStatus.READY, {1: route})


def test_a_gpu_lane_is_left_out_where_the_gpu_is_not_allowed() -> None:
    local = VLM.model_copy(update={"device": Device.GPU})
    decided = plan(observed(A), snapshot([OCR, local, MANUAL]), gpu_allowed=False)
    assert routes(decided) == {1: ["generic-ocr", "manual-review"]}
    assert excluded(decided) == ["gpu_allowed leaves out generic-vlm (on a GPU)"]


def test_a_local_vision_lane_is_kept_under_data_residency() -> None:
    local = VLM.model_copy(update={"device": Device.GPU})
    assert routes(plan(observed(A), snapshot([local, MANUAL]), data_residency=True)) == {
        1: ["generic-vlm", "manual-review"]
    }


def test_the_plan_names_what_each_constraint_left_out() -> None:
    decided = plan(observed(A), minimum_quality=0.85, data_residency=True)
    assert excluded(decided) == [
        "minimum_quality leaves out generic-ocr (expected quality too low)",
        "data_residency leaves out generic-vlm (on an external device)",
    ]


def test_an_allowlist_that_leaves_a_page_unread_is_unsatisfied_naming_the_page() -> None:
    """CON-02: the ladder of page 1 is untouched, so only page 2 is named."""
    decided = plan(observed(P, A), capability_ids=("native-extraction",))
    assert decided.status is PlanStatus.UNSATISFIED
    assert decided.unsatisfied == (
        "capability_ids: none of native-extraction reads page:2; add generic-ocr, generic-vlm or manual-review",
    )
    assert routes(decided) == {1: ["native-extraction"], 2: []}


def test_an_unread_run_of_pages_is_one_line() -> None:
    decided = plan(observed(P, A, A, A, P, A), capability_ids=("native-extraction",))
    (line,) = decided.unsatisfied
    assert "reads pages 2-4, 6; add" in line


def test_an_empty_allowlist_admits_nothing() -> None:
    (line,) = plan(observed(P), capability_ids=()).unsatisfied
    assert line.startswith("capability_ids: the list is empty, so document is unread; add native-extraction, ")


def test_an_unknown_id_on_the_allowlist_is_unsatisfied_even_where_others_read() -> None:
    """CON-02: a misspelt reader must not quietly become the next one."""
    decided = plan(observed(P), capability_ids=("native-extraction", "native-extracion"))
    assert decided.status is PlanStatus.UNSATISFIED
    assert len(decided.unsatisfied) == 1
    assert decided.unsatisfied[0].startswith("capability_ids: no installed capability is called native-extracion; ")


def test_an_allowed_reader_that_cannot_run_is_named_with_the_remedy() -> None:
    (line,) = plan(observed(A), snapshot(without_engines()), capability_ids=("generic-ocr",)).unsatisfied
    assert line == (
        "capability_ids: none of generic-ocr reads document; add manual-review; generic-ocr cannot run here: "
        "install the 'ocr' extra; missing: rapidocr"
    )


def test_the_allowlist_filters_nominated_parsers_and_manual_review() -> None:
    """CON-02."""
    recognised = Detection(matches=(match(),))
    decided = plan(observed(P), matches=recognised, capability_ids=("native-extraction",))
    assert routes(decided) == {1: ["native-extraction"]}
    assert excluded(decided) == [
        "capability_ids leaves out invoice-parser, generic-ocr, generic-vlm and manual-review (not on the list)"
    ]


@pytest.mark.parametrize(
    ("constraints", "line"),
    [
        (
            {"minimum_quality": 0.95},
            (
                "minimum_quality: no reader of document is expected to reach 0.95 (left out: generic-ocr, generic-vlm); "
                "lower it to 0.9"
            ),
        ),
        (
            {"data_residency": True, "minimum_quality": 0.85},
            (
                "data_residency: every reader left for document runs on an external device (generic-vlm); install a local "
                "one, or drop data_residency"
            ),
        ),
        (
            {"maximum_cost_usd": 0.0001},
            (
                "maximum_cost_usd: the cheapest route of the document is expected to come to $0.0005 (generic-ocr on 1 "
                "page) and the limit is $0.0001; raise it to $0.0005, or admit a reader below that"
            ),
        ),
        (
            {"deadline_ms": 399},
            (
                "deadline_ms: the fastest route of the document is expected to come to 400 ms (generic-ocr on 1 page) and "
                "the limit is 399 ms; raise it to 400 ms, or admit a reader below that"
            ),
        ),
    ],
)
def test_an_impossible_constraint_is_unsatisfied_with_what_would_satisfy_it(
    constraints: dict[str, Any], line: str
) -> None:
    """CON-01: a plan with a line, never an error."""
    decided = plan(observed(A), snapshot([OCR, VLM]), **constraints)
    assert decided.status is PlanStatus.UNSATISFIED
    assert line in decided.unsatisfied


def test_a_gpu_only_install_without_the_gpu_is_unsatisfied() -> None:
    local = VLM.model_copy(update={"device": Device.GPU})
    (line,) = plan(observed(A), snapshot([local]), gpu_allowed=False).unsatisfied
    assert line == "gpu_allowed: every reader left for document runs on a GPU (generic-vlm); allow the GPU"


def test_a_budget_counts_the_whole_document() -> None:
    """CON-01: each page alone would fit."""
    within, beyond = (plan(observed(*[A] * pages), maximum_cost_usd=0.005) for pages in (10, 11))
    assert (within.status, within.estimates.cost_usd) == (PlanStatus.READY, 0.005)
    assert beyond.status is PlanStatus.UNSATISFIED
    assert beyond.estimates.cost_usd == 0.0055, "the plan still shows what it would cost"


def test_a_deadline_counts_the_whole_document() -> None:
    within, beyond = (plan(observed(*[A] * pages), deadline_ms=4000) for pages in (10, 11))
    assert [within.status, beyond.status] == [PlanStatus.READY, PlanStatus.UNSATISFIED]


def test_an_operators_price_moves_a_constrained_route_to_the_next_rung() -> None:
    """ECO-02: OCR at $0.05 does not fit into $0.02, the vision lane at $0.01 does."""
    decided = plan(observed(A), economics=DEAR_OCR, maximum_cost_usd=0.02)
    assert routes(decided) == {1: ["generic-vlm", "manual-review"]}
    assert excluded(decided) == ["maximum_cost_usd leaves out generic-ocr (dearer than the document may be)"]


def test_a_rung_is_taken_from_the_pages_that_have_a_cheaper_one_until_the_sum_fits() -> None:
    """One page of OCR would fit into the budget, ten do not."""
    decided = plan(observed(*[A] * 10), economics=DEAR_OCR, maximum_cost_usd=0.2)
    assert decided.status is PlanStatus.READY
    assert decided.document.capability_ids == ("generic-vlm", "manual-review")
    assert decided.estimates.cost_usd == 0.1


def test_two_budgets_that_exclude_each_other_are_both_named() -> None:
    """OCR is fast and dear here, vision cheap and slow: each budget alone has a route."""
    decided = plan(observed(A), economics=DEAR_OCR, maximum_cost_usd=0.02, deadline_ms=200)
    assert decided.status is PlanStatus.UNSATISFIED
    assert [line.partition(":")[0] for line in decided.unsatisfied] == ["maximum_cost_usd", "deadline_ms"]


def test_manual_review_behind_a_reader_survives_a_budget_below_its_price() -> None:
    """It spends nothing in the run: without it, one unreadable page would fail the whole document."""
    decided = plan(observed(A), maximum_cost_usd=0.001)
    assert routes(decided)[1][-1] == "manual-review"


def test_manual_review_as_the_only_reader_has_its_price() -> None:
    (line,) = plan(observed(A), snapshot(without_engines()), maximum_cost_usd=1).unsatisfied
    assert line.startswith("maximum_cost_usd: the cheapest route of the document is expected to come to $2 (manual-")


def test_a_free_document_fits_a_budget_of_nothing() -> None:
    decided = plan(observed(P), maximum_cost_usd=0)
    assert (decided.status, routes(decided)) == (PlanStatus.READY, {1: ["native-extraction", "manual-review"]})


def test_a_document_without_pages_fits_every_budget() -> None:
    assert plan(observed(), maximum_cost_usd=0, deadline_ms=1).status is PlanStatus.READY


def test_naming_the_reader_gives_one_reader_a_page() -> None:
    """CON-02: both set."""
    decided = plan(observed(P, A), capability_ids=("native-extraction", "generic-ocr"), fallbacks_allowed=False)
    assert routes(decided) == {1: ["native-extraction"], 2: ["generic-ocr"]}


def test_a_hosted_ocr_is_admitted_on_the_price_of_its_kind_until_the_operator_corrects_it() -> None:
    """ECO-02: the admitted weakness, and its remedy."""
    hosted = capability("hosted-ocr", CapabilityKind.OCR, PDF, device=Device.EXTERNAL)
    inventory = snapshot([NATIVE, hosted, MANUAL])
    corrected = parse_economics('{"hosted-ocr": {"cost_usd_per_page": 0.05}}')
    assert plan(observed(A), inventory, maximum_cost_usd=0.001).status is PlanStatus.READY
    assert plan(observed(A), inventory, economics=corrected, maximum_cost_usd=0.001).status is PlanStatus.UNSATISFIED
