"""Bytes that hold Japanese text: decoding beyond Python's codecs, and the guess."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_core.kit.japanese import decode_euc_jp, decode_iso_2022_jp, guess

TEXT = "見積書を添付します。ご確認ください。"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (TEXT.encode("iso2022_jp"), TEXT),
        (b"\x1b$B-!-j\x1b(B", "①㈱"),
        (b"\x1b(I1R\x1b(B", "ｱﾒ"),
        ("丂".encode("iso2022_jp_1"), "丂"),
        (b"\x1b$B8+\n\x1b(Bx", "見\nx"),
        (b"\x1b$B8+@Q", "見積"),
        (b"a\x1b(Jb\x1b(Bc", "abc"),
    ],
    ids=["plain", "nec-row-13", "half-width", "jis-x-0212", "line-end-inside", "cut", "roman"],
)
def test_iso_2022_jp_as_mail_programs_write_it_is_decoded(data: bytes, text: str) -> None:
    assert decode_iso_2022_jp(data) == text


def test_euc_jp_has_the_extension_characters_of_windows() -> None:
    assert decode_euc_jp(b"\xad\xa1\xc6\xfc\x8e\xb1\xfc\xe2") == "①日ｱ髙"


@pytest.mark.parametrize("encoding", ["utf-8", "cp932", "euc_jp", "iso2022_jp"])
def test_the_encoding_of_japanese_text_is_recognised(encoding: str) -> None:
    assert guess(TEXT.encode(encoding))[1] == TEXT


@pytest.mark.parametrize(
    "data", ["Grüße".encode("latin-1"), "ÄÖÜ".encode("latin-1"), "привет".encode("koi8-r"), b"\xff\xfe"]
)
def test_text_of_other_languages_is_not_taken_for_japanese(data: bytes) -> None:
    """Latin-1 umlauts are half-width kana in Shift_JIS, and small letters with accents are rare kanji."""
    assert guess(data) == ("", "")


@given(st.binary(max_size=100))
def test_no_bytes_raise(data: bytes) -> None:
    assert isinstance(decode_iso_2022_jp(data), str)
    assert isinstance(decode_euc_jp(data), str)
    assert isinstance(guess(data)[1], str)
