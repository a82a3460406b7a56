"""Lines that are not plain: vertical Japanese, turned text, superscripts, right-to-left scripts, lines run together.

Looks at the box of every character and follows the pen: which way the text flows, and where it jumps to another line.
PDFium compares text inside form XObjects by the form's own coordinates, so it runs lines of different forms together;
they part here.
"""

from itertools import pairwise

import numpy as np  # noqa: TID253 - only imported where a PDF is open
from numpy.typing import NDArray  # noqa: TID253 - as above

from indx_core.formats.pdf.characters import Characters
from indx_core.formats.pdf.clean import IS_CJK
from indx_core.formats.pdf.pieces import ACROSS, DOWN, OTHER, Pieces, unions

_SAME_ROW = 0.6
"""Characters whose centres are less than this share of their size apart, across the flow, stand on one line."""
_REACH = 0.9
"""The same for a character right behind the last: a superscript is on its line."""


def runs(text: str, start: int, end: int, characters: Characters) -> Pieces:
    """The visual lines that ``text[start:end]`` stands on, most often one."""
    positions = np.asarray([index for index in range(start, end) if not text[index].isspace()])
    boxes = characters.boxes(positions)
    known = np.isfinite(boxes).all(1)
    if not known.any():
        return _unplaced(start, end)
    positions, boxes = positions[known], boxes[known]
    vertical = _vertical(boxes)
    cuts = np.concatenate(([0], np.flatnonzero(_jumps(boxes, vertical=vertical)) + 1))
    edges = [start, *positions[cuts[1:]].tolist(), end]
    spans = [(first, first + len(text[first:last].rstrip())) for first, last in pairwise(edges)]
    united = unions(boxes, cuts)
    flows = _flows(boxes, cuts, vertical=vertical)
    for number in np.flatnonzero(flows == DOWN).tolist():
        _narrow(text, spans[number][0], united[number], boxes, characters)
    sizes = np.maximum.reduceat(boxes[:, 3] - boxes[:, 1], cuts)
    return Pieces(np.asarray(spans), united, flows, sizes)


def _unplaced(start: int, end: int) -> Pieces:
    return Pieces(np.asarray([(start, end)]), np.full((1, 4), np.nan), np.asarray([OTHER]), np.zeros(1))


def _vertical(boxes: NDArray[np.float64]) -> bool:
    """Whether most steps from one character to the next go up or down."""
    centres = _centres(boxes)
    steps = np.abs(centres[1:] - centres[:-1])
    return bool(2 * np.count_nonzero(steps[:, 1] > steps[:, 0]) > len(steps))


def _jumps(boxes: NDArray[np.float64], *, vertical: bool) -> NDArray[np.bool_]:
    """Where the next character stands on another line: aside of the flow, and out of reach or backwards."""
    along, aside = (1, 0) if vertical else (0, 1)
    sizes = np.maximum(boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1])
    size = np.maximum(sizes[1:], sizes[:-1])
    centres = _centres(boxes)
    steps = centres[1:] - centres[:-1]
    off = np.abs(steps[:, aside])
    behind = np.abs(steps[:, along]) < 2 * size
    # Text at an angle moves aside with every step, and never far.
    beside = (off <= _REACH * size) & behind
    return np.asarray((off > _SAME_ROW * size) & ~beside)


def _flows(boxes: NDArray[np.float64], cuts: NDArray[np.int64], *, vertical: bool) -> NDArray[np.int64]:
    """Which way each line is written, by its first and last character."""
    centres = _centres(boxes)
    across, down = (centres[[*(cuts[1:] - 1).tolist(), -1]] - centres[cuts]).T
    if vertical:
        return np.where(down >= 0, DOWN, OTHER)
    return np.where(across >= 2 * np.abs(down), ACROSS, OTHER)


def _narrow(
    text: str, position: int, box: NDArray[np.float64], boxes: NDArray[np.float64], characters: Characters
) -> None:
    """Correct the sides of a vertical column, in place.

    Where the font is not embedded, PDFium adds another font's outlines to each box, beside the column. An em from the
    origin on is right there: PDFium puts the origin of an upright character at its left (half its width, 9.7.4.3 of
    ISO 32000-2, subtracted from the pen's place).
    """
    em = float(np.median(boxes[:, 3] - boxes[:, 1]))
    if box[2] - box[0] <= 1.5 * em or not IS_CJK.match(text[position]):
        return
    left = characters.upright_origin(position)
    if left is not None and box[0] <= left < box[2]:
        box[0], box[2] = left, min(box[2], left + em)


def _centres(boxes: NDArray[np.float64]) -> NDArray[np.float64]:
    return (boxes[:, :2] + boxes[:, 2:]) / 2
