"""Windows of a long text for a model with a short view. Offsets only; does not know any model."""

import re
from collections.abc import Iterator

_SPACE = re.compile(r"\s")
_PAUSE = "。、．，"
_MARK = re.compile("[\u0300-\u036f\u200d\u3099\u309a\ufe00-\ufe0f]")  # belongs to the character before it


def windows(text: str, size: int) -> Iterator[tuple[int, int]]:
    """``[start, end)`` of consecutive windows of at most ``size`` characters that cover the text.

    Each ends at the last white space in its second half, else behind the last Japanese pause there, else at the limit,
    but not between a character and its mark.
    """
    start = 0
    while start < len(text):
        end = min(start + size, len(text))
        if end < len(text):
            end = _cut(text, start, end)
        yield start, end
        start = end


def halves(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A window in two, cut as windows are."""
    middle = _cut(text, start, start + (end - start + 1) // 2)
    yield start, middle
    yield middle, end


def _cut(text: str, start: int, limit: int) -> int:
    floor = start + (limit - start + 1) // 2
    for at in range(limit, floor, -1):
        if _SPACE.match(text, at):
            return at
    for at in range(limit, floor, -1):
        if text[at - 1] in _PAUSE:
            return at
    at = limit
    while at > floor and _MARK.match(text, at):
        at -= 1
    return at
