"""The signature and the parser as a plan sees them: conformance, evidence, confidence, what is left to the ladder."""

import pytest
from office_builder import frame, pptx, replaced, shape
from signatures.process_chart.charts import CASES, MINIMAL, drawn, label, opened

from indx_core.contracts.observation import Observation
from indx_core.contracts.page import PageStatus
from indx_core.contracts.source import InlineSource
from indx_core.kit.intake import acquire, observe_document, open_document
from indx_core.kit.registry import Contribution, discover
from indx_core.ports.document import OpenDocument
from indx_core.signatures.process_chart.identity import MEDIA_TYPES
from indx_core.signatures.process_chart.parser import ProcessChartParser
from indx_core.signatures.process_chart.signature import ProcessChartSignature
from indx_core.testing.conformance import check_reader, check_signature
from indx_core.testing.fakes import fake_registry

DECK = CASES["impregnation-line"]()
PLAIN = pptx(shape(2, "only words", frame(0, 0, 100, 100)))


def observed(data: bytes) -> Observation:
    registry = discover()
    acquired = acquire(InlineSource(data=data), registry)
    with open_document(acquired, registry) as document:
        return observe_document(acquired, document, registry)


@pytest.mark.parametrize(("data", "matches"), [(DECK, True), (CASES["two-charts"](), True), (PLAIN, False)])
def test_the_signature_conforms(data: bytes, matches: bool) -> None:
    check_signature(ProcessChartSignature(), lambda: opened(data), observed(data), matches=matches)


@pytest.mark.parametrize("data", [DECK, PLAIN])
def test_the_parser_conforms(data: bytes) -> None:
    check_reader(ProcessChartParser(), lambda: opened(data), [page.number for page in observed(data).pages])


def test_both_are_installed_and_name_each_other() -> None:
    registry = discover()
    (signature,) = [each for each in registry.signatures if each.name == "process-chart"]
    assert registry.reader(signature.capability_id) is not None


def test_the_media_types_are_those_the_slides_reader_declares() -> None:
    reader = discover().reader("office-extraction")
    assert reader is not None
    assert set(MEDIA_TYPES) == {
        name
        for name in reader.descriptor.media_types
        if "slideshow" in name or "presentation" in name or "powerpoint" in name
    }


def detected(data: bytes) -> list[tuple[str, tuple[str, ...], float]]:
    with opened(data) as document:
        matches = ProcessChartSignature().detect(document, observed(data))
    return [(match.scope, match.evidence, round(match.confidence, 4)) for match in matches]


def test_a_slide_matches_by_itself() -> None:
    assert [scope for scope, _evidence, _confidence in detected(CASES["two-charts"]())] == ["page:1", "page:3"]


def test_labels_raise_the_confidence_by_the_share_of_symbols_that_carry_one() -> None:
    certain = ("connected_symbols", "symbol_family")
    assert detected(pptx(MINIMAL)) == [("page:1", certain, 0.6667)]
    one = MINIMAL + label(9, "銅線", (510, 130, 200, 40))
    assert detected(pptx(one)) == [("page:1", (*certain, "labelled_symbols"), 0.7778)]
    every = one + label(10, "巻線", (510, 430, 200, 40)) + label(11, "検査", (510, 730, 200, 40))
    assert detected(pptx(every)) == [("page:1", (*certain, "labelled_symbols"), 1.0)]


def test_the_parser_returns_what_the_slides_reader_would_and_the_chart_beside_it() -> None:
    native = discover().reader("office-extraction")
    assert native is not None
    with opened(DECK) as document:
        (plain,) = native.read(document, [2])
        (page,) = ProcessChartParser().read(document, [2])
    assert (page.text, page.lines, page.tables) == (plain.text, plain.lines, plain.tables)
    assert set(page.metadata) == {"process_chart"}


def test_what_is_guessed_and_what_is_left_out_is_said() -> None:
    with opened(DECK) as document:
        (page,) = ProcessChartParser().read(document, [2])
    assert page.findings == (
        ("hidden_shapes", "1 shape(s) with text are hidden in the source"),
        ("labels_by_position", "4 of 5 symbols are labelled by the text nearest to them, which is a guess"),
        ("loose_connectors", "2 connector(s) are not attached to two symbols and are no edges"),
    )


def test_a_slide_that_is_no_chart_is_left_to_the_ladder() -> None:
    with opened(PLAIN) as document:
        (page,) = ProcessChartParser().read(document, [1])
    assert (page.status, page.reason) == (PageStatus.FAILED, "the slide is not drawn as a process chart")


def test_a_damaged_slide_fails_with_the_reason_of_its_reader() -> None:
    with opened(replaced(pptx(MINIMAL), {"ppt/slides/page0.xml": "<p:sld"})) as document:
        (page,) = ProcessChartParser().read(document, [1])
    assert page.status is PageStatus.FAILED
    assert page.reason not in {None, "the slide is not drawn as a process chart"}


def test_without_a_reader_of_slides_the_parser_has_no_text_and_says_so() -> None:
    document = OpenDocument(pptx(MINIMAL + drawn(9, "rect", (0, 0, 10, 10))), MEDIA_TYPES[0])
    (page,) = ProcessChartParser().read(document, [1])
    assert (page.status, page.reason) == (PageStatus.FAILED, "no reader of the slide's text is installed")


def test_the_installation_s_own_reader_of_slides_is_the_one_asked() -> None:
    """A third party may replace it; the parser's text follows."""
    from indx_core.testing.fakes import FakeReader

    other = FakeReader(id="another", media_types=MEDIA_TYPES)
    registry = fake_registry(Contribution(observers=discover().observers, readers=(other,)))
    with opened(pptx(MINIMAL), registry) as document:
        list(ProcessChartParser().read(document, [1]))
    assert other.asked == [(1,)]
