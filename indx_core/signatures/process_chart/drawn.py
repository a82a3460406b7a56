"""The visible shapes of a slide under the ids that their nodes get, and the geometry of their boxes.

Knows no symbols. Boxes are 0-1 of the slide, origin top left.
"""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from indx_core.contracts.page import Box
from indx_core.kit.ooxml.shapes import Shape


class Drawn(NamedTuple):
    """A shape that is drawn.

    Attributes:
        id: ``shape:`` and the file's number of the shape; where a careless writer used a number again, its count after
            it: ``shape:4.2``.
        shape: The shape itself.
    """

    id: str
    shape: Shape


def drawn_shapes(on_slide: Iterable[Shape]) -> list[Drawn]:
    """What is not hidden, from back to front."""
    used: Counter[str] = Counter()
    drawn = []
    for shape in on_slide:
        if shape.hidden:
            continue
        used[shape.id] += 1
        again = f".{used[shape.id]}" if used[shape.id] > 1 else ""
        drawn.append(Drawn(f"shape:{shape.id}{again}", shape))
    return drawn


def area(box: Box) -> float:
    """Share of the slide."""
    return (box.x1 - box.x0) * (box.y1 - box.y0)


def centre(box: Box) -> tuple[float, float]:
    """``(x, y)``."""
    return (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2


def encloses_centre(box: Box, other: Box) -> bool:
    """Whether the centre of ``other`` is in ``box``."""
    x, y = centre(other)
    return box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1
