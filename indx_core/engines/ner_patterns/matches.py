"""What a pattern found, the fold every pattern runs on, and which of two overlapping finds stays.

Does not hold any pattern.
"""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\uff0d\u2500"  # the last is a table rule that OCR and IMEs write
_FOLD = {
    code: folded
    for code in (*range(0xFF01, 0xFF5F), 0x3000, 0xFFE0, 0xFFE1, 0xFFE5, *range(0x2000, 0x200B), 0xA0)
    if len(folded := unicodedata.normalize("NFKC", chr(code))) == 1
} | {ord(dash): "-" for dash in _DASHES}


def fold(text: str) -> str:
    """Full-width letters, digits and signs as ASCII, every dash as a hyphen, every space as a space.

    One character for one, so an offset into the result is an offset into ``text``. NFKC itself would not do: it turns
    one character into several (㈱, ㍻) and joins several into one (か with its mark).
    """
    return text.translate(_FOLD)


@dataclass(frozen=True, slots=True)
class Match:
    """A find in the folded text, ``[start, end)`` in characters."""

    label: str
    start: int
    end: int
    confidence: float
    normalized: str | None = None


def without_overlaps(matches: Iterable[Match]) -> list[Match]:
    """The leftmost of overlapping matches, of several there the longest, of equals the one given first; in text order.

    So an address such as ``info@acme.example`` stays whole beside a listed name ``acme``, and an invoice number that
    begins with a date stays an invoice number.
    """
    kept: list[Match] = []
    for match in sorted(matches, key=lambda match: (match.start, -match.end)):
        if not kept or match.start >= kept[-1].end:
            kept.append(match)
    return kept
