"""Renders a page of a PDF to PNG, for the image chunk of a page that nothing could read as text."""

import io
import math

import pypdfium2 as pdfium

from indx_core.formats.pdf.native import LOCK
from indx_core.formats.pdf.opening import PdfFile

_MOST_PIXELS = 16_000_000
"""A poster at 120 dpi would be hundreds of megabytes; larger pages are rendered more coarsely instead."""
_POINTS_PER_INCH = 72


def page_png(file: PdfFile, number: int, dpi: int) -> bytes:
    """A page as displayed, annotations included, as PNG bytes: the same bytes for the same page and resolution.

    Raises:
        PageUnreadable: The page cannot be loaded.
    """
    with LOCK, file.page(number) as raw:
        page = pdfium.PdfPage(raw, file.document, file.document.formenv)
        width, height = page.get_size()
        scale = dpi / _POINTS_PER_INCH
        scale = min(scale, math.sqrt(_MOST_PIXELS / max(1.0, width * height)))
        image = page.render(scale=scale).to_pil().convert("RGB")
    out = io.BytesIO()
    image.save(out, format="PNG")
    return out.getvalue()
