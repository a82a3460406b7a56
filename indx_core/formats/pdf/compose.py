"""Puts a page's text together: visual lines cleaned, joined by line feeds, each with its span and its box in 0-1."""

from dataclasses import dataclass

import numpy as np  # noqa: TID253 - only imported where a PDF is open
from numpy.typing import NDArray  # noqa: TID253 - as above

from indx_core.formats.pdf.characters import Characters
from indx_core.formats.pdf.clean import BETWEEN_CJK, IS_CJK, clean
from indx_core.formats.pdf.frame import Frame
from indx_core.formats.pdf.order import apart, visual_lines
from indx_core.formats.pdf.runs import Piece


@dataclass(frozen=True, slots=True)
class Composed:
    """A page's text with its lines as arrays: some 40 bytes a line, so that a long document stays small.

    Attributes:
        text: Visual lines joined by line feeds.
        spans: Rows of start and end, one a line, indexes into ``text``.
        boxes: Rows of x0, y0, x1, y1 in 0-1; NaN where a line has none.
        outside: Whether the line stands wholly outside of the page as displayed.
    """

    text: str
    spans: NDArray[np.int32]
    boxes: NDArray[np.float64]
    outside: NDArray[np.bool_]


EMPTY = Composed("", np.zeros((0, 2), np.int32), np.zeros((0, 4)), np.zeros(0, bool))


def compose(text: str, pieces: list[Piece], characters: Characters, frame: Frame) -> Composed:
    """The page's text in reading order.

    Args:
        text: As PDFium gave it; the pieces' spans index it.
        pieces: In PDFium's order.
        characters: Of the same page, still open.
        frame: Of the same page.
    """
    spaced = BETWEEN_CJK.search(text) is not None
    lines: list[str] = []
    boxes: list[tuple[float, ...]] = []
    for line in visual_lines(pieces):
        content = clean(_content(text, line, characters if spaced else None))
        if content and not content.isspace():
            lines.append(content)
            boxes.append(_union(line))
    if not lines:
        return EMPTY
    lengths = np.asarray([len(line) for line in lines])
    starts = np.concatenate(([0], np.cumsum(lengths + 1)[:-1]))
    displayed = np.asarray(boxes)
    return Composed(
        "\n".join(lines),
        np.column_stack((starts, starts + lengths)).astype(np.int32),
        frame.normalised(displayed),
        frame.outside(displayed),
    )


def _content(text: str, line: list[Piece], characters: Characters | None) -> str:
    parts: list[str] = []
    for number, piece in enumerate(line):
        part = text[piece.start : piece.end]
        if characters and BETWEEN_CJK.search(part):
            part = _without_invented_spaces(part, piece.start, characters)
        if number and apart(line[number - 1], piece) and not (IS_CJK.match(parts[-1][-1]) and IS_CJK.match(part[0])):
            parts.append(" ")
        parts.append(part)
    return "".join(parts)


def _without_invented_spaces(part: str, start: int, characters: Characters) -> str:
    """Drop spaces PDFium generated between Japanese characters that are merely set apart (letter-spaced headings).

    A gap of a full character and more is a gap on the page too: columns of a table stay apart.
    """
    dropped = set()
    for match in BETWEEN_CJK.finditer(part):
        space = start + match.start()
        left, right = characters.boxes(np.asarray([space - 1, space + 1])).tolist()
        if characters.generated(space) and right[0] - left[2] < left[2] - left[0]:
            dropped.add(match.start())
    return "".join(char for index, char in enumerate(part) if index not in dropped)


def _union(line: list[Piece]) -> tuple[float, ...]:
    if len(line) == 1:
        return line[0].box
    sides = list(zip(*(piece.box for piece in line), strict=True))
    return (min(sides[0]), min(sides[1]), max(sides[2]), max(sides[3]))
