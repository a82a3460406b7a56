"""Where the surfaces a model named stand in a text: a model counts characters badly, so they are looked for.

Does not ask a model.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

_ASCII_WORD = re.compile("[A-Za-z0-9]")


class Place(NamedTuple):
    """One occurrence of a surface, ``[start, end)`` in characters."""

    start: int
    end: int
    label: str


def places(text: str, named: Iterable[tuple[str, str]]) -> list[Place]:
    """Every occurrence of every ``(label, surface)``, none overlapping another, in text order.

    White space of a surface matches any run of it, line ends included, since models write one space for them. ASCII
    letters and digits at its edges do not match inside a longer word. Of overlapping occurrences the leftmost stays,
    there the longest, of equals the one named first. A surface that stands nowhere is an invention and is dropped.
    """
    found = [
        Place(match.start(), match.end(), label)
        for label, surface in dict.fromkeys(named)
        if (pattern := _pattern(surface)) is not None
        for match in pattern.finditer(text)
    ]
    kept: list[Place] = []
    for place in sorted(found, key=lambda place: (place.start, -place.end)):
        if not kept or place.start >= kept[-1].end:
            kept.append(place)
    return kept


def _pattern(surface: str) -> re.Pattern[str] | None:
    parts = surface.split()
    if not parts:
        return None
    before = "(?<![A-Za-z0-9])" if _ASCII_WORD.match(parts[0]) else ""
    after = "(?![A-Za-z0-9])" if _ASCII_WORD.match(parts[-1][-1]) else ""
    return re.compile(before + r"\s+".join(map(re.escape, parts)) + after)
