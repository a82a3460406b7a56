"""Routes: PLN-01, PLN-02, PLN-03, PLN-05, PLN-06, PLN-07, ECO-01."""

import json

import pytest
from planning.builders import (
    ACME,
    CONTRACT,
    INVOICE,
    MANUAL,
    NATIVE,
    OCR,
    PDF,
    STANDARD,
    VLM,
    A,
    P,
    U,
    capability,
    match,
    observed,
    plan,
    routes,
    snapshot,
    without_engines,
)

from indx_core.contracts.capability import CapabilityKind
from indx_core.contracts.errors import InvalidEmbeddingSpace, UnsupportedGranularity, UnsupportedMediaType
from indx_core.contracts.observation import TextLayer
from indx_core.contracts.plan import Component, Granularity, PlanResult, PlanStatus, RoutePlan
from indx_core.planning.decide import decide
from indx_core.planning.economics import Economics
from indx_core.planning.plan_id import compute_plan_id
from indx_core.planning.request import RequestParts
from indx_core.planning.signatures import Detection

FULL = ["native-extraction", "generic-ocr", "generic-vlm", "manual-review"]
RECOGNITION = FULL[1:]


def codes(decided: RoutePlan) -> list[tuple[str, str]]:
    return [(reason.scope, reason.code) for reason in decided.reasons]


def test_a_scanned_page_of_a_text_document_gets_its_own_route() -> None:
    """PLN-03 and PLN-07: the example of the feature description."""
    decided = plan(observed(P, A, P))
    assert list(decided.document.capability_ids) == FULL
    assert [(route.scope, list(route.capability_ids)) for route in decided.pages] == [("page:2", RECOGNITION)]
    assert decided.status is PlanStatus.READY


def test_plain_text_is_read_by_its_reader_or_a_person() -> None:
    assert routes(plan(observed(P, media_type="text/plain"))) == {1: ["text-extraction", "manual-review"]}


def test_readers_of_one_kind_stand_in_the_order_of_their_ids() -> None:
    other = capability("a-ocr", CapabilityKind.OCR, PDF)
    decided = plan(observed(A), snapshot([OCR, VLM, MANUAL, other]))
    assert routes(decided) == {1: ["a-ocr", "generic-ocr", "generic-vlm", "manual-review"]}


@pytest.mark.parametrize("layer", [A, U])
def test_a_page_without_a_trusted_text_layer_starts_with_recognition(layer: TextLayer) -> None:
    assert routes(plan(observed(layer))) == {1: RECOGNITION}


def test_a_blank_page_is_read_natively() -> None:
    """Recognising nothing costs as much as recognising something."""
    decided = plan(observed(P, P, signals={2: ("empty",)}))
    assert routes(decided) == {1: FULL, 2: FULL}
    assert decided.pages == ()
    assert ("page:2", "blank_page") in codes(decided)


def test_the_most_common_route_is_the_documents() -> None:
    decided = plan(observed(P, A, A))
    assert list(decided.document.capability_ids) == RECOGNITION
    assert [route.scope for route in decided.pages] == ["page:1"]


@pytest.mark.parametrize(("layers", "expected"), [((A, P), RECOGNITION), ((P, A, A, P), FULL)])
def test_between_equally_common_routes_the_earliest_page_decides(
    layers: tuple[TextLayer, ...], expected: list[str]
) -> None:
    assert list(plan(observed(*layers)).document.capability_ids) == expected


def test_rungs_that_cannot_run_are_descended_past_with_the_reason() -> None:
    decided = plan(observed(A), snapshot(without_engines()))
    assert routes(decided) == {1: ["manual-review"]}
    assert decided.status is PlanStatus.READY
    said = [reason.message for reason in decided.reasons if reason.code == "rung_unavailable"]
    assert said == [
        "generic-ocr cannot run here: install the 'ocr' extra; missing: rapidocr",
        "generic-vlm cannot run here: set INDX_VLM_MODEL",
    ]


def test_a_document_without_pages_has_a_default_route_and_no_price() -> None:
    decided = plan(observed())
    assert list(decided.document.capability_ids) == FULL
    assert (decided.page_count, decided.pages, decided.status) == (0, (), PlanStatus.READY)
    assert decided.estimates.model_dump() == {"cost_usd": 0.0, "latency_ms": 0, "quality": 0.0}
    assert codes(decided) == [("document", "no_pages")]


