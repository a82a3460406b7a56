"""Sizes, turns and shares of boxes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_core.kit.geometry.boxes import bounds, edges, page_share, turn, union

coordinates = st.floats(min_value=0, max_value=5000)


def test_the_edges_of_a_tilted_line_are_its_length_and_height_not_its_bounds():
    assert edges(((0, 0), (30, 40), (24, 44.5), (-6, 4.5))) == pytest.approx((50, 7.5))


def test_a_union_covers_every_rectangle():
    assert union([(1, 5, 2, 6), (0, 7, 3, 8)]) == (0, 5, 3, 8)


@pytest.mark.parametrize(
    ("quarters", "corner"),
    [(0, (0, 0)), (1, (100, 0)), (2, (200, 100)), (3, (0, 200)), (-1, (0, 200)), (4, (0, 0))],
)
def test_the_top_left_corner_of_a_page_goes_round_clockwise(quarters: int, corner: tuple[float, float]):
    """A page of 200 x 100: after one quarter turn its top left is the top right of a page of 100 x 200."""
    assert turn((0, 0), quarters, 200, 100) == corner


@given(coordinates, coordinates, st.integers(-4, 4))
def test_turning_back_gives_the_point_again(x: float, y: float, quarters: int):
    there = turn((x, y), quarters, 5000, 7000)
    size = (5000, 7000) if quarters % 2 == 0 else (7000, 5000)
    assert turn(there, -quarters, *size) == pytest.approx((x, y))


@given(st.lists(st.tuples(coordinates, coordinates), min_size=1))
def test_shares_of_a_page_lie_within_it_and_in_order(points: list[tuple[float, float]]):
    box = page_share(bounds(points), 3000, 4000)
    assert 0 <= box.x0 <= box.x1 <= 1
    assert 0 <= box.y0 <= box.y1 <= 1
