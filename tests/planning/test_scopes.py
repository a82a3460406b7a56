"""PLN-07: scope addresses, and page lists as sentences write them."""

import pytest

from indx_core.planning.scopes import describe, listed, page_of, page_scope


@pytest.mark.parametrize(
    ("scope", "page"),
    [
        ("page:1", 1),
        ("page:120", 120),
        ("document", None),
        ("page:", None),
        ("page:-1", None),
        ("page:２", None),
        ("12", None),
    ],
)
def test_only_a_page_address_has_a_page_number(scope: str, page: int | None) -> None:
    assert page_of(scope) == page


def test_a_page_address_reads_back() -> None:
    assert page_of(page_scope(7)) == 7


@pytest.mark.parametrize(
    ("pages", "total", "text"),
    [([1], 1, "document"), ([2], 3, "page:2"), ([1, 2, 3], 3, "document"), ([1, 2, 3, 5, 8, 9], 9, "pages 1-3, 5, 8-9"), ([], 0, "document")],
)  # fmt: skip
def test_page_lists_are_written_as_ranges(pages: list[int], total: int, text: str) -> None:
    assert describe(pages, total) == text


def test_a_long_broken_list_is_cut_and_counted() -> None:
    assert describe(list(range(1, 1000, 2)), 1000) == "pages 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, … (500 pages)"


@pytest.mark.parametrize(("names", "text"), [(["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")])
def test_names_are_joined_as_in_a_sentence(names: list[str], text: str) -> None:
    assert listed(names) == text
