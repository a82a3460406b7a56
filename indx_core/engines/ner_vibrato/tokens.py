"""Morphemes as IPADIC tags them, whoever cut them, and the pieces of a text that are handed to a tokenizer.

Does not know either tokenizer, nor what a name is made of.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

_KNOWN_COLUMNS = 9
"""Columns of a dictionary entry of IPADIC; an unknown word has no base form and no readings, and so fewer."""


@dataclass(frozen=True, slots=True)
class Token:
    """A morpheme at ``[start, end)`` of the whole text.

    Attributes:
        surface: As the dictionary reads it: the text's own characters may be decomposed.
        tags: The four parts of speech of IPADIC, broad to narrow, ``*`` where there is none.
        known: Whether the dictionary holds it; an unknown word is tagged by the shape of its characters.
    """

    surface: str
    start: int
    end: int
    tags: tuple[str, str, str, str]
    known: bool = True


Tokenize = Callable[[str], list[tuple[str, int, str]]]
"""Surface, start and comma-separated features of each morpheme of a piece; white space may be left out."""

_LINE = r"[^\n\r\x0b\x0c\x85\u2028\u2029]"
_PIECE = re.compile(f"{_LINE}{{1,5000}}(?!{_LINE})|{_LINE}{{1,4999}}[。、 \u3000]|{_LINE}{{1,5000}}")
"""One line: a name does not go over its end. Longer ones are cut, since the lattice of one piece stays in memory."""
_TAKEN = {0: "\ufffd", 0x3000: " "} | dict.fromkeys(range(0xD800, 0xE000), "\ufffd")
"""NUL ends a text for MeCab, and half a surrogate pair cannot be written in UTF-8. The wide space is a symbol of its
own in the dictionary; as a plain one it is passed over, and 島田　明 is a person as 島田明 is, not a place."""
_MARKED = re.compile("[\u3046-\u30fd][\u3099\u309a]")
"""A kana with its sound mark beside it, as macOS writes them; dictionaries hold them as one character."""


def tokens(text: str, tokenize: Tokenize) -> Iterator[list[Token]]:
    """The morphemes of each line of ``text``, with offsets in the whole."""
    for piece in _PIECE.finditer(text):
        composed, places = _composed(piece.group())
        found = tokenize(composed.translate(_TAKEN))
        yield [_token(surface, start, features, places, piece.start()) for surface, start, features in found]


def _composed(piece: str) -> tuple[str, Sequence[int]]:
    """The piece with each kana and its mark as one character, and where each character, and the end, was before."""
    if not _MARKED.search(piece):
        return piece, range(len(piece) + 1)
    characters: list[str] = []
    places: list[int] = []
    at = 0
    while at < len(piece):
        pair = unicodedata.normalize("NFC", piece[at : at + 2]) if _MARKED.match(piece, at) else piece[at]
        taken = pair if len(pair) == 1 else piece[at]
        characters.append(taken)
        places.append(at)
        at += 1 if taken == piece[at] else 2
    return "".join(characters), [*places, len(piece)]


def _token(surface: str, start: int, features: str, places: Sequence[int], offset: int) -> Token:
    columns = features.split(",")
    first, second, third, fourth = (columns + ["*"] * 4)[:4]
    known = len(columns) >= _KNOWN_COLUMNS
    end = start + len(surface)
    return Token(surface, offset + places[start], offset + places[end], (first, second, third, fourth), known)
