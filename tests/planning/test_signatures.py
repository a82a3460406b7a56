"""SIG-01 and SIG-02: a nominee leads what it recognised, and no signature can take a plan down."""

from typing import Any

import pytest
from planning.builders import (
    INVOICE,
    MANUAL,
    NATIVE,
    STANDARD,
    A,
    FakeSignature,
    P,
    capability,
    match,
    observed,
    plan,
    routes,
    snapshot,
)

from indx_core.contracts.capability import CapabilityDescriptor, CapabilityKind
from indx_core.contracts.errors import RequestTimeout, SourceUnreadable
from indx_core.contracts.plan import Constraints, RoutePlan
from indx_core.kit.registry import Contribution, build
from indx_core.planning.decide import decide
from indx_core.planning.economics import Economics
from indx_core.planning.request import RequestParts
from indx_core.planning.signatures import Detection, detect
from indx_core.ports.document import OpenDocument
from indx_core.ports.signature import Signature

LADDER = ["native-extraction", "generic-ocr", "generic-vlm", "manual-review"]


def asked(*signatures: FakeSignature, pages: int = 2) -> Detection:
    """What installed signatures say about a PDF, through the registry as an outside plugin would come in."""
    registry = build([("plugin", Contribution(signatures=signatures))])
    observation = observed(*[P] * pages)
    return detect(registry.signatures, OpenDocument(b"%PDF", observation.media_type), observation)


def said(decided: RoutePlan | Detection) -> list[tuple[str, str]]:
    return [(each.code, each.message) for each in decided.reasons if each.code.startswith(("signature", "nominee"))]


def test_the_test_plugin_is_a_signature() -> None:
    assert isinstance(FakeSignature([]), Signature)


def test_a_nominee_leads_and_the_ladder_stays_behind_it() -> None:
    """SIG-01: the route of the feature description."""
    decided = plan(observed(P), matches=asked(FakeSignature([match()])))
    assert routes(decided) == {1: ["invoice-parser", *LADDER]}
    assert said(decided) == [
        (
            "signature_nominated",
            "signature invoice recognised document and nominates invoice-parser, which leads with the ladder behind it",
        )
    ]


def test_a_match_reports_signature_scope_evidence_nominee_and_confidence() -> None:
    """SIG-01."""
    (reported,) = plan(observed(P), matches=asked(FakeSignature([match(confidence=2 / 3)]))).signatures
    assert reported.model_dump() == {
        "signature": "invoice",
        "scope": "document",
        "evidence": ("title", "total"),
        "nominated_capability_id": "invoice-parser",
        "confidence": 0.6667,
    }


def test_a_page_match_leads_that_page_only() -> None:
    decided = plan(observed(P, P, P), matches=asked(FakeSignature([match("page:2")]), pages=3))
    assert routes(decided) == {1: LADDER, 2: ["invoice-parser", *LADDER], 3: LADDER}
    assert [route.scope for route in decided.pages] == ["page:2"]


def test_a_nominee_leads_a_scanned_page_before_recognition() -> None:
    decided = plan(observed(A), matches=asked(FakeSignature([match()]), pages=1))
    assert routes(decided) == {1: ["invoice-parser", *LADDER[1:]]}


def test_matches_of_many_pages_are_one_reason() -> None:
    detection = asked(FakeSignature([match(f"page:{page}") for page in (1, 2, 3, 7)]), pages=8)
    (reason,) = said(plan(observed(*[P] * 8), matches=detection))
    assert "recognised pages 1-3, 7 and nominates" in reason[1]


def test_the_page_match_leads_the_document_match_and_the_surer_signature_the_other() -> None:
    parsers = [capability(f"{name}-parser", CapabilityKind.PARSER, "application/pdf") for name in ("a", "b", "c")]
    detection = asked(
        FakeSignature([match(nominee="a-parser", signature="a", confidence=0.5)], name="a"),
        FakeSignature([match(nominee="b-parser", signature="b", confidence=0.9)], name="b"),
        FakeSignature([match("page:1", nominee="c-parser", signature="c", confidence=0.1)], name="c"),
    )
    decided = plan(observed(P, P), snapshot([NATIVE, MANUAL, *parsers]), matches=detection)
    assert routes(decided) == {
        1: ["c-parser", "b-parser", "a-parser", "native-extraction", "manual-review"],
        2: ["b-parser", "a-parser", "native-extraction", "manual-review"],
    }


