"""What stands on a slide: every shape in document order with its text, its place and its connections.

The chunker takes the text-bearing ones, the reader their text, the process-chart signature the connectors and symbols.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from indx_core.contracts.page import Box, BoxReason, Link, Table
from indx_core.kit.ooxml.drawingml import body_text, graphic_texts, grid_text, table_grid
from indx_core.kit.ooxml.frames import UNIT_CORNERS, Affine, Frame, Point, group_map, read_frame, visible_box
from indx_core.kit.ooxml.links import drawn_links
from indx_core.kit.ooxml.markup import children, descend, find, is_on
from indx_core.kit.ooxml.placeholders import Placeholders
from indx_core.kit.ooxml.presentation import Deck, Slide, open_deck
from indx_core.kit.ooxml.xml import Element
from indx_core.ports.document import OpenDocument


class ShapeKind(StrEnum):
    """What a shape is."""

    SHAPE = "shape"
    """A ``p:sp``: text box, placeholder or symbol."""
    CONNECTOR = "connector"
    PICTURE = "picture"
    TABLE = "table"
    GRAPHIC = "graphic"
    """A chart, a SmartArt diagram or an embedded object."""
    GROUP = "group"


_KINDS = {
    "p:sp": ShapeKind.SHAPE,
    "p:cxnSp": ShapeKind.CONNECTOR,
    "p:pic": ShapeKind.PICTURE,
    "p:graphicFrame": ShapeKind.GRAPHIC,
    "p:grpSp": ShapeKind.GROUP,
}


@dataclass(frozen=True, slots=True)
class Shape:
    """One shape of a slide.

    Attributes:
        id: The file's id of the shape, unique on its slide where the writer was careful.
        kind: What it is.
        name: The name PowerPoint lists it under.
        text: Its text, a line per paragraph; a table as tab-separated rows; the words of a chart or diagram.
        box: Upright box round it as displayed, cut at the slide's edge; ``None`` with a ``reason``.
        reason: ``hidden`` where the source hides it or it stands wholly outside the slide, ``unresolved`` where the
            file states no position.
        corners: The frame's corners, clockwise from what is its top left before flips and rotation, in 0-1 of the
            slide and not cut at its edge; empty where unresolved. A straight connector runs from first to third.
        hidden: Whether it or a group round it is hidden.
        groups: Ids of the groups round it, outermost first.
        preset: Preset geometry: ``rect``, ``triangle``, ``ellipse``, …; ``None`` for a free form.
        placeholder: Type of the placeholder it fills: ``title``, ``body``, …
        text_box: Whether it was drawn as a text box, which is otherwise a rectangle like any other.
        begins_at: Connector: id of the shape it starts at (``a:stCxn``).
        ends_at: Connector: id of the shape it ends at (``a:endCxn``).
        head: Connector: arrowhead at the start; ``None`` for none.
        tail: Connector: arrowhead at the end; ``None`` for none.
        media: Picture: part that holds the picture.
        table: The grid of a table.
        links: Links of the shape and of its text that leave the presentation; a group has those of itself alone.
    """

    id: str
    kind: ShapeKind
    name: str
    text: str
    box: Box | None
    reason: BoxReason | None
    corners: tuple[Point, ...] = ()
    hidden: bool = False
    groups: tuple[str, ...] = ()
    preset: str | None = None
    placeholder: str | None = None
    text_box: bool = False
    begins_at: str | None = None
    ends_at: str | None = None
    head: str | None = None
    tail: str | None = None
    media: str | None = None
    table: Table | None = field(default=None, repr=False)
    links: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True)
class _Surroundings:
    """What a shape inherits from the groups round it."""

    to_slide: Affine
    groups: tuple[str, ...] = ()
    hidden: bool = False


def shapes(document: OpenDocument, number: int) -> tuple[Shape, ...]:
    """Every shape of a slide in document order, which is from back to front; groups before their members.

    Args:
        document: A presentation.
        number: 1-based page number.

    Raises:
        PartDamaged: The slide's part is missing or not well-formed.
        SourceUnreadable: It is no readable presentation, or has no such slide.
    """
    deck = open_deck(document)
    return document.once(f"ooxml.shapes.{number}", lambda: tuple(_walk_slide(deck, deck.slides[number - 1])))


def _walk_slide(deck: Deck, slide: Slide) -> Iterator[Shape]:
    tree = find(deck.root(slide), "p:cSld", "p:spTree")
    if tree is None:
        return
    width, height = deck.size
    walker = _Walker(deck, slide)
    yield from walker.walk(tree, _Surroundings(Affine(1 / width, 0.0, 0.0, 1 / height)))


class _Walker:
    def __init__(self, deck: Deck, slide: Slide) -> None:
        self._package = deck.package
        self._part = slide.part or ""
        self._relationships = deck.package.relationships(self._part)
        self._placeholders = Placeholders(deck.templates(slide))

    def walk(self, tree: Element, around: _Surroundings) -> Iterator[Shape]:
        for element in children(tree):
            kind = _KINDS.get(element.tag)
            if kind is None:
                continue
            shape = self._shape(element, kind, around)
            yield shape
            if kind is ShapeKind.GROUP:
                inner = around.to_slide.after(group_map(find(element, "p:grpSpPr", "a:xfrm")))
                yield from self.walk(element, _Surroundings(inner, (*around.groups, shape.id), shape.hidden))

    def _shape(self, element: Element, kind: ShapeKind, around: _Surroundings) -> Shape:
        properties = _non_visual(element)
        hidden = around.hidden or is_on(properties.get("hidden"))
        corners = self._corners(element, around.to_slide)
        box = visible_box(corners) if corners and not hidden else None
        reason = None if box else BoxReason.HIDDEN if hidden or corners else BoxReason.UNRESOLVED
        table = _table(element, properties.get("name"))
        start, end = (
            find(element, "p:nvCxnSpPr", "p:cNvCxnSpPr", "a:stCxn"),
            find(element, "p:nvCxnSpPr", "p:cNvCxnSpPr", "a:endCxn"),
        )
        geometry = find(element, "p:spPr", "a:prstGeom")
        drawing = find(element, "p:nvSpPr", "p:cNvSpPr")
        return Shape(
            id=properties.get("id", ""),
            kind=ShapeKind.TABLE if table else kind,
            name=properties.get("name", ""),
            text=self._text(element, table),
            box=box,
            reason=reason,
            corners=corners,
            hidden=hidden,
            groups=around.groups,
            preset=geometry.get("prst") if geometry is not None else None,
            placeholder=self._placeholders.type_of(element),
            text_box=drawing is not None and is_on(drawing.get("txBox")),
            begins_at=start.get("id") if start is not None else None,
            ends_at=end.get("id") if end is not None else None,
            head=_arrow(element, "a:headEnd"),
            tail=_arrow(element, "a:tailEnd"),
            media=self._media(element),
            table=table,
            links=tuple(drawn_links(element[0] if kind is ShapeKind.GROUP else element, self._relationships, box)),
        )

    def _text(self, element: Element, table: Table | None) -> str:
        if element.tag == "p:sp":
            return body_text(element.find("p:txBody"))
        if element.tag != "p:graphicFrame":
            return ""
        return grid_text(table) if table else "\n".join(graphic_texts(self._package, self._part, element))

    def _corners(self, element: Element, to_slide: Affine) -> tuple[Point, ...]:
        frame = _own_frame(element) or self._placeholders.frame_of(element)
        if frame is None:
            return ()
        placed = to_slide.after(frame.from_unit())
        return tuple(placed.apply(corner) for corner in UNIT_CORNERS)

    def _media(self, element: Element) -> str | None:
        blip = find(element, "p:blipFill", "a:blip")
        target = self._relationships.target(blip.get("r:embed")) if blip is not None else None
        return target if self._package.has(target) else None


def _non_visual(element: Element) -> Element:
    """``p:cNvPr``, first child of the first child of every kind of shape."""
    found = element[0].find("p:cNvPr") if len(element) else None
    return element if found is None else found


def _own_frame(element: Element) -> Frame | None:
    for path in (("p:spPr", "a:xfrm"), ("p:grpSpPr", "a:xfrm"), ("p:xfrm",)):
        if frame := read_frame(find(element, *path)):
            return frame
    return None


def _table(element: Element, label: str | None) -> Table | None:
    if element.tag != "p:graphicFrame":
        return None
    found = next((inner for inner in descend(element) if inner.tag == "a:tbl"), None)
    return None if found is None else table_grid(found, label)


def _arrow(element: Element, tag: str) -> str | None:
    end = find(element, "p:spPr", "a:ln", tag)
    kind = end.get("type", "none") if end is not None else "none"
    return None if kind == "none" else kind
