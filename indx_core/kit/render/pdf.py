"""PDF pages as images, through PDFium. Only imported by functions that render; opening is ``kit.pdfium``'s."""

import math
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c
from PIL import Image  # noqa: TID253 - this module is only imported by functions that render

from indx_core.contracts.errors import SourceUnreadable
from indx_core.kit.pdfium.opening import PageUnreadable, PdfFile, pdf_file
from indx_core.ports.document import OpenDocument

_POINTS_PER_INCH = 72
_WHITE = (255, 255, 255, 255)


def pdf_page(document: OpenDocument, number: int, dpi: int, max_pixels: int) -> Image.Image:
    """A page as displayed, form fields and annotations included, at ``dpi`` dots per inch.

    Raises:
        SourceEncrypted: The file needs a password or a certificate.
        SourceUnreadable: The file or the page does not open, or the page would have more than ``max_pixels`` pixels.
    """
    file = pdf_file(document)
    try:
        with file.page(number) as page:
            size = _pixels(page, number, dpi / _POINTS_PER_INCH, max_pixels)
            return _drawn(file, page, size)
    except PageUnreadable:
        raise SourceUnreadable(f"page {number} cannot be opened", param="source") from None


def _pixels(page: Any, number: int, scale: float, max_pixels: int) -> tuple[int, int]:
    width = math.ceil(pdfium_c.FPDF_GetPageWidthF(page) * scale)
    height = math.ceil(pdfium_c.FPDF_GetPageHeightF(page) * scale)
    if width * height > max_pixels:
        raise SourceUnreadable(
            f"page {number} would have {width} x {height} pixels, more than the limit of {max_pixels}",
            param="source",
            remedy="lower the resolution or raise the pixel limit of the reader that refused it",
        )
    if width < 1 or height < 1:
        raise SourceUnreadable(f"page {number} has no area to render", param="source")
    return width, height


def _drawn(file: PdfFile, page: Any, size: tuple[int, int]) -> Image.Image:
    width, height = size
    bitmap = pdfium.PdfBitmap.new_native(width, height, pdfium_c.FPDFBitmap_BGR)
    try:
        bitmap.fill_rect(_WHITE, 0, 0, width, height)
        area = (bitmap, page, 0, 0, width, height, 0, pdfium_c.FPDF_ANNOT)
        pdfium_c.FPDF_RenderPageBitmap(*area)
        if file.document.formenv:
            pdfium_c.FPDF_FFLDraw(file.document.formenv, *area)
        image: Image.Image = bitmap.to_pil()  # a copy: the bitmap's bytes are in another order
    finally:
        bitmap.close()
    return image
