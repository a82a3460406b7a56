"""PDFium's C functions in a form cheap enough to be called hundreds of times a page. Holds no PDF logic.

A call through pypdfium2's own bindings converts typed pointers one by one. Here the same functions take plain integer
addresses and are driven by ``map``, which makes the box of a character cost 0.4 microseconds. Only imported from
functions that already work on an open document.
"""

import ctypes
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np  # noqa: TID253 - only imported where a PDF is open
import pypdfium2.raw as pdfium_c
from numpy.typing import NDArray  # noqa: TID253 - as above

_POINTER, _INT = ctypes.c_void_p, ctypes.c_int


def _direct(function: Any, result: Any, *arguments: Any) -> Callable[..., Any]:
    """The same C function, with integer addresses as arguments. Short calls only: the interpreter lock is kept."""
    return ctypes.PYFUNCTYPE(result, *arguments)(ctypes.cast(function, _POINTER).value or 0)


_text = _direct(pdfium_c.FPDFText_GetText, _INT, _POINTER, _INT, _INT, _POINTER)
_loose_char_box = _direct(pdfium_c.FPDFText_GetLooseCharBox, _INT, _POINTER, _INT, _POINTER)
_char_index = _direct(pdfium_c.FPDFText_GetCharIndexFromTextIndex, _INT, _POINTER, _INT)
_is_hyphen = _direct(pdfium_c.FPDFText_IsHyphen, _INT, _POINTER, _INT)
_unmapped = _direct(pdfium_c.FPDFText_HasUnicodeMapError, _INT, _POINTER, _INT)
_page_object = _direct(pdfium_c.FPDFPage_GetObject, _POINTER, _POINTER, _INT)
_form_object = _direct(pdfium_c.FPDFFormObj_GetObject, _POINTER, _POINTER, ctypes.c_ulong)
_object_type = _direct(pdfium_c.FPDFPageObj_GetType, _INT, _POINTER)

_annotation = _direct(pdfium_c.FPDFPage_GetAnnot, _POINTER, _POINTER, _INT)
_annotation_subtype = _direct(pdfium_c.FPDFAnnot_GetSubtype, _INT, _POINTER)
_close_annotation = _direct(pdfium_c.FPDFPage_CloseAnnot, None, _POINTER)


def address(handle: Any) -> int:
    """The address behind a pypdfium2 handle."""
    return ctypes.cast(handle, _POINTER).value or 0


class RawText(NamedTuple):
    """The text of a page as PDFium has it, lone surrogates included, and its length in UTF-16 units."""

    text: str
    units: int


def raw_text(textpage: Any) -> RawText:
    """The whole text of a page in one call."""
    count = pdfium_c.FPDFText_CountChars(textpage)
    if count <= 0:
        return RawText("", 0)
    buffer = bytearray(2 * (count + 1))  # an array type of ctypes, one for each length, costs more than the text
    units = max(0, _text(address(textpage), 0, count, ctypes.addressof(ctypes.c_char.from_buffer(buffer))) - 1)
    return RawText(buffer[: units * 2].decode("utf-16-le", "surrogatepass"), units)


def char_indexes(textpage: Any, text_indexes: Iterable[int]) -> list[int]:
    """Indexes of characters for indexes into the page text in UTF-16 units; -1 where there is none."""
    return list(map(_char_index, repeat(address(textpage)), text_indexes))


def loose_boxes(textpage: Any, chars: Sequence[int]) -> NDArray[np.float64]:
    """Boxes of characters, as tall as their font and as wide as their advance.

    Returns:
        One row a character: left, top, right, bottom in page units, origin bottom left; NaN where PDFium knows none.
    """
    rectangles = np.zeros((len(chars), 4), np.float32)  # an FS_RECTF each
    start, size = rectangles.ctypes.data, rectangles.strides[0]
    slots = range(start, start + size * len(chars), size)
    known = list(map(_loose_char_box, repeat(address(textpage)), chars, slots))
    boxes = rectangles.astype(np.float64)
    if not all(known):
        boxes[np.asarray(known) == 0] = np.nan
    return boxes


def unmapped(textpage: Any, chars: Iterable[int]) -> list[bool]:
    """Whether each character has no Unicode mapping, so that PDFium shows its bare code."""
    return [flag == 1 for flag in map(_unmapped, repeat(address(textpage)), chars)]


def line_hyphens(textpage: Any, chars: Iterable[int]) -> list[bool]:
    """Whether each character is a hyphen at a line end, which PDFium leaves out of the text."""
    return [flag == 1 for flag in map(_is_hyphen, repeat(address(textpage)), chars)]


def typed_objects(handle: Any, indexes: Iterable[int], *, in_form: bool = False) -> tuple[list[int], list[int]]:
    """Types and addresses of the objects of a page, or of a form XObject, at these indexes."""
    get = _form_object if in_form else _page_object
    objects = list(map(get, repeat(address(handle)), indexes))
    return list(map(_object_type, objects)), objects


def page_object(pointer: int) -> Any:
    """A typed handle for pypdfium2's own functions."""
    return ctypes.cast(pointer, pdfium_c.FPDF_PAGEOBJECT)


def bounds(pointer: int) -> tuple[float, float, float, float]:
    """Left, bottom, right and top of a page object, in the units of the page or of the form it stands in."""
    sides = [ctypes.c_float() for _ in range(4)]
    pdfium_c.FPDFPageObj_GetBounds(page_object(pointer), *map(ctypes.byref, sides))
    left, bottom, right, top = (side.value for side in sides)
    return (left, bottom, right, top)


def annotation_subtypes(page: Any) -> Iterator[int]:
    """Subtypes of a page's annotations, ``FPDF_ANNOT_*``; annotations that PDFium does not know are left out."""
    start = address(page)
    for annotation in map(_annotation, repeat(start), range(pdfium_c.FPDFPage_GetAnnotCount(page))):
        if annotation:
            subtype = _annotation_subtype(annotation)
            _close_annotation(annotation)
            yield subtype