def test_one_scanned_page_costs_what_the_feature_description_says() -> None:
    """ECO-01."""
    assert plan(observed(A)).estimates.model_dump() == {"cost_usd": 0.0005, "latency_ms": 400, "quality": 0.8}


def test_a_page_for_a_person_costs_two_dollars_and_a_day() -> None:
    """ECO-01."""
    estimates = plan(observed(A, A), snapshot(without_engines())).estimates
    assert (estimates.cost_usd, estimates.latency_ms) == (4.0, 2 * 86_400_000)


def test_estimates_add_up_the_first_choices_and_average_their_quality() -> None:
    estimates = plan(observed(P, A, A)).estimates
    assert estimates.model_dump() == {"cost_usd": 0.001, "latency_ms": 820, "quality": 0.86}


def test_a_plan_carries_every_field_the_contract_names() -> None:
    """PLN-02."""
    decided = plan(observed(P, A), request_id="mine")
    dumped = decided.model_dump(mode="json")
    assert dumped["request_id"] == "mine"
    assert dumped["source_digest"] == "sha256:" + "0" * 64
    assert dumped["snapshot_id"] == snapshot().snapshot_id
    assert dumped["policy_version"] == snapshot().policy_version
    assert dumped["regions"] == []
    assert dumped["document"] == {"scope": "document", "capability_ids": FULL}
    assert RoutePlan.model_validate_json(decided.model_dump_json()) == decided


def test_no_measure_of_the_observation_reaches_the_plan() -> None:
    """PLN-02: preflight features are private. Two documents that differ only in them have the same plan."""
    page = observed(U, signals={1: ("garbage_text",)}).pages[0]
    measured = page.model_copy(update={"measures": {"unmapped_share": 0.7253}, "label": "SECRET"})
    bare, rich = (observed().model_copy(update={"pages": (each,)}) for each in (page, measured))
    assert plan(rich) == plan(bare)


def test_the_same_question_has_the_same_plan_id_whoever_asks() -> None:
    """PLN-01."""
    assert plan(observed(P, A), request_id="one").plan_id == plan(observed(P, A), request_id="two").plan_id


@pytest.mark.filterwarnings("ignore:Pydantic serializer")  # a string stands in for every field's type
@pytest.mark.parametrize("field", sorted(RoutePlan.model_fields.keys() - {"plan_id", "request_id"}))
def test_every_field_of_a_plan_is_part_of_its_identity(field: str) -> None:
    """PLN-01: a field left out of the hash could be edited in a stored plan without anybody noticing."""
    decided = plan(observed(P, A))
    edited = decided.model_copy(update={field: "changed"})
    assert compute_plan_id(decided) == decided.plan_id
    assert compute_plan_id(edited) != decided.plan_id


def test_reasons_name_the_common_condition_once_and_the_pages_that_differ() -> None:
    signals = {2: ("garbage_text",), 4: ("invisible_text",)}
    decided = plan(observed(A, U, A, U, A, signals=signals))
    assert [(reason.scope, reason.code, reason.message) for reason in decided.reasons] == [
        ("document", "no_text_layer", "3 of 5 pages: there is no text layer to read"),
        (
            "page:2",
            "untrusted_text_layer",
            "the text layer is not trusted: its characters do not map to readable text (garbage_text)",
        ),
        (
            "page:4",
            "untrusted_text_layer",
            "the text layer is not trusted: it stands invisibly over a scan (invisible_text)",
        ),
    ]


def test_a_thousand_pages_alike_have_one_reason() -> None:
    assert codes(plan(observed(*[P] * 1000))) == [("document", "text_layer")]


def test_a_type_only_a_parser_reads_is_unsatisfied_while_detection_is_off() -> None:
    """PLN-05: the sentence of the feature description, to the letter."""
    decided = plan(observed(P, media_type=CONTRACT), snapshot([*STANDARD, ACME]))
    assert decided.status is PlanStatus.UNSATISFIED
    assert decided.unsatisfied == (
        (
            "routing: application/vnd.acme.contract is read only by parser acme-contract-parser, and a parser reaches a "
            "route only through signature nomination -- plan with signature_detection=true"
        ),
    )


