"""Reading order on pages drawn by hand. A line is 20 high and stands 30 below the one before it, as detectors box it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indx_core.kit.geometry.reading_order import TextBox, reading_order, writing_directions


def lines(x: float, top: float, count: int, width: float = 300, pitch: float = 30) -> list[TextBox]:
    """A column of full lines, the last one half as long, as a paragraph ends."""
    widths = [width] * (count - 1) + [width / 2]
    return [TextBox(x, top + pitch * i, x + w, top + pitch * i + 20) for i, w in enumerate(widths)]


def order(*parts: list[TextBox]) -> list[int]:
    """The order in which the given boxes are read, rows flattened."""
    return [i for row in reading_order([box for part in parts for box in part]) for i in row]


def test_a_page_without_boxes_has_no_rows():
    assert reading_order([]) == []


def test_one_column_is_read_from_top_to_bottom():
    assert order(lines(0, 0, 3)[::-1]) == [2, 1, 0]


def test_two_columns_are_read_one_after_the_other():
    assert order(lines(0, 0, 8), lines(330, 0, 8)) == list(range(16))


def test_columns_whose_lines_do_not_meet_are_still_two():
    """Two tilted pages of a spread, or columns off the grid."""
    assert order(lines(0, 0, 8), lines(330, 13, 8)) == list(range(16))


def test_four_columns_are_read_from_left_to_right():
    assert order(*(lines(330 * c, 0, 6) for c in range(4))) == list(range(24))


def test_a_headline_over_both_columns_comes_first_and_a_footer_last():
    headline, footer = TextBox(100, -60, 560, -20), TextBox(200, 300, 430, 320)
    assert order(lines(0, 0, 8), lines(330, 0, 8), [headline, footer]) == [16, *range(16), 17]


def test_columns_above_a_spanning_line_are_read_before_those_below_it():
    above = [*lines(0, 0, 4), *lines(330, 0, 4)]
    below = [*lines(0, 200, 4), *lines(330, 200, 4)]
    assert order(above, [TextBox(0, 150, 630, 170)], below) == list(range(17))


def test_text_in_one_column_below_two_columns_stays_in_one_piece():
    assert order(lines(0, 0, 6), lines(330, 0, 6), lines(0, 250, 5, width=630)) == list(range(17))


def test_a_caption_between_columns_that_run_on_beside_it_follows_them():
    """Read where it stands, it would cut both columns in two (a real magazine page: character error 0.31 to 0.02)."""
    caption = [TextBox(250, 125 + 30 * i, 380, 145 + 30 * i) for i in range(2)]
    left = [TextBox(0, 30 * i, 300 if i not in (4, 5, 6) else 230, 30 * i + 20) for i in range(12)]
    right = [TextBox(330 if i not in (4, 5, 6) else 400, 30 * i, 630, 30 * i + 20) for i in range(12)]
    assert order(left, right, caption) == list(range(26))


def test_lines_beside_a_picture_do_not_make_a_column_of_their_own():
    """The wide gap beside the picture is no gutter: the wider lines of the same column stand across it."""
    left = [TextBox(0, 30 * i, 300 if i < 4 or i > 8 else 180, 30 * i + 20) for i in range(14)]
    assert order(left, lines(330, 0, 14)) == list(range(28))


def test_rows_of_a_table_are_read_across():
    cells = [TextBox(x, 30 * row, x + w, 30 * row + 20) for row in range(6) for x, w in ((0, 90), (200, 60), (320, 70))]
    assert reading_order(cells) == [[3 * row, 3 * row + 1, 3 * row + 2] for row in range(6)]


def test_descriptions_and_amounts_are_rows_although_the_descriptions_are_long():
    """An invoice, or a table of contents: only one side is prose."""
    rows = [
        (TextBox(0, 30 * r, 250 + 10 * (r % 3), 30 * r + 20), TextBox(500, 30 * r, 570, 30 * r + 20)) for r in range(6)
    ]
    assert reading_order([box for row in rows for box in row]) == [[2 * r, 2 * r + 1] for r in range(6)]


def test_loosely_spaced_sentences_that_meet_line_for_line_are_rows_of_a_table():
    left, right = lines(0, 0, 6, pitch=60), lines(330, 0, 6, pitch=60)
    assert reading_order(left + right) == [[r, r + 6] for r in range(6)]


def test_labels_and_values_of_a_form_are_rows():
    form = [TextBox(x, 40 * r, x + w, 40 * r + 20) for r in range(4) for x, w in ((0, 60), (150, 300))]
    assert reading_order(form) == [[2 * r, 2 * r + 1] for r in range(4)]


def test_a_table_within_a_column_is_read_across_within_its_column():
    cells = [TextBox(330 + x, 120 + 30 * r, 330 + x + 50, 140 + 30 * r) for r in range(3) for x in (0, 120, 240)]
    right = [*lines(330, 0, 4), *cells, *lines(330, 210, 6)]
    assert order(lines(0, 0, 13), right) == list(range(13 + len(right)))


def test_pieces_of_one_line_are_one_row_from_left_to_right():
    assert reading_order([TextBox(120, 2, 200, 22), TextBox(0, 0, 100, 20)]) == [[1, 0]]


def test_vertical_columns_are_read_from_right_to_left():
    columns = [TextBox(50 * c, 0, 50 * c + 30, 900, vertical=True) for c in range(6)]
    assert order(columns) == [5, 4, 3, 2, 1, 0]


def test_tiers_of_vertical_text_are_read_from_top_to_bottom():
    """The upper tier whole, from right to left, then the lower one."""
    upper = [TextBox(40 * c, 0, 40 * c + 25, 400, vertical=True) for c in range(7, -1, -1)]
    lower = [TextBox(40 * c, 430, 40 * c + 25, 830, vertical=True) for c in range(7, -1, -1)]
    assert order(upper, lower) == list(range(16))


def test_a_running_head_over_vertical_text_comes_first_and_a_page_number_below_it_last():
    columns = [TextBox(50 * c, 100, 50 * c + 30, 900, vertical=True) for c in range(5, -1, -1)]
    assert order(columns, [TextBox(0, 950, 40, 970), TextBox(0, 0, 200, 20)]) == [7, 0, 1, 2, 3, 4, 5, 6]


def test_a_page_of_columns_is_vertical_its_short_ends_included():
    assert writing_directions([(30, 900), (30, 800), (30, 35), (200, 20)]) == [True, True, True, False]


def test_a_lone_tall_digit_on_a_horizontal_page_is_not_vertical_writing():
    assert writing_directions([(300, 20), (280, 20), (8, 22)]) == [False, False, False]


def test_an_upright_stamp_beside_horizontal_text_is_vertical_writing():
    assert writing_directions([(300, 20), (280, 20), (20, 120)]) == [False, False, True]


boxes = st.builds(
    lambda x, y, w, h, v: TextBox(x, y, x + w, y + h, v),
    st.integers(0, 900),
    st.integers(0, 900),
    st.integers(0, 400),
    st.integers(0, 400),
    st.booleans(),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(boxes, max_size=40))
def test_every_box_is_read_once_whatever_the_page_looks_like(page: list[TextBox]):
    assert sorted(i for row in reading_order(page) for i in row) == list(range(len(page)))


@settings(max_examples=40, deadline=None)
@given(st.permutations(range(16)))
def test_the_order_does_not_depend_on_the_order_in_which_boxes_were_found(shuffled: list[int]):
    page = [*lines(0, 0, 8), *lines(330, 0, 8)]
    found = reading_order([page[i] for i in shuffled])
    assert [shuffled[i] for row in found for i in row] == list(range(16))


@pytest.mark.parametrize("count", [400])
def test_a_dense_table_is_ordered_in_reasonable_steps(count: int):
    """Twenty columns of twenty rows: hundreds of gutters, none of them between prose."""
    cells = [TextBox(60 * (i % 20), 30 * (i // 20), 60 * (i % 20) + 40, 30 * (i // 20) + 20) for i in range(count)]
    assert order(cells) == list(range(count))
