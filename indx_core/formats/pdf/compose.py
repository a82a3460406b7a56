"""Puts a page's text together: visual lines cleaned, joined by line feeds, each with its span and its box in 0-1."""

from dataclasses import dataclass

import numpy as np  # noqa: TID253 - only imported where a PDF is open
from numpy.typing import NDArray  # noqa: TID253 - as above

from indx_core.formats.pdf.characters import Characters
from indx_core.formats.pdf.clean import BETWEEN_CJK, HYPHEN, IS_CJK, clean
from indx_core.formats.pdf.frame import Frame
from indx_core.formats.pdf.order import apart, continuations, in_reading_order
from indx_core.formats.pdf.pieces import Pieces, unions


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


def compose(text: str, pieces: Pieces, characters: Characters, frame: Frame) -> Composed:
    """The page's text in reading order.

    Args:
        text: As PDFium gave it; the pieces' spans index it.
        pieces: In PDFium's order.
        characters: Of the same page, still open.
        frame: Of the same page.
    """
    pieces = in_reading_order(pieces)
    continued = continuations(pieces)
    lines = [text[start:end] for start, end in pieces.spans.tolist()]
    if not text.isascii() and BETWEEN_CJK.search(text):
        starts = pieces.spans[:, 0].tolist()
        lines = [_without_invented_spaces(line, start, characters) for line, start in zip(lines, starts, strict=True)]
    boxes = pieces.boxes
    if continued.any():
        boxes = unions(boxes, np.flatnonzero(~continued))
        lines = _joined(lines, pieces, continued.tolist())
    if not "".join(lines).isprintable():
        lines = [clean(line) for line in lines]
    if not all(lines) or any(map(str.isspace, lines)):
        boxes = boxes[[bool(line.strip()) for line in lines]]
        lines = [line for line in lines if line.strip()]
    if not lines:
        return EMPTY
    lengths = np.fromiter(map(len, lines), np.int32, len(lines))
    spans = np.empty((len(lines), 2), np.int32)
    spans[:, 1] = (lengths + 1).cumsum() - 1
    spans[:, 0] = spans[:, 1] - lengths
    return Composed("\n".join(lines), spans, *frame.normalised(boxes))


def _joined(lines: list[str], pieces: Pieces, continued: list[bool]) -> list[str]:
    """Pieces of one visual line in one string, with the spaces that stand between them."""
    joined: list[str] = []
    for number, line in enumerate(lines):
        if not continued[number]:
            joined.append(line)
            continue
        written = joined[-1].replace(HYPHEN, "-")
        space = apart(pieces, number) and not (IS_CJK.match(written[-1]) and IS_CJK.match(line[0]))
        joined[-1] = written + (" " if space else "") + line
    return joined


def _without_invented_spaces(part: str, start: int, characters: Characters) -> str:
    """Drop spaces PDFium generated between Japanese characters that are merely set apart (letter-spaced headings).

    A gap of a full character and more is a gap on the page too: columns of a table stay apart.
    """
    if not BETWEEN_CJK.search(part):
        return part
    dropped = set()
    for match in BETWEEN_CJK.finditer(part):
        space = start + match.start()
        left, right = characters.boxes(np.asarray([space - 1, space + 1])).tolist()
        if characters.generated(space) and right[0] - left[2] < left[2] - left[0]:
            dropped.add(match.start())
    return "".join(char for index, char in enumerate(part) if index not in dropped)
