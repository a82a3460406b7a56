"""How far a page is tilted, out of the slopes of its text lines, and how to level it.

Works on tilts of a few degrees. Quarter turns are another matter: they are seen by what a recogniser reads.
"""

from collections.abc import Sequence
from math import atan2, cos, degrees, radians, sin

from indx_core.kit.geometry.boxes import Point, Quad, edges

MAXIMUM_SKEW = 15.0
"""Degrees beyond which a line's slope is taken for a slanted caption, and not for the tilt of the page."""

_LEAST_ASPECT = 3.0
"""A line shorter than three times its height has no reliable slope: one pixel at one corner is a degree and more."""


def skew_angle(quads: Sequence[Quad]) -> float:
    """Tilt of a page in degrees, clockwise positive: the median slope of its lines, weighted by their length.

    Args:
        quads: Text lines; upright columns of vertical writing count by their long edges.
    """
    slopes = sorted(slope for slope in map(_slope, quads) if slope is not None)
    if not slopes:
        return 0.0
    half = sum(weight for _, weight in slopes) / 2
    for angle, weight in slopes:
        half -= weight
        if half <= 0:
            return angle
    return slopes[-1][0]


def level(point: Point, angle: float) -> Point:
    """A point after turning the plane back by ``angle`` degrees around the origin."""
    c, s = cos(radians(angle)), sin(radians(angle))
    x, y = point
    return x * c + y * s, y * c - x * s


def _slope(quad: Quad) -> tuple[float, float] | None:
    width, height = edges(quad)
    if max(width, height) < _LEAST_ASPECT * min(width, height):
        return None
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad
    if width >= height:
        angle = degrees(atan2(by - ay + cy - dy, bx - ax + cx - dx))
    else:
        angle = degrees(atan2(-(dx - ax + cx - bx), dy - ay + cy - by))
    return (angle, max(width, height)) if abs(angle) <= MAXIMUM_SKEW else None
