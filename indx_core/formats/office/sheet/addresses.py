"""Cell addresses: ``B7`` as row and column from 0, and back."""

import re
from dataclasses import dataclass
from functools import lru_cache

MAX_ROWS = 1_048_576
MAX_COLUMNS = 16_384

_ADDRESS = re.compile(r"\$?([A-Za-z]{1,3})\$?([1-9][0-9]{0,6})$")


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle of cells, rows and columns from 0, both ends in."""

    top: int
    left: int
    bottom: int
    right: int


def parse_address(text: str) -> tuple[int, int] | None:
    """Row and column of an address; ``None`` for what no sheet has."""
    found = _ADDRESS.match(text)
    if found is None:
        return None
    row, column = int(found[2]) - 1, _column(found[1])
    return (row, column) if row < MAX_ROWS and column < MAX_COLUMNS else None


def parse_area(text: str) -> Area | None:
    """The rectangle of ``A1:C3``; ``None`` for what is none."""
    first, colon, last = text.partition(":")
    start, end = parse_address(first), parse_address(last if colon else first)
    if start is None or end is None:
        return None
    return Area(min(start[0], end[0]), min(start[1], end[1]), max(start[0], end[0]), max(start[1], end[1]))


def address(row: int, column: int) -> str:
    """The address of a cell."""
    letters = ""
    rest = column + 1
    while rest:
        rest, letter = divmod(rest - 1, 26)
        letters = chr(65 + letter) + letters
    return f"{letters}{row + 1}"


@lru_cache(maxsize=MAX_COLUMNS)
def _column(letters: str) -> int:
    column = 0
    for letter in letters.upper():
        column = column * 26 + ord(letter) - 64
    return column - 1
