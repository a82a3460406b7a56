"""PDF pages as images, through PDFium. Only imported by functions that render.

Opens the file once per document, apart from the PDF folder's own handle: kit cannot reach up into a format.
"""

from typing import Any

import pypdfium2 as pdfium
from PIL import Image  # noqa: TID253 - this module is only imported by functions that render

from indx_core.contracts.errors import SourceEncrypted, SourceUnreadable
from indx_core.kit.pdfium import LOCK
from indx_core.ports.document import OpenDocument

_POINTS_PER_INCH = 72
_PASSWORD_ERROR = 4  # FPDF_ERR_PASSWORD


def pdf_page(document: OpenDocument, number: int, dpi: int, max_pixels: int) -> Image.Image:
    """A page as displayed, form fields and annotations included, at ``dpi`` dots per inch.

    Raises:
        SourceEncrypted: The file needs a password.
        SourceUnreadable: The file or the page does not open, or the page would have more than ``max_pixels`` pixels.
    """
    with LOCK:
        file = document.once("render.pdf", lambda: _open(document.data), _close)
        try:
            page = file[number - 1]
        except (pdfium.PdfiumError, IndexError):
            raise SourceUnreadable(f"page {number} cannot be opened", param="source") from None
        try:
            return _bitmap(page, number, dpi / _POINTS_PER_INCH, max_pixels)
        finally:
            page.close()


def _bitmap(page: Any, number: int, scale: float, max_pixels: int) -> Image.Image:
    width, height = (round(side * scale) for side in page.get_size())
    if width * height > max_pixels:
        raise SourceUnreadable(
            f"page {number} would have {width} x {height} pixels, more than the limit of {max_pixels}",
            param="source",
            remedy="lower the resolution or raise the pixel limit of the reader that refused it",
        )
    if width < 1 or height < 1:
        raise SourceUnreadable(f"page {number} has no area to render", param="source")
    image: Image.Image = page.render(scale=scale).to_pil().convert("RGB")
    return image


def _open(data: bytes) -> Any:
    try:
        file = pdfium.PdfDocument(data)
        file.init_forms()
    except pdfium.PdfiumError as error:
        if error.err_code == _PASSWORD_ERROR:
            raise SourceEncrypted("the PDF is protected with a password", param="source") from None
        raise SourceUnreadable(f"the PDF cannot be opened: {error}", param="source") from None
    return file


def _close(file: Any) -> None:
    with LOCK:
        file.close()
