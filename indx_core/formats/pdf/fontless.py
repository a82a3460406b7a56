"""Text objects that PDFium's text page skips because their font has no ink on this machine.

A page that sets each Japanese character by itself in a font that is neither embedded nor installed loses all of them:
PDFium measures a text object by its glyphs' outlines and skips one without width. Which text a page has must not depend
on the fonts of the machine that reads it.
"""

import ctypes

import pypdfium2.raw as pdfium_c

from indx_core.formats.pdf import native


def give_ink(texts: list[int]) -> bool:
    """Give the text objects without width the width of a stroke, in memory, so that they count as text again.

    Args:
        texts: Addresses of text objects of an open page.

    Returns:
        Whether any was changed; the text page must then be loaded again.
    """
    flat = [text for text in texts if _without_width(text)]
    unmoved = pdfium_c.FS_MATRIX(1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    for text in map(native.page_object, flat):
        pdfium_c.FPDFTextObj_SetTextRenderMode(text, pdfium_c.FPDF_TEXTRENDERMODE_STROKE)
        pdfium_c.FPDFPageObj_TransformF(text, ctypes.byref(unmoved))  # makes PDFium measure it anew
    return bool(flat)


def _without_width(text: int) -> bool:
    left, _, right, _ = native.bounds(text)
    return right <= left
