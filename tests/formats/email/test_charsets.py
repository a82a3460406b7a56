"""Charsets: what is declared, what the bytes are, and what is said when the two differ."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_core.formats.email.charsets import decode

JAPANESE = "見積書を添付します。ご確認ください。"


@pytest.mark.parametrize(
    ("data", "label", "text", "codes"),
    [
        (JAPANESE.encode("iso2022_jp"), "ISO-2022-JP", JAPANESE, []),
        (b"\x1b$B-!-j\x1b(B", "iso-2022-jp", "①㈱", []),
        (b"\x1b(I1R\x1b(B", "iso-2022-jp", "ｱﾒ", []),
        ("①㈱髙ｱ".encode("cp932"), "shift_jis", "①㈱髙ｱ", []),
        (JAPANESE.encode("euc_jp"), "EUC-JP", JAPANESE, []),
        (b"\xad\xa1\xad\xea", "euc-jp", "①㈱", []),
        (JAPANESE.encode("cp932"), "utf-8", JAPANESE, ["charset_wrong"]),
        (JAPANESE.encode("euc_jp"), "iso-2022-jp", JAPANESE, ["charset_wrong"]),
        (JAPANESE.encode("cp932"), "iso-8859-1", JAPANESE, ["charset_wrong"]),
        (JAPANESE.encode(), "us-ascii", JAPANESE, ["charset_wrong"]),
        (JAPANESE.encode(), None, JAPANESE, []),
        (JAPANESE.encode("cp932"), None, JAPANESE, []),
        (JAPANESE.encode(), "X-UNKNOWN", JAPANESE, ["charset_unknown"]),
        (b"plain", "X-UNKNOWN", "plain", []),
        ("Grüße, Größe".encode("latin-1"), "iso-8859-1", "Grüße, Größe", []),
        ("Grüße, Größe".encode("latin-1"), None, "Grüße, Größe", []),
        (b"\x93quoted\x94", "iso-8859-1", "“quoted”", []),
        ("привет".encode("koi8-r"), "koi8-r", "привет", []),
        ("한국말".encode("cp949"), "ks_c_5601-1987", "한국말", []),
        ("汉字".encode("gb18030"), "gb2312", "汉字", []),
        (b"Fr+APY-sche", "utf-7", "Frösche", []),
        ("text".encode("utf-16-le"), "utf-16le", "text", []),
        ("é".encode(), '3D"utf-8"', "é", []),
        ("é".encode(), "utf_8", "é", []),
        (b"ab\xff\xfe\x00", "utf-8", "ab\ufffd\ufffd\x00", ["undecodable_bytes"]),
        (b"YWJj\xff", "base64", "YWJjÿ", ["charset_unknown"]),
        (b"a+2AA-b", "utf-7", "a\ufffdb", ["undecodable_bytes"]),
        (b"+2D3eAA-", "utf-7", "😀", []),
        (rb"\ud800", "unicode-escape", r"\ud800", ["charset_unknown"]),
    ],
)
def test_bytes_become_text(data: bytes, label: str | None, text: str, codes: list[str]) -> None:
    findings: list[tuple[str, str]] = []
    assert decode(data, label, findings) == text
    assert [code for code, _ in findings] == codes


def test_half_width_kana_does_not_make_western_text_japanese() -> None:
    """Latin-1 umlauts are half-width kana in Shift_JIS: ``Ä`` would become ``ﾄ``."""
    assert decode("ÄÖÜ ÀÈÌ".encode("latin-1"), None, []) == "ÄÖÜ ÀÈÌ"


@given(
    st.binary(max_size=200), st.sampled_from([None, "utf-8", "iso-2022-jp", "euc-jp", "shift_jis", "utf-7", "x", "hz"])
)
def test_no_bytes_raise_under_any_label_and_what_they_become_can_be_written(data: bytes, label: str | None) -> None:
    text = decode(data, label, [])
    assert text.encode().decode() == text
