"""The pages of any Office document: one enumerator for the observer and the reader.

Pages are worksheets and other tabs, slides, and Word sections, in the order the document shows them and hidden ones
included. What one looks like is told here without reading it.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from indx_core.contracts.errors import SourceUnreadable
from indx_core.formats.office.media_types import Family, family_of
from indx_core.formats.office.sheet.workbook import Sheet, SheetKind, Workbook, open_workbook
from indx_core.formats.office.word.document import Section, open_sections
from indx_core.kit.ooxml.archive import PartDamaged
from indx_core.kit.ooxml.package import open_package
from indx_core.kit.ooxml.presentation import Deck, Slide, open_deck
from indx_core.kit.ooxml.shapes import ShapeKind, shapes
from indx_core.ports.document import OpenDocument

_TEXT_ELEMENT = re.compile(rb"<(?:[A-Za-z]+:)?(?:v|t|(?:odd|even|first)(?:Header|Footer))[\s>]")
_TEXT_BESIDE_CELLS = ("drawing", "comments", "threadedComment")
_CHUNK_BYTES = 256 * 1024


@dataclass(frozen=True, slots=True)
class Page:
    """A page as it is found.

    Attributes:
        number: 1-based.
        label: A sheet's name; ``None`` for slides and sections, which have none.
        hidden: Whether the document hides it.
        signals: Sorted names: ``chart`` (a chart sheet), ``dialog``, ``image`` (a slide with pictures), ``empty``,
            ``missing`` (its part is not in the file), ``damaged`` (its part cannot be parsed).
    """

    number: int
    label: str | None = None
    hidden: bool = False
    signals: tuple[str, ...] = ()


def list_pages(document: OpenDocument) -> tuple[Page, ...]:
    """Every page of the document.

    Raises:
        SourceUnreadable: It is no Office document, or damaged beyond opening.
        SourceEncrypted: Its members are encrypted.
    """
    with typed_refusals():
        return tuple(_ENUMERATORS[family_of(open_package(document))](document))


@contextmanager
def typed_refusals() -> Iterator[None]:
    """Give what goes wrong inside the block its type: a damaged part, or XML nested deeper than any program writes it.

    Raises:
        SourceUnreadable: A part was damaged, or the walk ran out of stack (some 200 levels of nesting).
    """
    try:
        yield
    except PartDamaged as error:
        raise SourceUnreadable(error.message) from None
    except RecursionError:
        raise SourceUnreadable("the document nests elements deeper than any program does") from None


def _sections(document: OpenDocument) -> Iterator[Page]:
    for number, section in enumerate(open_sections(document), start=1):
        yield Page(number, signals=() if _says_anything(section) else ("empty",))


def _says_anything(section: Section) -> bool:
    return bool(section.blocks) or any(line.strip() for line in section.lines)


def _sheets(document: OpenDocument) -> Iterator[Page]:
    workbook = open_workbook(document)
    for sheet in workbook.sheets:
        yield Page(sheet.number, sheet.name, sheet.hidden, _sheet_signals(workbook, sheet))


def _sheet_signals(workbook: Workbook, sheet: Sheet) -> tuple[str, ...]:
    if sheet.kind is SheetKind.CELLS and sheet.part:
        try:
            return () if _holds_text(workbook, sheet.part) else ("empty",)
        except PartDamaged:
            return ("damaged",)
    return {SheetKind.CHART: ("chart",), SheetKind.MISSING: ("missing",)}.get(sheet.kind, ("dialog",))


def _holds_text(workbook: Workbook, part: str) -> bool:
    """Whether a worksheet may have text, seen in its bytes: the first chunk of almost every sheet has a value."""
    relationships = workbook.package.relationships(part)
    if any(relationships.of_type(kind) for kind in _TEXT_BESIDE_CELLS):
        return True
    with workbook.package.open(part) as stream:
        tail = b""
        while chunk := stream.read(_CHUNK_BYTES):
            if _TEXT_ELEMENT.search(tail + chunk):
                return True
            tail = chunk[-32:]
    return False


def _slides(document: OpenDocument) -> Iterator[Page]:
    deck = open_deck(document)
    for slide in deck.slides:
        yield _slide(document, deck, slide)


def _slide(document: OpenDocument, deck: Deck, slide: Slide) -> Page:
    if slide.part is None:
        return Page(slide.number, signals=("missing",))
    try:
        on_slide = shapes(document, slide.number)
    except PartDamaged:
        return Page(slide.number, signals=("damaged",))
    signals = []
    beside = deck.related(slide, "notesSlide") or deck.related(slide, "comments")
    if not beside and not any(shape.text.strip() for shape in on_slide):
        signals.append("empty")
    if any(shape.kind is ShapeKind.PICTURE for shape in on_slide):
        signals.append("image")
    return Page(slide.number, hidden=deck.hidden(slide), signals=tuple(signals))


_ENUMERATORS: dict[Family, Callable[[OpenDocument], Iterator[Page]]] = {
    Family.WORD: _sections,
    Family.SHEET: _sheets,
    Family.SLIDES: _slides,
}
