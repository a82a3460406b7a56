"""The PDF observer: recognises PDFs, counts pages, says of each whether its text can be read. Renders nothing."""

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
        return MEDIA_TYPE if b"%PDF-" in data[:_HEADER_WITHIN] else None

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
    if not file.document.get_page_label(0):
        return {}
    labels = {number: _printable(file.document.get_page_label(number - 1)) for number in range(1, file.page_count + 1)}
    return {number: label for number, label in labels.items() if label}


def _properties(document: Any) -> dict[str, str]:
    found = {name: _printable(document.get_metadata_value(key)) for name, key in _METADATA}
    found["language"] = _printable(_language(document))
    return {name: value for name, value in found.items() if value}


def _language(document: Any) -> str:
    """The catalog's ``/Lang``, as it stands."""
    import ctypes

    import pypdfium2.raw as pdfium_c

    size = pdfium_c.FPDFCatalog_GetLanguage(document.raw, None, 0)
    buffer = ctypes.create_string_buffer(size)
    pdfium_c.FPDFCatalog_GetLanguage(document.raw, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), size)
    return buffer.raw.decode("utf-16-le", "replace")


def _printable(value: str) -> str:
    """Verbatim but for what no string of ours may hold: NUL and lone surrogates."""
    return value.replace("\0", "").encode("utf-8", "replace").decode().strip()
