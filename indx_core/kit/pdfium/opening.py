"""Opens a PDF once per document and counts its pages: the one page enumerator of all who observe, read or draw it.

Passwords, damage and the second chance through a rewrite are settled here, so a page number names the same page on
every side of a plan. What is on a page is not this module's business.

Pages are handles of PDFium's C interface, never pypdfium2's ``PdfPage``. A ``PdfPage`` closes itself when it is
collected, on any thread and without the lock; and one made of a handle by hand is unknown to its document, which shows
as "Exception ignored in: <finalize object ...> KeyError" on standard error and leaks the page.
"""

import ctypes
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from indx_core.contracts.errors import SourceEncrypted, SourceUnreadable
from indx_core.contracts.observation import Finding
from indx_core.kit.pdfium.lock import LOCK
from indx_core.ports.document import OpenDocument

# What these libraries log of damage and of XFA forms, a finding says here, once and with a code.
logging.getLogger("pypdf").setLevel(logging.CRITICAL)
logging.getLogger("pypdfium2").setLevel(logging.ERROR)

_NEEDS_PASSWORD = frozenset({pdfium_c.FPDF_ERR_PASSWORD, pdfium_c.FPDF_ERR_SECURITY})
"""A password, or a security handler (certificates) that only its owner can satisfy."""


class PageUnreadable(Exception):
    """PDFium cannot load this page; the others may be fine."""


@dataclass(frozen=True, slots=True)
class PdfFile:
    """An open PDF.

    Attributes:
        document: pypdfium2's document, kept open until the source is closed.
        data: The bytes that opened: the source's own, or a rewrite of them.
        page_count: Pages as PDFium counts them.
        findings: What had to be repaired to open it.
    """

    document: pdfium.PdfDocument
    data: bytes
    page_count: int
    findings: tuple[Finding, ...] = ()

    def size(self, number: int) -> tuple[float, float]:
        """Width and height of a page as displayed, in points, without loading it; zero where there is no such page."""
        size = pdfium_c.FS_SIZEF()
        with LOCK:
            pdfium_c.FPDF_GetPageSizeByIndexF(self.document.raw, number - 1, ctypes.byref(size))
        return size.width, size.height

    @contextmanager
    def page(self, number: int) -> Iterator[Any]:
        """A loaded page, 1-based, as PDFium's handle; the lock is held until it is closed again.

        Raises:
            PageUnreadable: It does not exist or cannot be parsed.
        """
        form = self.document.formenv
        with LOCK:
            page = pdfium_c.FPDF_LoadPage(self.document.raw, number - 1) if 1 <= number <= self.page_count else None
            if not page:
                raise PageUnreadable(f"page {number} cannot be parsed")
            try:
                if form:
                    pdfium_c.FORM_OnAfterLoadPage(page, form)
                yield page
            finally:
                if form:
                    pdfium_c.FORM_OnBeforeClosePage(page, form)
                pdfium_c.FPDF_ClosePage(page)


def pdf_file(document: OpenDocument) -> PdfFile:
    """The open PDF of a source, opened on first use and closed with it.

    Raises:
        SourceEncrypted: It opens only with a password or a certificate.
        SourceUnreadable: Neither PDFium nor a rewrite of the file finds pages in it.
    """
    return document.once("pdf.file", lambda: _open(document.data), _close)


def scratch_file(document: OpenDocument) -> PdfFile:
    """A second open PDF of the same source, for whoever changes pages in memory: what is drawn must not depend on it.

    Raises as ``pdf_file`` does.
    """
    return document.once("pdf.scratch", lambda: _open(pdf_file(document).data), _close)


def _open(data: bytes) -> PdfFile:
    with LOCK:
        try:
            return _opened(data)
        except pdfium.PdfiumError as error:
            if error.err_code in _NEEDS_PASSWORD:
                raise SourceEncrypted("the PDF is protected with a password", param="source") from None
            refusal = error
        rewritten = _rewritten(data)
        try:
            if rewritten is not None:
                message = "PDFium refused the file; it is read from a rewrite of its pages"
                return _opened(rewritten, Finding(code="pdf_rewritten", message=message))
        except pdfium.PdfiumError as error:
            refusal = error
    raise SourceUnreadable(f"the PDF cannot be opened: {refusal}", param="source") from None


def _opened(data: bytes, *findings: Finding) -> PdfFile:
    document = pdfium.PdfDocument(data)
    try:
        return _prepared(document, data, *findings)
    except pdfium.PdfiumError:
        document.close()
        raise


def _prepared(document: pdfium.PdfDocument, data: bytes, *findings: Finding) -> PdfFile:
    if not findings and not pdfium_c.FPDF_DocumentHasValidCrossReferenceTable(document.raw):
        findings = (Finding(code="xref_rebuilt", message="the cross-reference table is damaged and was rebuilt"),)
    if document.get_formtype() == pdfium_c.FORMTYPE_XFA_FULL:
        message = "the pages are a placeholder: the form's content is XFA, which only Adobe's own programs draw"
        findings += (Finding(code="xfa_form", message=message),)
    # Before any page: field values without an appearance of their own are only then given one.
    document.init_forms()
    return PdfFile(document, data, len(document), findings)


def _close(file: PdfFile) -> None:
    with LOCK:
        file.document.close()


def _rewritten(data: bytes) -> bytes | None:
    """The file's pages as pypdf finds them, written anew; ``None`` when it finds none.

    Of 151 files of eight projects' test suites that PDFium refused, other parsers found text in a quarter.
    """
    import io

    import pypdf

    try:
        reader = pypdf.PdfReader(io.BytesIO(data), strict=False)
        if reader.is_encrypted:
            reader.decrypt("")
        writer = pypdf.PdfWriter()
        for page in reader.pages:
            writer.add_page(page)
        if not writer.pages:
            return None
        writer.metadata = reader.metadata
        out = io.BytesIO()
        writer.write(out)
    except Exception:  # noqa: BLE001 - pypdf raises nearly anything on damage; the refusal reported is PDFium's
        return None
    return out.getvalue()
