"""What a recognition model can write, out of its file."""

from pathlib import Path

import pytest

from indx_core.engines.ocr_rapid.alphabet import languages, read_alphabet

LATIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
KANA = "".join(map(chr, [*range(0x3041, 0x3094), *range(0x30A1, 0x30F5)])) + "ー"
KANJI = "日本語年月会社東京都円株式図書館込働峠"


def field(number: int, content: bytes) -> bytes:
    """A length-delimited field of a protocol buffer."""
    length, size = len(content), b""
    while length >= 0x80:
        size += bytes([length & 0x7F | 0x80])
        length >>= 7
    return bytes([number << 3 | 2]) + size + bytes([length]) + content


def model(path: Path, characters: str, key: bytes = b"character") -> Path:
    """The shape of an ONNX file: a version, a graph to skip, and two metadata entries."""
    entry = field(1, key) + field(2, "\n".join(characters).encode())
    path.write_bytes(
        b"\x08\x0a" + field(7, bytes(5000)) + field(14, field(1, b"other") + field(2, b"x")) + field(14, entry)
    )
    return path


def test_the_alphabet_is_read_from_the_model_s_metadata(tmp_path: Path):
    assert read_alphabet(model(tmp_path / "m.onnx", LATIN + KANA), None) == frozenset(LATIN + KANA)


def test_a_model_without_an_alphabet_takes_it_from_a_key_file(tmp_path: Path):
    keys = tmp_path / "keys.txt"
    keys.write_text("a\nあ\n", encoding="utf-8")
    assert read_alphabet(model(tmp_path / "m.onnx", "x", key=b"shape"), keys) == {"a", "あ"}


def test_a_model_without_an_alphabet_and_without_keys_has_none(tmp_path: Path):
    assert read_alphabet(model(tmp_path / "m.onnx", "x", key=b"shape"), None) == frozenset()


@pytest.mark.parametrize("content", [b"", b"not a model at all", b"\xff" * 40, b"\x72\xff\xff\xff\xff\x7f"])
def test_a_file_that_is_no_model_has_no_alphabet(tmp_path: Path, content: bytes):
    path = tmp_path / "m.onnx"
    path.write_bytes(content)
    assert read_alphabet(path, None) == frozenset()


def test_a_replaced_model_is_read_again(tmp_path: Path):
    path = model(tmp_path / "m.onnx", "ab")
    read_alphabet(path, None)
    assert read_alphabet(model(path, "cde"), None) == {"c", "d", "e"}


def test_an_alphabet_with_kana_and_kanji_writes_japanese():
    assert languages(frozenset(LATIN + KANA + KANJI)) == ("en", "ja")


def test_an_alphabet_with_five_kana_does_not_write_japanese():
    """PP-OCRv4 has these five; its readings of Japanese look sure (0.9 and more) and lack every other kana."""
    assert languages(frozenset(LATIN + KANJI + "のシッとー")) == ("en",)


@pytest.mark.parametrize("missing", ["ぁ", "ん", "ヴ", "ー", "峠"])
def test_one_missing_character_is_enough_to_refuse_a_language(missing: str):
    assert "ja" not in languages(frozenset(LATIN + KANA + KANJI) - {missing})


def test_no_alphabet_writes_nothing():
    assert languages(frozenset()) == ()
