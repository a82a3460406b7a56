"""Annotations: which kinds a page has, and the text that stands in them: form field values, free text, stamps.

PDFium's page text leaves that text out. Where link annotations lead is in ``links.py``.

Measured on 5,203 files, 31 gave less than half of the characters another reader found, for this reason alone.
"""

from typing import Any, NamedTuple

import pypdfium2.raw as pdfium_c

from indx_core.formats.pdf import native

_WITH_TEXT = frozenset({pdfium_c.FPDF_ANNOT_WIDGET, pdfium_c.FPDF_ANNOT_FREETEXT, pdfium_c.FPDF_ANNOT_STAMP})


class Kinds(NamedTuple):
    """What kinds of annotations a page has: those whose appearance can be text, and links, by far the most.

    Free text is among the former, and the one of them that always shows something.
    """

    with_text: bool
    free_text: bool
    links: bool


def kinds(page: Any) -> Kinds:
    """Looked at once: a page without annotations, as most are, costs a call."""
    subtypes = set(native.annotation_subtypes(page))
    return Kinds(
        with_text=not subtypes.isdisjoint(_WITH_TEXT),
        free_text=pdfium_c.FPDF_ANNOT_FREETEXT in subtypes,
        links=pdfium_c.FPDF_ANNOT_LINK in subtypes,
    )


def flatten(page: Any) -> bool:
    """Draw the visible annotations into the page's content, in memory: their text then has a place like any other.

    Returns:
        Whether anything was drawn; the page must be loaded again to see it.
    """
    return bool(pdfium_c.FPDFPage_Flatten(page, pdfium_c.FLAT_NORMALDISPLAY) == pdfium_c.FLATTEN_SUCCESS)
