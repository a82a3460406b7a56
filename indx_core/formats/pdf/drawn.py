"""What is drawn on an open page: counts of object kinds, how much of it images cover, whether its text is visible.

Nothing is rendered and no stream is decoded beyond what loading the page has done, but for the image that lies over a
page's text. Form XObjects are walked into.
"""

import ctypes
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import pypdfium2.raw as pdfium_c

from indx_core.formats.pdf import native
from indx_core.formats.pdf.frame import Frame

_LOOK = 32
"""Objects looked at from either end of a list. Pages have a thousand on average, and looking at all of them costs 18 %
of reading a page; a scan's image and its hidden text come first or last."""
_DEPTH = 5
"""Form XObjects nested deeper are not walked into; a form may contain itself."""
_FORMS = 50
"""Form XObjects walked into on one page."""

PAGE_WIDE = 0.9
"""Share of the page from which an image lies over everything that was drawn before it."""
_OPAQUE = 0.9
"""Share of its pixels that let nothing through; a watermark's hardly do."""

_INVISIBLE = frozenset({pdfium_c.FPDF_TEXTRENDERMODE_INVISIBLE, pdfium_c.FPDF_TEXTRENDERMODE_CLIP})
_Matrix = tuple[float, float, float, float, float, float]
_IDENTITY: _Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


@dataclass(slots=True)
class Drawn:
    """A tally of a page's objects, as far as they were looked at.

    Attributes:
        text_count: Number of text objects.
        texts: Lists they stand in: kinds and addresses of objects.
        images: Number of images.
        others: Number of paths and shadings.
        image_area: Area of the images within the page, in square page units; overlaps count twice.
        cover: Address of the last page-wide image of the page's own list of objects, 0 without one.
        covered: Number of text objects of that list that stand before it, and so are painted over where it is opaque.
    """

    text_count: int = 0
    texts: list[tuple[list[int], list[int]]] = field(default_factory=list)
    images: int = 0
    others: int = 0
    image_area: float = 0.0
    cover: int = 0
    covered: int = 0

    def image_share(self, frame: Frame) -> float:
        """How much of the page its images cover, 0-1."""
        width, height = frame.size
        return min(1.0, self.image_area / (width * height)) if width > 0 and height > 0 else 0.0

    def invisible_share(self) -> float:
        """Share of the text objects that nobody sees: painted over, or render modes 3 and 7 (ISO 32000-2, 9.3.6)."""
        # The page's own list is the first, so what is covered stands first.
        modes = [pdfium_c.FPDFTextObj_GetTextRenderMode(native.page_object(text)) for text in self.text_objects()]
        hidden = sum(at < self.covered or mode in _INVISIBLE for at, mode in enumerate(modes))
        return hidden / len(modes) if modes else 0.0

    def inked_texts(self) -> int:
        """How many of the text objects cover any area; those that hold only spaces cover none."""
        return sum(_area(native.bounds(text)) > 0 for text in self.text_objects())

    def text_objects(self) -> list[int]:
        """Addresses of the text objects."""
        return [
            text for kinds, pointers in self.texts for text in _of_kind(pdfium_c.FPDF_PAGEOBJ_TEXT, kinds, pointers)
        ]


def look(page: Any, frame: Frame) -> Drawn:
    """Tally what is drawn on a loaded page, from both ends of its lists of objects."""
    walk = _Walk(frame, _LOOK)
    walk.objects(page, pdfium_c.FPDFPage_CountObjects(page))
    return walk.drawn


def opaque(document: Any, page: Any, image: int) -> bool:
    """Whether an image of a loaded page lets next to nothing through: its own mask is known to rendering it alone."""
    bitmap = pdfium_c.FPDFImageObj_GetRenderedBitmap(document, page, native.page_object(image))
    if not bitmap:
        return False
    try:
        if pdfium_c.FPDFBitmap_GetFormat(bitmap) != pdfium_c.FPDFBitmap_BGRA:
            return True
        height, stride = pdfium_c.FPDFBitmap_GetHeight(bitmap), pdfium_c.FPDFBitmap_GetStride(bitmap)
        pixels = ctypes.string_at(pdfium_c.FPDFBitmap_GetBuffer(bitmap), height * stride)
        return bool(pixels[3::4].count(255) >= _OPAQUE * height * pdfium_c.FPDFBitmap_GetWidth(bitmap))
    finally:
        pdfium_c.FPDFBitmap_Destroy(bitmap)


