"""How a PDF is opened, repaired, refused and closed, for everybody who observes, reads or draws it."""

import pypdfium2 as pdfium
import pytest
from formats.pdf.pdf_builder import (
    PdfBuilder,
    encrypted,
    filled_form,
    for_certificates,
    line,
    one_page,
    refused_by_pdfium,
)

from indx_core.contracts.errors import SourceEncrypted, SourceUnreadable
from indx_core.contracts.observation import TextLayer
from indx_core.contracts.page import PageOutput, PageStatus
from indx_core.formats.pdf.chunker import PdfChunker
from indx_core.formats.pdf.observer import PdfObserver
from indx_core.formats.pdf.reader import NativeExtraction
from indx_core.kit.pdfium.opening import PageUnreadable, pdf_file
from indx_core.kit.render.page import page_image, page_png
from indx_core.ports.document import OpenDocument

PDF = "application/pdf"
SQUARE = b"100 100 300 300 re f"


def opened(data: bytes) -> tuple[int, list[str]]:
    """Pages and findings of a file."""
    with OpenDocument(data, PDF) as document:
        file = pdf_file(document)
        return file.page_count, [finding.code for finding in file.findings]


@pytest.fixture
def openings(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The bytes of every PDF that is opened."""
    seen: list[bytes] = []

    class Counted(pdfium.PdfDocument):
        def __init__(self, data: bytes) -> None:
            seen.append(data)
            super().__init__(data)

    monkeypatch.setattr(pdfium, "PdfDocument", Counted)
    return seen


def test_a_sound_file_opens_without_a_finding():
    assert opened(one_page(SQUARE)) == (1, [])


def test_an_empty_user_password_opens():
    assert opened(encrypted(one_page(SQUARE), "")) == (1, [])


@pytest.mark.parametrize("data", [encrypted(one_page(b""), "secret"), for_certificates(one_page(b""))])
def test_a_password_or_a_certificate_is_asked_for_by_type_whoever_opens_the_file(data: bytes):
    for use in (pdf_file, lambda document: page_image(document, 1, dpi=72), PdfObserver().observe):
        with OpenDocument(data, PDF) as document, pytest.raises(SourceEncrypted) as refusal:
            use(document)
        assert refusal.value.param == "source"


@pytest.mark.parametrize("data", [b"", b"%PDF-1.7", b"%PDF-1.7\nnot a pdf at all", b"\x89PNG\r\n"])
def test_bytes_that_are_no_pdf_are_refused_by_type(data: bytes):
    with pytest.raises(SourceUnreadable, match="cannot be opened") as refusal:
        opened(data)
    assert refusal.value.param == "source"


def test_a_damaged_cross_reference_table_is_rebuilt_with_a_finding():
    assert opened(one_page(SQUARE).replace(b"startxref\n", b"startxref\n9")) == (1, ["xref_rebuilt"])


def test_a_file_that_pdfium_refuses_is_rewritten_with_a_finding():
    assert opened(refused_by_pdfium(one_page(SQUARE))) == (1, ["pdf_rewritten"])


def test_a_file_that_needs_the_rewrite_is_drawn_from_it():
    """Recognition and vision models look at pages of damaged files too."""
    sound, damaged = one_page(SQUARE), refused_by_pdfium(one_page(SQUARE))
    images = [page_image(OpenDocument(data, PDF), 1, dpi=36) for data in (sound, damaged)]
    assert images[0].getextrema()[0] == (0, 255)
    assert images[0] == images[1]


@pytest.mark.parametrize("number", [0, 2, -1])
def test_a_page_that_does_not_exist_cannot_be_loaded(number: int):
    with (
        OpenDocument(one_page(SQUARE), PDF) as document,
        pytest.raises(PageUnreadable),
        pdf_file(document).page(number),
    ):
        pass


def test_the_size_of_a_page_is_the_displayed_one_in_points_and_zero_where_there_is_none():
    with OpenDocument(one_page(b"", media_box=(0, 0, 200, 100), extra=b"/Rotate 90"), PDF) as document:
        assert [pdf_file(document).size(number) for number in (1, 2)] == [(100, 200), (0, 0)]


@pytest.mark.parametrize("damage", [bytes, refused_by_pdfium])
def test_observing_reading_and_drawing_a_document_open_it_once(damage, openings: list[bytes]):
    """Opening parses the whole cross-reference table; a rewrite costs a second parser on top."""
    builder = PdfBuilder()
    for number in range(3):
        builder.page(line(f"Page {number}", 72, 700))
    data = damage(builder.build())
    with OpenDocument(data, PDF) as document:
        observed = PdfObserver().observe(document)
        numbers = [page.number for page in observed.pages if page.text_layer is TextLayer.PRESENT]
        outputs = list(NativeExtraction().read(document, numbers))
        PdfChunker().chunk(document, [*outputs, PageOutput(2, PageStatus.FAILED, reason="for its image")])
        assert page_png(document, 3, dpi=36)
    assert [output.text for output in outputs] == ["Page 0", "Page 1", "Page 2"]
    assert [opening == data for opening in openings] == ([True] if damage is bytes else [True, False])


def test_everything_opened_is_closed_with_the_document():
    with OpenDocument(filled_form(), PDF) as document:
        PdfObserver().observe(document)
        files = [pdf_file(document), document.once("pdf.scratch", lambda: None)]
        assert all(file.document.raw for file in files)
    assert not any(file.document.raw for file in files)
