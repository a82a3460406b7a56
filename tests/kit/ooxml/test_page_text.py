"""Putting a page's text together."""

from hypothesis import given
from hypothesis import strategies as st

from indx_core.contracts.page import BoxReason
from indx_core.kit.ooxml.page_text import PageText


@given(st.lists(st.text(alphabet="あb \n", max_size=12)))
def test_lines_cover_exactly_the_text_that_is_not_blank(parts: list[str]) -> None:
    page = PageText()
    for part in parts:
        page.add_lines(part)
    for line in page.lines:
        assert page.text[line.start : line.end].strip()
        assert "\n" not in page.text[line.start : line.end]
        assert (line.box, line.reason) == (None, BoxReason.NO_GEOMETRY)
    covered = "".join(page.text[line.start : line.end] for line in page.lines)
    assert covered == "".join(line for part in parts for line in part.split("\n") if line.strip())


def test_a_run_of_blank_lines_is_one() -> None:
    page = PageText()
    page.add_lines("a\n\n\n\nb")
    assert page.text == "a\n\nb"


def test_a_block_is_labelled_once_and_a_blank_one_is_left_out() -> None:
    page = PageText()
    page.add_lines("body")
    page.add_block("header", "one\ntwo")
    page.add_block("footer", " \n ")
    assert page.text == "body\n[header] one\ntwo"
