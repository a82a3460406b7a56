"""Japanese or Chinese, for text that both write with the same characters.

lingua calls every text without kana Chinese, 代表取締役社長 and a page of addresses included. The character sets of
the two countries tell more. Japanese simplified some characters and kept others: a text in kanji soon shows one that
simplified Chinese cannot write (東 長 業, not in GB 2312) and one that traditional Chinese cannot (会 区 売, not in
Big5). Chinese soon shows one that is no everyday kanji (们 这 國 發, not in level 1 of JIS X 0208). Python's codecs are
the tables. Only counts here; what follows for a confidence is the detector's business.
"""

from collections import Counter
from functools import cache
from typing import NamedTuple

_SIMPLIFIED = "gb2312"
_TRADITIONAL = "big5"
_JAPANESE = "euc_jp"
_LEVEL_1 = range(0xB0, 0xD0)
"""Rows 16 to 47 of JIS X 0208, as first bytes in EUC-JP: the 2,965 kanji of everyday use."""


class Evidence(NamedTuple):
    """Characters that speak for each language; both 0 where a text could be either, or has no ideographs."""

    japanese: int
    chinese: int

    def __add__(self, other: object) -> "Evidence":
        if not isinstance(other, Evidence):
            return NotImplemented
        return Evidence(self.japanese + other.japanese, self.chinese + other.chinese)


def evidence(text: str) -> Evidence:
    """What the characters of a whole text say.

    For Japanese: its kana, and the smaller of the two counts of characters that simplified and that traditional Chinese
    lacks. A Chinese text lacks characters of one of them, hardly of both. For Chinese: ideographs that are no everyday
    kanji.
    """
    kana = not_simplified = not_traditional = not_japanese = 0
    for character, count in Counter(text).items():
        if _is_kana(character):
            kana += count
        elif _is_ideograph(character):
            kind = _writable(character)
            not_simplified += 0 if kind.simplified else count
            not_traditional += 0 if kind.traditional else count
            not_japanese += 0 if kind.everyday_japanese or not (kind.simplified or kind.traditional) else count
    return Evidence(kana + min(not_simplified, not_traditional), not_japanese)


class _Writable(NamedTuple):
    """In which character sets an ideograph stands."""

    simplified: bool
    traditional: bool
    everyday_japanese: bool


@cache  # one entry per ideograph there is
def _writable(character: str) -> _Writable:
    japanese = _encoded(character, _JAPANESE)
    return _Writable(
        simplified=bool(_encoded(character, _SIMPLIFIED)),
        traditional=bool(_encoded(character, _TRADITIONAL)),
        everyday_japanese=len(japanese) == 2 and japanese[0] in _LEVEL_1,
    )


def _encoded(character: str, codec: str) -> bytes:
    try:
        return character.encode(codec)
    except UnicodeEncodeError:
        return b""


def _is_kana(character: str) -> bool:
    """Hiragana and katakana, half-width too; not the marks ・ and ー, which Chinese and titles use as well."""
    return "\u3041" <= character <= "\u3096" or "\u30a1" <= character <= "\u30fa" or "\uff66" <= character <= "\uff9d"


def _is_ideograph(character: str) -> bool:
    return "\u4e00" <= character <= "\u9fff" or "\u3400" <= character <= "\u4dbf"
