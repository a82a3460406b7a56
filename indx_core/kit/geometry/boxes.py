"""Rectangles and quadrilaterals: sizes, unions, quarter turns, and the step from pixels to page shares.

Does not order anything (``reading_order.py``). Coordinates have their origin at the top left, ``y`` growing downwards,
in any one unit on both axes unless a function says 0-1.
"""

from collections.abc import Iterable, Sequence
from math import hypot

from indx_core.contracts.page import Box

Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]
"""Corners in the order top left, top right, bottom right, bottom left of the text as it stands."""

Rect = tuple[float, float, float, float]
"""``(x0, y0, x1, y1)`` with ``x0 <= x1`` and ``y0 <= y1``."""


def edges(quad: Quad) -> tuple[float, float]:
    """Width and height of a quadrilateral: the longer one of each pair of opposite edges."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad
    width = max(hypot(bx - ax, by - ay), hypot(cx - dx, cy - dy))
    height = max(hypot(dx - ax, dy - ay), hypot(cx - bx, cy - by))
    return width, height


def bounds(points: Iterable[Point]) -> Rect:
    """The smallest upright rectangle around some points."""
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def union(rects: Sequence[Rect]) -> Rect:
    """The smallest rectangle around some rectangles, at least one."""
    x0s, y0s, x1s, y1s = zip(*rects, strict=True)
    return min(x0s), min(y0s), max(x1s), max(y1s)


def turn(point: Point, quarters: int, width: float, height: float) -> Point:
    """Where a point lands when its page is turned clockwise.

    Args:
        point: On a page of ``width`` x ``height``.
        quarters: Quarter turns clockwise; any integer, negative for anticlockwise.
        width: Page width before the turn.
        height: Page height before the turn.
    """
    x, y = point
    match quarters % 4:
        case 1:
            return height - y, x
        case 2:
            return width - x, height - y
        case 3:
            return y, width - x
        case _:
            return x, y


def page_share(rect: Rect, width: float, height: float) -> Box:
    """A rectangle as shares of a page of ``width`` x ``height``, clamped to 0-1 and rounded to 6 digits.

    Six digits are a thousandth of a pixel on any page that is read, and keep outputs short and byte-stable.
    """
    x0, y0, x1, y1 = rect
    return Box(_share(x0, width), _share(y0, height), _share(x1, width), _share(y1, height))


def _share(value: float, whole: float) -> float:
    return round(min(1.0, max(0.0, value / whole)), 6)
