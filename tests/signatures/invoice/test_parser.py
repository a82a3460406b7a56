"""The signature and the parser as a plan sees them: conformance, evidence, confidence, what is left to the ladder."""

import pytest
from signatures.invoice.invoices import ENGLISH, JAPANESE, LETTER, letter, pdf, sheet

from indx_core.contracts.observation import Observation
from indx_core.contracts.page import PageOutput, PageStatus
from indx_core.contracts.source import InlineSource
from indx_core.kit.intake import acquire, observe_document, open_document
from indx_core.kit.registry import discover
from indx_core.ports.document import OpenDocument
from indx_core.signatures.invoice.parser import MEDIA_TYPES, InvoiceParser
from indx_core.signatures.invoice.signature import InvoiceSignature
from indx_core.testing.conformance import check_reader, check_signature

INVOICES = {
    "english-pdf": pdf(ENGLISH, "Terms of payment"),
    "english-docx": letter(),
    "japanese-text": JAPANESE.encode(),
    "japanese-xlsx": sheet(),
}
OTHERS = {"letter-pdf": pdf(LETTER), "letter-text": LETTER.encode(), "empty-pdf": pdf("")}


def opened(data: bytes) -> OpenDocument:
    registry = discover()
    return open_document(acquire(InlineSource(data=data, filename="x.txt"), registry), registry)


def observed(data: bytes) -> Observation:
    registry = discover()
    acquired = acquire(InlineSource(data=data, filename="x.txt"), registry)
    with open_document(acquired, registry) as document:
        return observe_document(acquired, document, registry)


@pytest.mark.parametrize("case", [*INVOICES, *OTHERS])
def test_the_signature_conforms_and_recognises_invoices_only(case: str) -> None:
    data = {**INVOICES, **OTHERS}[case]
    check_signature(InvoiceSignature(), lambda: opened(data), observed(data), matches=case in INVOICES)


@pytest.mark.parametrize("case", [*INVOICES, *OTHERS])
def test_the_parser_conforms(case: str) -> None:
    data = {**INVOICES, **OTHERS}[case]
    check_reader(InvoiceParser(), lambda: opened(data), [page.number for page in observed(data).pages])


def test_every_type_it_declares_has_a_reader_of_its_own_text() -> None:
    """A parser without one would be the only door to its type, and one that never opens."""
    readers = [reader.descriptor for reader in discover().readers if reader.descriptor.kind == "native-extraction"]
    assert [name for name in MEDIA_TYPES if not any(reader.reads(name) for reader in readers)] == []


def evidence(text: str) -> list[tuple[tuple[str, ...], float]]:
    data = text.encode()
    with opened(data) as document:
        return [(match.evidence, match.confidence) for match in InvoiceSignature().detect(document, observed(data))]


def test_two_signals_make_a_match_and_the_confidence_is_their_share_of_four() -> None:
    assert evidence("Invoice\n") == []
    assert evidence("Invoice\nTotal $5.00\n") == [(("invoice_title", "billed_amount"), 0.5)]
    assert evidence("請求書\n請求書番号 A-1\n合計 5円\n") == [
        (("invoice_title", "invoice_number", "billed_amount"), 0.75)
    ]
    assert [share for _names, share in evidence(JAPANESE)] == [1.0]


def test_signals_of_the_first_pages_count_together() -> None:
    assert evidence("Invoice\fTotal $5.00") == [(("invoice_title", "billed_amount"), 0.5)]


def test_a_long_document_is_judged_by_its_first_pages() -> None:
    """Planning is cheap: a handbook's 300 pages are not read to find out that it is none."""
    asked: list[int] = []

    def read(_document: OpenDocument, number: int) -> PageOutput:
        asked.append(number)
        return PageOutput(number, text="words")

    document = OpenDocument(b"", "text/plain", native_read=read)
    assert InvoiceSignature().detect(document, observed("\f".join("x" * 300).encode())) == []
    assert asked == [1, 2, 3, 4]


def test_fields_stand_on_the_page_that_states_them() -> None:
    with opened(INVOICES["english-pdf"]) as document:
        first, second = InvoiceParser().read(document, [1, 2])
    assert first.metadata["invoice"]["number"] == "MRFL4LVY-0006"
    assert (second.text, second.metadata) == ("Terms of payment", {})


@pytest.mark.parametrize("case", INVOICES)
def test_text_lines_and_tables_are_those_of_the_native_reader(case: str) -> None:
    with opened(INVOICES[case]) as document:
        native, (page,) = document.native_page(1), InvoiceParser().read(document, [1])
    assert native is not None
    assert (page.text, page.lines, page.tables) == (native.text, native.lines, native.tables)


def test_cells_beside_each_other_are_label_and_value() -> None:
    with opened(INVOICES["japanese-xlsx"]) as document:
        (page,) = InvoiceParser().read(document, [1])
    assert page.metadata["invoice"] == {
        "number": "K-17",
        "dates": [{"role": "due", "label": "お支払期限", "date": "2026年5月31日"}],
        "amounts": [{"role": "total", "label": "合計金額", "amount": "110000", "currency": "JPY"}],
    }


def test_a_page_without_text_of_its_own_fails_with_the_native_reader_s_reason_and_descends() -> None:
    failed = PageOutput(1, PageStatus.FAILED, reason="the page has no text layer")
    document = OpenDocument(b"", "application/pdf", native_read=lambda _document, _number: failed)
    assert list(InvoiceParser().read(document, [1])) == [failed]


def test_without_a_native_reader_the_parser_has_no_text_and_says_so() -> None:
    (page,) = InvoiceParser().read(OpenDocument(b"", "application/pdf"), [1])
    assert (page.status, page.reason) == (PageStatus.FAILED, "no reader of the page's own text is installed")
