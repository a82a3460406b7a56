"""Slides of a presentation in the order it shows them: the one enumerator that observer, reader and chunker share.

Holds which parts make up a slide (its layout, master, notes, comments) and the slide's size; not what stands on it.
"""

from dataclasses import dataclass
from functools import cached_property

from indx_core.kit.ooxml.archive import PartDamaged
from indx_core.kit.ooxml.markup import find, is_on
from indx_core.kit.ooxml.package import Package, open_package
from indx_core.kit.ooxml.xml import Element
from indx_core.ports.document import OpenDocument

_DEFAULT_SIZE = (9_144_000.0, 6_858_000.0)
"""EMU of a 4:3 slide, what PowerPoint takes where ``p:sldSz`` is missing (ECMA-376 part 1, 19.2.1.39)."""


@dataclass(frozen=True, slots=True)
class Slide:
    """One slide.

    Attributes:
        number: 1-based page number: its place in the slide list, hidden ones included.
        part: Its part; ``None`` where the list names a slide that is not in the file.
    """

    number: int
    part: str | None


class Deck:
    """A presentation, opened.

    Attributes:
        package: Its package.
        slides: Every slide the slide list names, in that order.
        size: Width and height of every slide in EMU.
    """

    def __init__(self, package: Package) -> None:
        """Read the slide list.

        Raises:
            SourceUnreadable: There is no presentation part, or it is damaged.
        """
        self.package = package
        self._root = package.xml(package.main_part)
        relationships = package.relationships(package.main_part)
        slide_list = self._root.find("p:sldIdLst")
        listed = () if slide_list is None else slide_list.findall("p:sldId")
        targets = [relationships.target(item.get("r:id")) for item in listed]
        self.slides = tuple(
            Slide(number, target if package.has(target) else None) for number, target in enumerate(targets, start=1)
        )

    @cached_property
    def size(self) -> tuple[float, float]:
        """Width and height of every slide in EMU."""
        size = self._root.find("p:sldSz")
        try:
            width, height = (float(int(size.get(name, ""))) for name in ("cx", "cy")) if size is not None else (0, 0)
        except (ValueError, OverflowError):
            return _DEFAULT_SIZE
        return (width, height) if width > 0 and height > 0 else _DEFAULT_SIZE

    def root(self, slide: Slide) -> Element:
        """The slide's XML.

        Raises:
            PartDamaged: It is missing or not well-formed.
        """
        if slide.part is None:
            raise PartDamaged("the presentation lists a slide that is not in the file")
        return self.package.xml(slide.part)

    def hidden(self, slide: Slide) -> bool:
        """Whether a show skips the slide."""
        return not is_on(self.root(slide).get("show"), default=True)

    def related(self, slide: Slide, relationship_type: str) -> tuple[str, ...]:
        """Existing parts of a slide: its ``slideLayout``, ``notesSlide``, ``comments``."""
        if slide.part is None:
            return ()
        parts = self.package.relationships(slide.part).of_type(relationship_type)
        return tuple(part for part in parts if self.package.has(part))

    def templates(self, slide: Slide) -> list[Element]:
        """Shape trees a placeholder inherits from: the layout's, then the master's."""
        trees = []
        for layout in self.related(slide, "slideLayout")[:1]:
            for part in (layout, self.package.relationships(layout).first("slideMaster")):
                trees.extend(self._tree(part))
        return trees

    @cached_property
    def comment_authors(self) -> dict[str, str]:
        """Names of comment authors by their id, of both generations of comments."""
        names = {}
        relationships = self.package.relationships(self.package.main_part)
        for part in (*relationships.of_type("commentAuthors"), *relationships.of_type("authors")):
            for author in self.package.xml(part) if self.package.has(part) else ():
                names[author.get("id", "")] = author.get("name", "")
        return names

    def _tree(self, part: str | None) -> list[Element]:
        try:
            tree = find(self.package.xml(part), "p:cSld", "p:spTree") if part and self.package.has(part) else None
        except PartDamaged:
            return []
        return [] if tree is None else [tree]


def open_deck(document: OpenDocument) -> Deck:
    """The document's slides, listed once and shared.

    Raises:
        SourceUnreadable: It is no readable presentation.
        SourceEncrypted: Its members are encrypted.
    """
    return document.once("ooxml.deck", lambda: Deck(open_package(document)))
