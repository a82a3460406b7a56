"""Link annotations of a page: where they lead, the words under them, and their box. Links within the file are none.

PDF 32000-1, 12.5.6.5 and 12.6.4: of the actions, those that open an address (``URI``), another document (``GoToR``) or
a file (``Launch``) are kept as they are written. Nothing is opened or resolved here.
"""

import ctypes
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np  # noqa: TID253 - only imported where a PDF is open
import pypdfium2.raw as pdfium_c

from indx_core.contracts.page import Box, Link
from indx_core.formats.pdf.frame import Frame

_LONGEST_TARGET = 2048
"""Bytes of a target; browsers open no longer ones, and a longer one is none."""
_LONGEST_TEXT = 200
"""UTF-16 units of the words under a link: its rectangle may cover a page."""
_FILES = frozenset({pdfium_c.PDFACTION_REMOTEGOTO, pdfium_c.PDFACTION_LAUNCH})


class Anchor(NamedTuple):
    """A link of a page: its target, and its rectangle as left, top, right, bottom in page units."""

    target: str
    rectangle: tuple[float, float, float, float]


def anchors(document: Any, page: Any) -> list[Anchor]:
    """The links of a page that lead out of the file, in the order of its annotations.

    Args:
        document: PDFium's handle of the document.
        page: PDFium's handle of the loaded page; not one whose annotations were drawn into it.
    """
    return [
        Anchor(target, rectangle)
        for link in _links(page)
        if (target := _target(document, link)) and (rectangle := _rectangle(link))
    ]


def links(found: list[Anchor], textpage: Any, frame: Frame) -> tuple[Link, ...]:
    """The same with the words under them and their boxes as displayed."""
    if not found:
        return ()
    placed, _ = frame.normalised(frame.displayed(np.array([anchor.rectangle for anchor in found])))
    boxes = [None if np.isnan(row[0]) else Box(*row.tolist()) for row in placed]
    texts = [_words(textpage, anchor.rectangle) for anchor in found]
    return tuple(map(Link, (anchor.target for anchor in found), texts, boxes))


def _links(page: Any) -> Iterator[Any]:
    position, link = ctypes.c_int(0), pdfium_c.FPDF_LINK()
    while pdfium_c.FPDFLink_Enumerate(page, ctypes.byref(position), ctypes.byref(link)):
        yield link
        link = pdfium_c.FPDF_LINK()


def _target(document: Any, link: Any) -> str:
    action = pdfium_c.FPDFLink_GetAction(link)
    kind = pdfium_c.FPDFAction_GetType(action) if action else pdfium_c.PDFACTION_UNSUPPORTED
    buffer = ctypes.create_string_buffer(_LONGEST_TARGET)
    if kind == pdfium_c.PDFACTION_URI:
        length = pdfium_c.FPDFAction_GetURIPath(document, action, buffer, _LONGEST_TARGET)
    elif kind in _FILES:
        length = pdfium_c.FPDFAction_GetFilePath(action, buffer, _LONGEST_TARGET)
    else:
        return ""
    return buffer.value.decode("utf-8", "replace").strip() if length <= _LONGEST_TARGET else ""


def _rectangle(link: Any) -> tuple[float, float, float, float] | None:
    sides = pdfium_c.FS_RECTF()
    known = pdfium_c.FPDFLink_GetAnnotRect(link, ctypes.byref(sides))
    return (sides.left, sides.top, sides.right, sides.bottom) if known else None


def _words(textpage: Any, rectangle: tuple[float, float, float, float]) -> str:
    buffer = (ctypes.c_ushort * _LONGEST_TEXT)()
    units = pdfium_c.FPDFText_GetBoundedText(textpage, *rectangle, buffer, _LONGEST_TEXT)
    text = bytes(buffer)[: 2 * max(0, units)].decode("utf-16-le", "replace")
    return " ".join(text.replace("\0", "").split())
