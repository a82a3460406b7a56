"""Whether a word occurs in a text, as documents write words: any width and case, spaced out, broken over lines."""

import re
import unicodedata

_WIDE = r"[\u3040-\u30ff\u3400-\u9fff]"
_GAP_INSIDE_JAPANESE = re.compile(rf"(?<={_WIDE})\s+(?={_WIDE})")
_GAP = re.compile(r"\s+")


def folded(text: str) -> str:
    """A text for searching: NFKC, case folded, each gap one space, and none between Japanese characters.

    Headings are spaced out (請　求　書), and lines break inside Japanese words.
    """
    plain = unicodedata.normalize("NFKC", text).casefold()
    return _GAP.sub(" ", _GAP_INSIDE_JAPANESE.sub("", plain))


def occurs(word: str, text: str) -> bool:
    """Whether a word occurs; both folded.

    A word that begins with a Latin letter must begin a word of the text, or ``api`` would be found in every *capital*
    and ``lease`` in every *release*; its end is free, so that plurals count. Japanese marks no words: 金融 is found in
    金融庁.
    """
    at = text.find(word)
    while at >= 0:
        if at == 0 or not (_is_latin(word[0]) and _is_latin(text[at - 1])):
            return True
        at = text.find(word, at + 1)
    return False


def _is_latin(character: str) -> bool:
    return character.isascii() and character.isalnum()
