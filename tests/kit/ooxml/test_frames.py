"""Affine placement of frames."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_core.contracts.page import Box
from indx_core.kit.ooxml.frames import UNIT_CORNERS, Affine, Frame, Point, visible_box


def corners(frame: Frame) -> tuple[Point, ...]:
    placed = frame.from_unit()
    return tuple(placed.apply(corner) for corner in UNIT_CORNERS)


def test_a_quarter_turn_swaps_width_and_height_about_the_centre() -> None:
    turned = corners(Frame(0.2, 0.4, 0.4, 0.2, rotation=90))
    assert visible_box(turned) == Box(0.3, 0.3, 0.5, 0.7)
    assert turned[0] == pytest.approx((0.5, 0.3))


def test_a_flip_exchanges_corners_and_keeps_the_box() -> None:
    flipped = corners(Frame(0.2, 0.4, 0.4, 0.2, flipped_h=True))
    assert flipped[0] == pytest.approx((0.6, 0.4))
    assert visible_box(flipped) == Box(0.2, 0.4, 0.6, 0.6)


def test_a_box_is_cut_at_the_edge_of_the_slide() -> None:
    assert visible_box(corners(Frame(-0.5, 0.9, 1.0, 0.5))) == Box(0.0, 0.9, 0.5, 1.0)


def test_a_box_wholly_outside_is_no_box() -> None:
    assert visible_box(corners(Frame(1.5, 0.2, 0.1, 0.1))) is None


@given(
    st.floats(-2, 2),
    st.floats(-2, 2),
    st.floats(0, 3),
    st.floats(0, 3),
    st.floats(0, 360),
    st.booleans(),
    st.booleans(),
)
def test_any_frame_has_a_box_inside_the_slide_or_none(
    x: float, y: float, width: float, height: float, rotation: float, flip_h: bool, flip_v: bool
) -> None:
    box = visible_box(corners(Frame(x, y, width, height, rotation, flip_h, flip_v)))
    assert box is None or (0 <= box.x0 <= box.x1 <= 1 and 0 <= box.y0 <= box.y1 <= 1)


def test_maps_compose_from_right_to_left() -> None:
    doubled, moved = Affine(2, 0, 0, 2, 0, 0), Affine(1, 0, 0, 1, 3, 4)
    assert doubled.after(moved).apply(Point(1, 1)) == Point(8, 10)
    assert math.isclose(moved.after(doubled).apply(Point(1, 1)).x, 5)
