"""The PDF observer: recognises PDFs, counts pages, says of each whether its text can be read. Renders nothing."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from indx_core.contracts.observation import Finding, PageObservation
from indx_core.formats.pdf.settings import PdfSettings
from indx_core.ports.document import OpenDocument
from indx_core.ports.observer import Observed

if TYPE_CHECKING:
    from indx_core.formats.pdf.extract import PageText
    from indx_core.kit.pdfium.opening import PdfFile

MEDIA_TYPE = "application/pdf"

_HEADER_WITHIN = 1024
"""Bytes within which the header may stand; what readers accept in practice (ISO 32000-1, annex H, note 13)."""

_METADATA = (
    ("title", "Title"),
    ("author", "Author"),
    ("subject", "Subject"),
    ("keywords", "Keywords"),
    ("creator", "Creator"),
    ("producer", "Producer"),
)


class PdfObserver:
    """Pages, signals, findings and declared properties of a PDF."""

    distribution = "indx-observer-pdf"
    media_types: tuple[str, ...] = (MEDIA_TYPE,)

    def sniff(self, data: bytes) -> str | None:
        at = data.find(b"%PDF-", 0, _HEADER_WITHIN)
        if at < 0:
            return None
        # A text, a list or a mail that mentions the mark is no PDF: behind other characters it counts with an object.
        begins = not data[:at].removeprefix(b"\xef\xbb\xbf").strip()
        return MEDIA_TYPE if begins or b" obj" in data else None

    def observe(self, document: OpenDocument) -> Observed:
        from indx_core.formats.pdf.extract import page_text
        from indx_core.kit.pdfium.lock import LOCK
        from indx_core.kit.pdfium.opening import pdf_file

        settings = PdfSettings.load()
        file = pdf_file(document)
        findings = list(file.findings)
        with LOCK:
            properties, labels = _properties(file.document), _labels(file)
        pages = []
        for number in range(1, file.page_count + 1):
            page = page_text(document, number, settings)
            if page.problem is not None:
                findings.append(Finding(code="page_unreadable", message=page.problem, page=number))
            pages.append(_observation(number, page, labels.get(number)))
        return Observed(tuple(pages), tuple(findings), properties)


def _observation(number: int, page: "PageText", label: str | None) -> PageObservation:
    return PageObservation(
        number=number,
        text_layer=page.verdict.layer,
        signals=page.verdict.signals,
        measures=page.verdict.measures,
        label=label,
    )


def _labels(file: "PdfFile") -> dict[int, str]:
    """Labels by page number, where the file states any: a label tree starts with the first page (12.4.2)."""
    if not _label(file.document, 1):
        return {}
    labels = {number: _label(file.document, number) for number in range(1, file.page_count + 1)}
    return {number: label for number, label in labels.items() if label}


def _label(document: Any, number: int) -> str:
    import pypdfium2.raw as pdfium_c

    return _stated(lambda buffer, size: pdfium_c.FPDF_GetPageLabel(document.raw, number - 1, buffer, size))


def _properties(document: Any) -> dict[str, str]:
    found = {name: _metadata(document, key) for name, key in _METADATA}
    found["language"] = _language(document)
    return {name: value for name, value in found.items() if value}


def _metadata(document: Any, key: str) -> str:
    import pypdfium2.raw as pdfium_c

    return _stated(lambda buffer, size: pdfium_c.FPDF_GetMetaText(document.raw, key.encode(), buffer, size))


def _language(document: Any) -> str:
    """The catalog's ``/Lang``, as it stands."""
    import ctypes

    import pypdfium2.raw as pdfium_c

    units = ctypes.POINTER(ctypes.c_ushort)
    return _stated(
        lambda buffer, size: pdfium_c.FPDFCatalog_GetLanguage(document.raw, ctypes.cast(buffer, units), size)
    )


def _stated(fill: Callable[[Any, int], int]) -> str:
    """A UTF-16 string that PDFium fills a buffer with, once it has said how many bytes it needs.

    Verbatim but for NUL, and for halves of surrogate pairs, which files hold and the library's own helpers do not
    decode: a title must not cost the document.
    """
    import ctypes

    size = fill(None, 0)
    buffer = ctypes.create_string_buffer(size)
    fill(buffer, size)
    return buffer.raw.decode("utf-16-le", "replace").replace("\0", "").strip()
