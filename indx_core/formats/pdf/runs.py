"""Lines that are not plain: vertical Japanese, turned text, superscripts, right-to-left scripts, lines run together.

Looks at the box of every character and follows the pen: which way the text flows, and where it jumps to another line.
PDFium compares text inside form XObjects by the form's own coordinates, so it runs lines of different forms together;
they part here.
"""

from enum import Enum
from itertools import pairwise
from typing import NamedTuple

import numpy as np  # noqa: TID253 - only imported where a PDF is open
from numpy.typing import NDArray  # noqa: TID253 - as above

from indx_core.formats.pdf.characters import Characters
from indx_core.formats.pdf.clean import IS_CJK

_SAME_ROW = 0.6
"""Characters whose centres are less than this share of their size apart, across the flow, stand on one line."""
_REACH = 0.9
"""The same for a character right behind the last: a superscript is on its line."""


class Flow(Enum):
    """Which way a line is written on the page as displayed."""

    ACROSS = "across"
    """Left to right, level."""
    DOWN = "down"
    """Vertical Japanese, or text turned clockwise: lines follow each other from right to left."""
    OTHER = "other"


class Piece(NamedTuple):
    """A run of text on one visual line.

    Attributes:
        start: First character, index into the page's text as PDFium gave it.
        end: One past the last.
        box: x0, y0, x1, y1 in displayed points; NaN where unknown.
        flow: Which way it is written.
        size: Height of its first character, the measure for gaps.
    """

    start: int
    end: int
    box: tuple[float, float, float, float]
    flow: Flow
    size: float


_UNKNOWN = (float("nan"),) * 4


def runs(text: str, span: tuple[int, int], characters: Characters) -> list[Piece]:
    """The visual lines that a run of text stands on, most often one."""
    positions = np.asarray([index for index in range(*span) if not text[index].isspace()])
    boxes = characters.boxes(positions)
    known = np.isfinite(boxes).all(1)
    if not known.any():
        return [Piece(*span, _UNKNOWN, Flow.OTHER, 0.0)]
    positions, boxes = positions[known], boxes[known]
    vertical = _vertical(boxes)
    starts = [0, *(np.flatnonzero(_jumps(boxes, vertical=vertical)) + 1).tolist(), len(boxes)]
    edges = [span[0], *(int(positions[start]) for start in starts[1:-1]), span[1]]
    return [
        _piece(text, edges[number : number + 2], positions[start:end], boxes[start:end], characters, vertical=vertical)
        for number, (start, end) in enumerate(pairwise(starts))
    ]


def _vertical(boxes: NDArray[np.float64]) -> bool:
    """Whether most steps from one character to the next go up or down."""
    steps = np.abs(np.diff(_centres(boxes), axis=0))
    return bool(len(steps)) and bool(np.median(steps[:, 1] - steps[:, 0]) > 0)


def _jumps(boxes: NDArray[np.float64], *, vertical: bool) -> NDArray[np.bool_]:
    """Where the next character stands on another line: aside of the flow, and out of reach or backwards."""
    along, aside = (1, 0) if vertical else (0, 1)
    sizes = np.maximum(boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1])
    size = np.maximum(sizes[1:], sizes[:-1])
    steps = np.diff(_centres(boxes), axis=0)
    off = np.abs(steps[:, aside])
    behind = np.abs(steps[:, along]) < 2 * size
    # Text at an angle moves aside with every step, and never far.
    beside = (off <= _REACH * size) & behind
    return np.asarray((off > _SAME_ROW * size) & ~beside)


def _piece(
    text: str,
    edges: list[int],
    positions: NDArray[np.int64],
    boxes: NDArray[np.float64],
    characters: Characters,
    *,
    vertical: bool,
) -> Piece:
    start, end = edges
    end = start + len(text[start:end].rstrip())
    (x0, y0), (x1, y1) = boxes[:, :2].min(0).tolist(), boxes[:, 2:].max(0).tolist()
    across, down = (_centres(boxes)[-1] - _centres(boxes)[0]).tolist()
    flow = Flow.OTHER
    if vertical and down >= 0:
        flow = Flow.DOWN
        x0, x1 = _column(text, int(positions[0]), boxes, (x0, x1), characters)
    elif not vertical and across >= 2 * abs(down):
        flow = Flow.ACROSS
    return Piece(start, end, (x0, y0, x1, y1), flow, float(boxes[0, 3] - boxes[0, 1]))


def _column(
    text: str,
    position: int,
    boxes: NDArray[np.float64],
    sides: tuple[float, float],
    characters: Characters,
) -> tuple[float, float]:
    """The left and right side of a vertical column.

    Where the font is not embedded, PDFium adds another font's outlines to each box, beside the column. An em from the
    origin on is right there: PDFium puts the origin of an upright character at its left (half its width, 9.7.4.3 of
    ISO 32000-2, subtracted from the pen's place).
    """
    em = float(np.median(boxes[:, 3] - boxes[:, 1]))
    if sides[1] - sides[0] <= 1.5 * em or not IS_CJK.match(text[position]):
        return sides
    left = characters.upright_origin(position)
    if left is None or not sides[0] <= left < sides[1]:
        return sides
    return (left, min(sides[1], left + em))


def _centres(boxes: NDArray[np.float64]) -> NDArray[np.float64]:
    return (boxes[:, :2] + boxes[:, 2:]) / 2
