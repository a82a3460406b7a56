"""What a text is cut into, in scripts with and without spaces."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_core.knowledge.search.terms import cut, query_terms


def terms(text: str) -> set[int]:
    return set(query_terms(text).tolist())


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("請求書", ["請求", "求書", "請", "求", "書"]),
        ("請求", ["請求", "請", "求"]),
        ("The quick fox", ["the", "quick", "fox"]),
        ("合計100円です", ["合計", "合", "計", "100", "円で", "円", "です"]),
        ("100円", ["100", "円"]),
        ("indx_core v1.2", ["indx", "core", "v1", "2"]),
        ("データ", ["デー", "ータ"]),
        ("한국어 검색", ["한국어", "검색"]),
        ("Привет", ["привет"]),
        ("", []),
        ("、。!?", []),
    ],
)
def test_a_text_is_cut_into_words_and_pairs_of_characters(text: str, parts: list[str]) -> None:
    assert terms(text) == set().union(*(terms(part) for part in parts))
    assert len(terms(text)) == len(parts)


def test_kana_count_in_pairs_only() -> None:
    """A single kana stands in nearly every text; it is a term only where nothing stands beside it."""
    assert terms("です").isdisjoint(terms("で"))
    assert terms("Aか") > terms("か")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ABC", "abc"),
        ("ＡＢＣ１２", "abc12"),
        ("ﾃﾞｰﾀ", "データ"),
        ("㈱", "(株)"),
        ("Straße", "STRASSE"),
        ("e\u0301t", "\xe9t"),
    ],
)
def test_forms_of_the_same_text_are_the_same_terms(one: str, other: str) -> None:
    assert terms(one) == terms(other)


@pytest.mark.parametrize(("one", "other"), [("ab", "ba"), ("かな", "なか"), ("a", "aa"), ("は", "ば")])
def test_other_texts_are_other_terms(one: str, other: str) -> None:
    assert terms(one).isdisjoint(terms(other))


@given(st.lists(st.text(st.sampled_from("ab 1.鉄道の\0\U00020000\ud800"), max_size=12), max_size=6))
def test_texts_cut_together_are_cut_as_each_alone(texts: list[str]) -> None:
    """Batches are an implementation detail: no term reaches over the edge of a text."""
    found, owners = cut(texts)
    for index, text in enumerate(texts):
        alone, _ = cut([text])
        assert np.array_equal(np.sort(found[owners == index]), np.sort(alone))
