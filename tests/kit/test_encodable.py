"""Halves of surrogate pairs: no encoder takes them, and no offset may move because of them."""

import pytest

from indx_core.kit.encodable import encodable


@pytest.mark.parametrize(
    ("text", "cleaned"), [("a\ud800b", "a?b"), ("\udfff", "?"), ("請求書 🧾", "請求書 🧾"), ("", "")]
)
def test_only_lone_surrogates_are_replaced_and_the_length_stays(text: str, cleaned: str) -> None:
    assert encodable(text) == cleaned
    assert len(encodable(text)) == len(text)