def all_texts(page: Any, frame: Frame) -> list[int]:
    """Addresses of all text objects of a loaded page."""
    walk = _Walk(frame, sys.maxsize)
    walk.objects(page, pdfium_c.FPDFPage_CountObjects(page))
    return walk.drawn.text_objects()


class _Walk:
    """One traversal with its budget of forms."""

    def __init__(self, frame: Frame, reach: int) -> None:
        self.drawn, self.frame, self.reach, self.forms = Drawn(), frame, reach, _FORMS
        width, height = frame.size
        self.page_wide = PAGE_WIDE * width * height

    def objects(self, handle: Any, count: int, matrix: _Matrix = _IDENTITY, depth: int = 0) -> None:
        kinds, pointers = native.typed_objects(handle, _both_ends(count, self.reach), in_form=depth > 0)
        texts = kinds.count(pdfium_c.FPDF_PAGEOBJ_TEXT)
        if texts:
            self.drawn.text_count += texts
            self.drawn.texts.append((kinds, pointers))
        self.drawn.others += kinds.count(pdfium_c.FPDF_PAGEOBJ_PATH) + kinds.count(pdfium_c.FPDF_PAGEOBJ_SHADING)
        for image in _of_kind(pdfium_c.FPDF_PAGEOBJ_IMAGE, kinds, pointers):
            area = _area(_within(_moved(native.bounds(image), matrix), self.frame))
            self.drawn.images += 1
            self.drawn.image_area += area
            if not depth and texts and area >= self.page_wide:
                self.drawn.cover = image
                self.drawn.covered = kinds[: pointers.index(image)].count(pdfium_c.FPDF_PAGEOBJ_TEXT)
        for form in _of_kind(pdfium_c.FPDF_PAGEOBJ_FORM, kinds, pointers):
            self._form(native.page_object(form), matrix, depth)

    def _form(self, form: Any, matrix: _Matrix, depth: int) -> None:
        if depth == _DEPTH or not self.forms:
            return
        self.forms -= 1
        own = pdfium_c.FS_MATRIX()
        pdfium_c.FPDFPageObj_GetMatrix(form, ctypes.byref(own))
        inner = _times((own.a, own.b, own.c, own.d, own.e, own.f), matrix)
        self.objects(form, pdfium_c.FPDFFormObj_CountObjects(form), inner, depth + 1)


def _of_kind(kind: int, kinds: list[int], pointers: list[int]) -> list[int]:
    """The objects of one kind; most lists hold none, which is cheap to see."""
    return [pointer for found, pointer in zip(kinds, pointers, strict=True) if found == kind] if kind in kinds else []


def _both_ends(count: int, reach: int) -> Iterable[int]:
    if count <= 2 * reach:
        return range(max(0, count))
    return [*range(reach), *range(count - reach, count)]


def _times(first: _Matrix, second: _Matrix) -> _Matrix:
    """``first`` applied, then ``second`` (ISO 32000-2, 8.3.4)."""
    a, b, c, d, e, f = first
    g, h, i, j, k, m = second
    return (a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m)


def _moved(box: tuple[float, float, float, float], matrix: _Matrix) -> tuple[float, float, float, float]:
    if matrix == _IDENTITY:
        return box
    a, b, c, d, e, f = matrix
    corners = [(a * x + c * y + e, b * x + d * y + f) for x in (box[0], box[2]) for y in (box[1], box[3])]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return (min(xs), min(ys), max(xs), max(ys))


def _within(box: tuple[float, float, float, float], frame: Frame) -> tuple[float, float, float, float]:
    return (max(box[0], frame.left), max(box[1], frame.bottom), min(box[2], frame.right), min(box[3], frame.top))


def _area(box: tuple[float, float, float, float]) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])