def test_several_parsers_of_one_type_are_all_named() -> None:
    other = capability("b-parser", CapabilityKind.PARSER, CONTRACT)
    (line,) = plan(observed(P, media_type=CONTRACT), snapshot([ACME, other, MANUAL])).unsatisfied
    assert "only by parsers acme-contract-parser and b-parser, and" in line


def test_where_detection_ran_and_matched_nothing_manual_review_is_honest() -> None:
    """PLN-05."""
    decided = plan(observed(P, media_type=CONTRACT), snapshot([*STANDARD, ACME]), matches=Detection())
    assert (decided.status, routes(decided)) == (PlanStatus.READY, {1: ["manual-review"]})


def test_a_recognised_document_of_a_parser_only_type_goes_to_its_parser() -> None:
    recognised = Detection(matches=(match(nominee=ACME.id, signature="contract"),))
    decided = plan(observed(P, media_type=CONTRACT), snapshot([*STANDARD, ACME]), matches=recognised)
    assert routes(decided) == {1: ["acme-contract-parser", "manual-review"]}


def test_a_type_nothing_reads_is_refused_naming_what_is_read() -> None:
    with pytest.raises(
        UnsupportedMediaType, match=r"reads application/x-foo; this installation reads application/pdf, "
    ):
        plan(observed(P, media_type="application/x-foo"))


def test_a_reader_that_is_only_missing_its_extra_counts_as_reading_the_type() -> None:
    """Then a person looks, and the reason says what to install: a refusal would hide the remedy."""
    decided = plan(observed(A, media_type="image/png"), snapshot(without_engines()))
    assert (decided.status, routes(decided)) == (PlanStatus.READY, {1: ["manual-review"]})


def test_an_install_without_a_reader_that_runs_is_unsatisfied_saying_what_to_install() -> None:
    decided = plan(observed(A), snapshot([each for each in without_engines() if each != MANUAL]))
    assert decided.unsatisfied == (
        (
            "routing: no capability that can run here reads document; generic-ocr cannot run here: install the 'ocr' extra; "
            "missing: rapidocr; generic-vlm cannot run here: set INDX_VLM_MODEL"
        ),
    )


def test_an_unsatisfied_plan_says_everything_encode_has_to_repeat() -> None:
    """PLN-06: the plan itself carries status, lines and every page, so the executor decides nothing of its own."""
    decided = plan(observed(P, A, A), capability_ids=("native-extraction",))
    stored = RoutePlan.model_validate(json.loads(decided.model_dump_json()))
    assert stored.status is PlanStatus.UNSATISFIED
    assert stored.unsatisfied == decided.unsatisfied != ()
    assert routes(stored) == {1: ["native-extraction"], 2: [], 3: []}


def test_a_parser_is_on_no_route_that_no_signature_nominated() -> None:
    assert INVOICE.id not in routes(plan(observed(P)))[1]


def test_routes_answers_for_every_page_what_route_answers_for_one() -> None:
    decided = plan(observed(P, A, P, U))
    assert decided.routes() == {page: decided.route(page) for page in (1, 2, 3, 4)}


def test_deciding_refuses_what_no_document_could_satisfy() -> None:
    """A batch decides without a request, so the refusals hold here too."""
    for parts, error in [
        (RequestParts(granularities=(Granularity.REGION,)), UnsupportedGranularity),
        (RequestParts(embedding_space_ids=("nowhere",)), InvalidEmbeddingSpace),
    ]:
        with pytest.raises(error):
            decide(observed(P), snapshot(), parts, Economics())


def test_a_reader_that_declares_no_media_type_reads_any() -> None:
    anything = capability("any-ocr", CapabilityKind.OCR)
    assert routes(plan(observed(A, media_type="image/x-new"), snapshot([anything, NATIVE, MANUAL]))) == {
        1: ["any-ocr", "manual-review"]
    }


def test_who_fetched_and_observed_a_document_is_no_part_of_its_plan() -> None:
    """PLN-04: components stand beside the plan in PlanResult as diagnostics and are not hashed."""
    here = observed(P, A)
    elsewhere = here.model_copy(update={"loader": "indx-loader-s3", "sniffer": "other", "observer": "other"})
    named = (Component(role="observer", distribution=elsewhere.observer),)
    result = PlanResult(plan=plan(elsewhere), components=named)
    assert result.plan == plan(here)
    assert PlanResult.model_validate_json(result.model_dump_json()).components == named
