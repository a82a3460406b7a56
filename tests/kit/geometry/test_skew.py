"""The tilt of a page, out of its lines."""

from math import cos, radians, sin

import pytest

from indx_core.kit.geometry.boxes import Quad
from indx_core.kit.geometry.skew import level, skew_angle


def tilted(x: float, y: float, width: float, height: float, angle: float) -> Quad:
    """A rectangle turned clockwise around the origin."""
    c, s = cos(radians(angle)), sin(radians(angle))
    corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
    a, b, d, e = ((px * c - py * s, px * s + py * c) for px, py in corners)
    return a, b, d, e


@pytest.mark.parametrize("angle", [-9, -0.4, 0, 0.4, 3, 12])
def test_the_tilt_is_found_from_horizontal_lines(angle: float):
    assert skew_angle([tilted(0, 50 * row, 800, 30, angle) for row in range(9)]) == pytest.approx(angle)


@pytest.mark.parametrize("angle", [-2, 0, 2])
def test_the_tilt_is_found_from_vertical_columns(angle: float):
    assert skew_angle([tilted(60 * column, 0, 30, 900, angle) for column in range(9)]) == pytest.approx(angle)


def test_long_lines_outweigh_short_ones():
    """One pixel at one corner of a short box is a degree; a page number must not tilt the page."""
    assert skew_angle([tilted(0, 0, 100, 30, 7), tilted(0, 60, 900, 30, 1)]) == pytest.approx(1)


def test_a_slanted_caption_is_not_the_tilt_of_the_page():
    assert skew_angle([tilted(0, 0, 900, 30, 40)]) == 0


def test_squarish_boxes_have_no_slope():
    assert skew_angle([tilted(0, 0, 50, 40, 5)]) == 0


def test_a_page_without_lines_is_level():
    assert skew_angle([]) == 0


def test_levelling_undoes_the_tilt():
    (x, y), *_ = tilted(500, 300, 10, 10, 4)
    assert level((x, y), 4) == pytest.approx((500, 300))
