"""Sentences of a text in Japanese and English, as it stands; lines that a page's width broke are joined again.

Only what ends like a sentence is one: headings, fields of a form and cells of a table are not. Does not rank.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator

_BREAKS = re.compile(r"\r\n?|[\x0b\x85\u2028\u2029]")
_BLOCKS = re.compile(r"\n[ \t\u3000]*\n|\x0c")
_CLOSERS = "」』）)】〉》\"'”’]"
_END = re.compile(rf"(?:[。．！？!?]+|\.)[{re.escape(_CLOSERS)}]*")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|St|No|Nos|vs|etc|cf|al|e\.g|i\.e|Fig|Figs|Eq|Sec|Vol|pp|Inc|Ltd|Co|Corp|Jr)$"
)
_LOOK = 16
"""Characters looked at on either side of a full stop: a text may be one line of megabytes."""
_NEVER_FIRST = "、。，．,.;:)」』）】〉》ぁぃぅぇぉっゃゅょァィゥェォッャュョーん"
_LEAST_WRAPPED_WIDTH = 24
"""Columns, a Japanese character two: a narrower line is a field or a heading, never broken by the page."""
_WRAPPED_SHARE = 0.5
_WRAPPED_SHARE_WIDE = 0.75
"""Of the widest line of its block: what a line reaches that the page broke. Long words and formulas make lines ragged;
Japanese is broken at any character, so a line that ends in it and is short is a heading or a field."""


def sentences(text: str) -> list[str]:
    """All sentences in order, each without line breaks."""
    return [sentence for passage in _passages(text) for sentence in _split(passage)]


def lines(text: str) -> list[str]:
    """All lines that are not blank, trimmed."""
    return [line.strip() for line in re.split(r"\n|\x0c", _BREAKS.sub("\n", text)) if line.strip()]


def joined(pieces: Iterable[str]) -> str:
    """Pieces as one string: with a space between two, unless Japanese stands on both sides. None of them is empty."""
    parts: list[str] = []
    for piece in pieces:
        if parts and not (_is_wide(parts[-1][-1]) and _is_wide(piece[0])):
            parts.append(" ")
        parts.append(piece)
    return "".join(parts)


def _passages(text: str) -> Iterator[str]:
    """Lines that belong together as one string: whole paragraphs, single headings, single fields."""
    for block in _BLOCKS.split(_BREAKS.sub("\n", text)):
        rows = [line.strip() for line in block.split("\n") if line.strip()]
        widest = max((_width(row) for row in rows), default=0)
        passage: list[str] = []
        for row in rows:
            passage.append(row)
            share = _WRAPPED_SHARE_WIDE if _is_wide(row[-1]) else _WRAPPED_SHARE
            if _width(row) < max(_LEAST_WRAPPED_WIDTH, share * widest):
                yield joined(passage)
                passage = []
        if passage:
            yield joined(passage)


def _split(passage: str) -> Iterator[str]:
    start = 0
    for end in _END.finditer(passage):
        if _ends_here(passage, end):
            sentence = passage[start : end.end()].strip()
            # Else the rest of a sentence whose beginning stands elsewhere: in another column, above a figure.
            headless = not start and (sentence[0].islower() or sentence[0] in _NEVER_FIRST)
            if not headless and any(character.isalnum() for character in sentence):
                yield sentence
            start = end.end()


def _ends_here(passage: str, end: re.Match[str]) -> bool:
    """Whether a full stop, or what looks like one, ends a sentence."""
    rest = passage[end.end() : end.end() + _LOOK]
    if end.group().startswith(".") and not _is_wide(passage[end.start() - 1 : end.start()] or " "):
        following = rest.lstrip()
        new = not rest or (rest[0].isspace() and not following[:1].islower())
        return new and not _ABBREVIATION.search(passage[max(0, end.start() - _LOOK) : end.start()])
    # 「はい。」と答えた: a quotation goes on in the sentence around it.
    quoted = end.group()[-1] in _CLOSERS
    return not (quoted and rest[:1] and ("\u3041" <= rest[0] <= "\u3096" or rest[0] == "、"))


def _width(line: str) -> int:
    return sum(2 if _is_wide(character) else 1 for character in line)


def _is_wide(character: str) -> bool:
    return unicodedata.east_asian_width(character) in {"W", "F"}