def test_a_nominee_that_already_is_a_rung_moves_to_the_front_once() -> None:
    decided = plan(observed(P), matches=Detection(matches=(match(nominee="generic-vlm"),)))
    assert routes(decided) == {1: ["generic-vlm", "native-extraction", "generic-ocr", "manual-review"]}


UNAVAILABLE = INVOICE.model_copy(update={"available": False, "unavailable_reason": "install it"})
OTHER_TYPE = INVOICE.model_copy(update={"media_types": ("text/html",)})


@pytest.mark.parametrize(
    ("inventory", "nominee", "code", "because"),
    [
        (STANDARD[:-1], "invoice-parser", "nominee_missing", "which is not installed"),
        ((*STANDARD[:-1], UNAVAILABLE), "invoice-parser", "nominee_unavailable", "which cannot run here: install it"),
        ((*STANDARD[:-1], OTHER_TYPE), "invoice-parser", "nominee_not_a_reader", "which does not read application/pdf"),
        (STANDARD, "manual-review", "nominee_not_a_reader", "which reads nothing"),
    ],
)
def test_a_nominee_that_cannot_lead_leaves_the_route_and_the_match_stays_reported(
    inventory: tuple[CapabilityDescriptor, ...], nominee: str, code: str, because: str
) -> None:
    """SIG-02."""
    decided = plan(observed(P), snapshot(inventory), matches=Detection(matches=(match(nominee=nominee),)))
    assert routes(decided) == {1: LADDER}
    assert [each.nominated_capability_id for each in decided.signatures] == [nominee]
    assert said(decided) == [
        (code, f"signature invoice recognised document and nominates {nominee}, {because}; the route is unchanged")
    ]


def test_matches_are_ignored_while_detection_is_off() -> None:
    """SIG-01: it is opt-in."""
    parts = RequestParts(constraints=Constraints(), signature_detection=False)
    decided = decide(observed(P), snapshot(), parts, Economics(), Detection(matches=(match(),)))
    assert (decided.signatures, routes(decided)) == ((), {1: LADDER})


def test_only_signatures_of_the_media_type_are_asked() -> None:
    pdf, html = FakeSignature([], media_types=("application/pdf",)), FakeSignature([], "x", media_types=("text/html",))
    asked(pdf, html)
    assert (pdf.asked, html.asked) == (["application/pdf"], [])


def raising(error: Exception) -> Any:
    def answer() -> Any:
        raise error

    return answer


@pytest.mark.parametrize(
    ("answer", "because"),
    [
        (raising(ValueError("/srv/secret/path")), "ValueError"),
        (raising(SourceUnreadable("the stream is damaged")), "the stream is damaged"),
        (["not a match"], "AttributeError"),
        ([match("page:9")], "it recognised page:9 in a document of 2 pages"),
        ([match("chunk:1")], "it recognised chunk:1 in a document of 2 pages"),
        ([match(confidence=1.5)], "it answered with a confidence outside 0-1"),
    ],
)
def test_a_signature_that_misbehaves_is_left_out_with_a_reason(answer: Any, because: str) -> None:
    """Never fatal, and a foreign exception's text stays here: it may name a path of the server."""
    detection = asked(FakeSignature(answer, name="broken"), FakeSignature([match()]))
    assert [each.signature for each in detection.matches] == ["invoice"]
    assert said(detection) == [("signature_failed", f"signature broken is left out: {because}")]
    assert said(plan(observed(P, P), matches=detection))[-1] == said(detection)[0]


def test_a_deadline_inside_a_signature_stops_the_work() -> None:
    with pytest.raises(RequestTimeout):
        asked(FakeSignature(raising(RequestTimeout("too late"))))
