"""The head of a text, cut where a reader would cut it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_core.kit.excerpt import excerpt


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("short", 10, "short"),
        ("exactly ten", 11, "exactly ten"),
        ("the quick brown fox jumps over", 27, "the quick brown fox jumps"),
        ("the quick brown", 9, "the quick"),
        ("abcdefghij klmnopqrstuvwxyz", 20, "abcdefghij klmnopqrs"),
        ("吾輩は猫である。名前はまだ無い。", 8, "吾輩は猫である。"),
        ("", 5, ""),
    ],
)
def test_a_text_is_cut_at_nearby_white_space_or_at_the_limit(text: str, limit: int, expected: str) -> None:
    assert excerpt(text, limit) == expected


@pytest.mark.parametrize("text", ["aaaa\u0301bb", "aaa👩\u200d👩bb", "aaaか\u3099bb"])
def test_a_character_is_not_cut_off_from_the_marks_combined_with_it(text: str) -> None:
    assert excerpt(text, 4) == "aaa"


@given(st.text(max_size=200), st.integers(min_value=1, max_value=50))
def test_an_excerpt_is_a_prefix_within_the_limit_and_never_empty_of_a_text(text: str, limit: int) -> None:
    cut = excerpt(text, limit)
    assert text.startswith(cut)
    assert len(cut) <= limit
    assert cut or not text
