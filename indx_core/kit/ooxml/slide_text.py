"""The text of a slide: its shapes in document order, then speaker notes and comments as labelled blocks.

Layouts and masters are not read: their text is the template's (prompts, a company's name) and the same on every slide.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from indx_core.contracts.page import Link, Table, TextLine
from indx_core.kit.ooxml.archive import PartDamaged
from indx_core.kit.ooxml.drawingml import body_text, graphic_texts, grid_text, table_grid
from indx_core.kit.ooxml.links import drawn_links
from indx_core.kit.ooxml.markup import descend
from indx_core.kit.ooxml.page_text import PageText
from indx_core.kit.ooxml.presentation import Deck, Slide, open_deck
from indx_core.kit.ooxml.shapes import shapes
from indx_core.kit.ooxml.xml import Element
from indx_core.ports.document import OpenDocument


@dataclass(frozen=True, slots=True)
class SlideText:
    """What reads off a slide.

    Attributes:
        text: Shapes, then labelled blocks.
        lines: A line per text-bearing shape, at the shape's box; one per line of a labelled block, without a box.
        tables: Grids of its tables, in document order.
        findings: Coded remarks: ``(code, message)``.
        links: Of its shapes, at their boxes, then of its notes.
    """

    text: str
    lines: tuple[TextLine, ...]
    tables: tuple[Table, ...]
    findings: tuple[tuple[str, str], ...]
    links: tuple[Link, ...] = ()


def slide_text(document: OpenDocument, number: int) -> SlideText:
    """Read a slide.

    Args:
        document: A presentation.
        number: 1-based page number.

    Raises:
        PartDamaged: The slide's part is missing or not well-formed.
        SourceUnreadable: It is no readable presentation.
    """
    deck = open_deck(document)
    slide = deck.slides[number - 1]
    on_slide = shapes(document, number)
    page = PageText()
    findings: list[tuple[str, str]] = []
    for shape in on_slide:
        page.add(shape.text.rstrip("\n"), shape.box, shape.reason)
    for label, text in side_blocks(deck, slide, findings):
        page.add_block(label, text)
    hidden = sum(1 for shape in on_slide if shape.hidden and shape.text.strip())
    if hidden:
        findings.append(("hidden_shapes", f"{hidden} shape(s) with text are hidden in the source"))
    tables = tuple(shape.table for shape in on_slide if shape.table and shape.table.cells)
    linked = (*(link for shape in on_slide for link in shape.links), *_notes_links(deck, slide))
    return SlideText(page.text, page.lines, tables, tuple(findings), linked)


def side_blocks(deck: Deck, slide: Slide, findings: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """``(label, text)`` of a slide's notes and comments; damaged parts are added to ``findings``."""
    blocks = []
    for part in deck.related(slide, "notesSlide"):
        try:
            blocks.append(("notes", _notes(deck, part)))
        except PartDamaged as error:
            findings.append(("notes_unreadable", error.message))
    for part in deck.related(slide, "comments"):
        try:
            blocks.extend(_comments(deck, part))
        except PartDamaged as error:
            findings.append(("comments_unreadable", error.message))
    return [(label, text) for label, text in blocks if text.strip()]


def _notes(deck: Deck, part: str) -> str:
    """All text of the notes page, its headers and footers included; the number it prints is not text of the slide."""
    texts = []
    for element in descend(deck.package.xml(part)):
        if element.tag == "p:sp":
            texts.append(body_text(element.find("p:txBody"), without_field="slidenum"))
        elif element.tag == "p:graphicFrame":
            texts.extend(grid_text(table_grid(table)) for table in element.iter("a:tbl"))
            texts.extend(graphic_texts(deck.package, part, element))
    return "\n".join(text for text in texts if text.strip())


def _notes_links(deck: Deck, slide: Slide) -> Iterator[Link]:
    for part in deck.related(slide, "notesSlide"):
        with suppress(PartDamaged):  # which is a finding of its text already
            yield from drawn_links(deck.package.xml(part), deck.package.relationships(part))


def _comments(deck: Deck, part: str) -> list[tuple[str, str]]:
    """Comments and their replies, of both generations: ``p:cm`` and ``p188:cm``."""
    found = []
    for element in deck.package.xml(part).iter():
        if element.tag == "p:cm":
            found.append((_author(deck, element), element.findtext("p:text") or ""))
        elif element.tag in ("p188:cm", "p188:reply"):
            found.append((_author(deck, element), body_text(element.find("p188:txBody"))))
    return found


def _author(deck: Deck, comment: Element) -> str:
    name = deck.comment_authors.get(comment.get("authorId", ""))
    return f"comment by {name}" if name else "comment"
