"""Frames that placeholders inherit: from the layout by index, from the master by type (ECMA-376 part 1, 19.3.1.36)."""

from indx_core.kit.ooxml.frames import Frame, read_frame
from indx_core.kit.ooxml.markup import find
from indx_core.kit.ooxml.xml import Element

_MASTER_TYPES = {"ctrTitle": "title", "title": "title", "dt": "dt", "ftr": "ftr", "sldNum": "sldNum"}
"""A master has one title, one body and the three furniture types; everything else takes its place from the body."""


class Placeholders:
    """Placeholders of a slide's layout and master.

    Args:
        templates: Shape trees in the order they are asked: layout, master.
    """

    def __init__(self, templates: list[Element]) -> None:
        self._templates = [_placeholders(tree) for tree in templates]

    def type_of(self, element: Element) -> str | None:
        """Type of the placeholder a shape fills; ``None`` for a shape that fills none."""
        placeholder = _placeholder(element)
        return None if placeholder is None else placeholder.get("type", "obj")

    def frame_of(self, element: Element) -> Frame | None:
        """The frame a shape inherits; ``None`` when it fills no placeholder or none of them states one."""
        placeholder = _placeholder(element)
        for level, template in enumerate(self._templates if placeholder is not None else ()):
            found = _match(placeholder, template, by_index=level == 0)  # type: ignore[arg-type]  # not None here
            if found is None:
                continue
            placeholder, frame = found
            if frame is not None:
                return frame
        return None


def _match(
    wanted: Element, template: list[tuple[Element, Frame | None]], *, by_index: bool
) -> tuple[Element, Frame | None] | None:
    if by_index:
        for candidate in template:
            if candidate[0].get("idx", "0") == wanted.get("idx", "0"):
                return candidate
    kind = _MASTER_TYPES.get(wanted.get("type", "obj"), "body")
    for candidate in template:
        if _MASTER_TYPES.get(candidate[0].get("type", "obj"), "body") == kind:
            return candidate
    return None


def _placeholders(tree: Element) -> list[tuple[Element, Frame | None]]:
    found = []
    for element in tree:
        placeholder = _placeholder(element)
        if placeholder is not None:
            frame = read_frame(find(element, "p:spPr", "a:xfrm")) or read_frame(element.find("p:xfrm"))
            found.append((placeholder, frame))
    return found


def _placeholder(element: Element) -> Element | None:
    """``p:ph`` stands in the first child of every kind of shape, its non-visual properties."""
    return find(element[0], "p:nvPr", "p:ph") if len(element) else None
