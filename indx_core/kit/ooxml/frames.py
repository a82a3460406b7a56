"""Where a DrawingML frame stands: offsets, group transforms, rotation and flips, as one affine map.

Lengths are EMU (914,400 an inch), x to the right and y downwards, as in the file; angles are degrees clockwise
(ECMA-376 part 1, 20.1.7.6). Boxes come out in 0-1 of the slide.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

from indx_core.contracts.page import Box
from indx_core.kit.ooxml.markup import is_on
from indx_core.kit.ooxml.xml import Element


class Point(NamedTuple):
    """A point, x to the right and y downwards."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Affine:
    """``x' = a x + c y + e``, ``y' = b x + d y + f``."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def apply(self, point: Point) -> Point:
        """The image of a point."""
        return Point(self.a * point.x + self.c * point.y + self.e, self.b * point.x + self.d * point.y + self.f)

    def after(self, first: "Affine") -> "Affine":
        """This map applied to the result of ``first``."""
        return Affine(
            self.a * first.a + self.c * first.b,
            self.b * first.a + self.d * first.b,
            self.a * first.c + self.c * first.d,
            self.b * first.c + self.d * first.d,
            self.a * first.e + self.c * first.f + self.e,
            self.b * first.e + self.d * first.f + self.f,
        )


@dataclass(frozen=True, slots=True)
class Frame:
    """An ``xfrm`` that states offset and extent."""

    x: float
    y: float
    width: float
    height: float
    rotation: float = 0.0
    flipped_h: bool = False
    flipped_v: bool = False

    def from_unit(self) -> Affine:
        """The map that takes the unit square onto this frame: flipped, then turned about its centre."""
        turn = math.radians(self.rotation)
        cos, sin = math.cos(turn), math.sin(turn)
        wide = -self.width if self.flipped_h else self.width
        high = -self.height if self.flipped_v else self.height
        about_centre = Affine(wide, 0.0, 0.0, high, -wide / 2, -high / 2)
        turned = Affine(cos, sin, -sin, cos, self.x + self.width / 2, self.y + self.height / 2)
        return turned.after(about_centre)


UNIT_CORNERS = (Point(0, 0), Point(1, 0), Point(1, 1), Point(0, 1))


def read_frame(xfrm: Element | None) -> Frame | None:
    """The frame of an ``xfrm``; ``None`` when it is absent or lacks its offset or extent."""
    if xfrm is None:
        return None
    offset, extent = xfrm.find("a:off"), xfrm.find("a:ext")
    if offset is None or extent is None:
        return None
    numbers = [_number(offset.get("x")), _number(offset.get("y")), _number(extent.get("cx")), _number(extent.get("cy"))]
    if any(number is None for number in numbers):
        return None
    x, y, width, height = (number or 0.0 for number in numbers)
    rotation = (_number(xfrm.get("rot")) or 0.0) / 60_000
    return Frame(x, y, width, height, rotation % 360, is_on(xfrm.get("flipH")), is_on(xfrm.get("flipV")))


def group_map(xfrm: Element | None) -> Affine:
    """Coordinates of a group's children to those of its parent; the identity for a group without a frame."""
    frame = read_frame(xfrm)
    if xfrm is None or frame is None:
        return Affine()
    offset, extent = xfrm.find("a:chOff"), xfrm.find("a:chExt")
    x = _number(offset.get("x")) if offset is not None else None
    y = _number(offset.get("y")) if offset is not None else None
    width = _number(extent.get("cx")) if extent is not None else None
    height = _number(extent.get("cy")) if extent is not None else None
    # A child space of no extent cannot be scaled; the group's own size keeps the children at scale 1.
    wide, high = width or frame.width or 1.0, height or frame.height or 1.0
    left, top = (frame.x if x is None else x), (frame.y if y is None else y)
    return frame.from_unit().after(Affine(1 / wide, 0.0, 0.0, 1 / high, -left / wide, -top / high))


def visible_box(corners: tuple[Point, ...]) -> Box | None:
    """The upright box round some points in 0-1 of the slide, cut at the slide's edge; ``None`` when it is all outside.

    Rounded to 6 digits, which is 2 µm on a wide slide, so that the last bits of sines do not reach an output.
    """
    x0, x1 = min(point.x for point in corners), max(point.x for point in corners)
    y0, y1 = min(point.y for point in corners), max(point.y for point in corners)
    if x1 < 0 or y1 < 0 or x0 > 1 or y0 > 1:
        return None
    return Box(*(round(min(max(value, 0.0), 1.0), 6) for value in (x0, y0, x1, y1)))


def _number(value: str | None) -> float | None:
    try:
        return float(int(value or ""))
    except (ValueError, OverflowError):
        return None
