"""The signatures as a caller meets them: planned with detection on, routed ahead of the ladder, encoded."""

from typing import Any

import pytest
from office_builder import frame, pptx, shape
from signatures.invoice.invoices import ENGLISH, JAPANESE, pdf
from signatures.process_chart.charts import CASES

from indx_core.app.service import Service
from indx_core.contracts.encode import EncodeRequest, EncodeResult
from indx_core.contracts.page import PageStatus
from indx_core.contracts.plan import PlanRequest, PlanStatus, RoutePlan
from indx_core.contracts.source import InlineSource

CHART_ON_PAGE_2 = CASES["impregnation-line"]()


def planned(data: bytes, **options: Any) -> RoutePlan:
    request = PlanRequest(source=InlineSource(data=data, filename="x.txt"), **{"signature_detection": True, **options})
    return Service().plan(request).plan


def encoded(data: bytes, **options: Any) -> EncodeResult:
    request = EncodeRequest(
        source=InlineSource(data=data, filename="x.txt"), **{"signature_detection": True, **options}
    )
    return Service().encode(request)


def metadata(result: EncodeResult) -> dict[str, Any]:
    return {block.id: block.metadata for block in result.blocks if block.id.startswith("page:") and "/" not in block.id}


def test_a_slide_drawn_as_a_process_chart_nominates_its_parser_for_that_slide_alone() -> None:
    plan = planned(CHART_ON_PAGE_2)
    assert plan.document.capability_ids == ("office-extraction", "manual-review")
    assert [(route.scope, route.capability_ids) for route in plan.pages] == [
        ("page:2", ("process-chart-parser", "office-extraction", "manual-review"))
    ]
    (match,) = plan.signatures
    assert (match.signature, match.scope) == ("process-chart", "page:2")
    assert match.evidence == ("connected_symbols", "symbol_family", "labelled_symbols")
    assert match.confidence == 1.0


def test_encoding_it_puts_the_graph_on_the_page_block_and_the_chunks_stay() -> None:
    result, plain = encoded(CHART_ON_PAGE_2), encoded(CHART_ON_PAGE_2, signature_detection=False)
    assert ["process_chart" in found for found in metadata(result).values()] == [False, True]
    graph = metadata(result)["page:2"]["process_chart"]
    assert {node["role"] for node in graph["nodes"] if "role" in node} == {
        "material",
        "operation",
        "inspection",
        "assembly",
    }
    assert [block.text for block in result.blocks] == [block.text for block in plain.blocks]
    assert [block.bbox for block in result.blocks] == [block.bbox for block in plain.blocks]


def test_without_the_flag_nothing_is_recognised() -> None:
    plan = planned(CHART_ON_PAGE_2, signature_detection=False)
    assert (plan.signatures, plan.pages) == ((), ())


@pytest.mark.parametrize(
    ("data", "ladder"),
    [
        (pdf(ENGLISH), ("native-extraction", "generic-ocr", "generic-vlm", "manual-review")),
        (JAPANESE.encode(), ("text-extraction", "manual-review")),
    ],
    ids=["pdf", "text"],
)
def test_an_invoice_is_routed_to_its_parser_with_the_ladder_behind_it(data: bytes, ladder: tuple[str, ...]) -> None:
    """Which rungs of recognition can run differs between machines; the parser leads whatever is left."""
    plan = planned(data)
    route = plan.document.capability_ids
    assert (plan.status, route[0], route[1], route[-1]) == (
        PlanStatus.READY,
        "invoice-parser",
        ladder[0],
        "manual-review",
    )
    assert [rung for rung in ladder if rung in route] == list(route[1:])
    assert [(match.scope, match.confidence) for match in plan.signatures] == [("document", 1.0)]


def test_encoding_an_invoice_puts_its_fields_on_the_page_and_names_the_parser() -> None:
    result = encoded(pdf(ENGLISH, "Terms"))
    assert metadata(result)["page:1"]["invoice"]["amounts"][-1] == {
        "role": "due",
        "label": "Amount due",
        "amount": "110.00",
        "currency": "USD",
    }
    assert "invoice" not in metadata(result)["page:2"]
    readers = {event.actual_capability_id for event in result.trace.events}
    assert readers == {"invoice-parser"}


def test_a_supplied_plan_reads_the_fields_again_without_detection() -> None:
    """Replay: the route names the parser, and nothing is recognised a second time."""
    plan = planned(JAPANESE.encode())
    result = encoded(JAPANESE.encode(), signature_detection=False, plan=plan)
    assert metadata(result)["page:1"]["invoice"]["number"] == "ＫＴ－２０２６－００４２"


def test_a_deck_without_a_chart_and_a_text_that_is_no_invoice_are_planned_as_ever() -> None:
    for data in (pptx(shape(2, "words", frame(0, 0, 9, 9))), b"minutes of a meeting"):
        with_detection, without = planned(data), planned(data, signature_detection=False)
        assert (with_detection.document, with_detection.signatures) == (without.document, ())


def test_every_page_is_completed() -> None:
    statuses = {block.status for block in encoded(CASES["two-charts"]()).blocks}
    assert statuses == {PageStatus.COMPLETED}
