"""Reads vertical Japanese: lays the characters of a column side by side, upright, as a horizontal line.

The recogniser reads a column lying on its side as well, and then loses what is small: punctuation, brackets, small kana
and the long vowel mark (character error 0.11 on a clean vertical page, against 0.03 laid out like this). So a column is
cut into characters where it has least ink, at a pitch found from all columns of the page, and signs whose form or place
differs in vertical setting (JIS X 4051) are put as horizontal setting has them. Only imported by functions that
recognise.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

import cv2  # noqa: TID253 - see the docstring
import numpy as np  # noqa: TID253 - as above
from numpy.typing import NDArray  # noqa: TID253 - as above

from indx_core.engines.ocr_rapid.engine import Pixels

_WIDTH = 48
"""The usual column of a page is scaled to this width, the recogniser's line height."""
_PITCHES = (0.55, 1.25)
"""Distance of characters over the width of their column: the box is a little wider than the type."""
_OTHER_SIZE = 1.3
"""A column wider or narrower than the usual one by this factor is set in another size, not boxed loosely."""
_SHORTEST, _LONGEST = 0.45, 1.35
"""Length of a character over the pitch: punctuation may be set half as long."""
_CUT_THROUGH_INK = 4.0
"""What a cut through solid ink costs, where a character of twice or no length costs 1."""

Ink = NDArray[np.float32]

_AFTER_KATAKANA = re.compile(r"(?<=[ァ-ヺー])[1１|IlＩｌ一](?![0-9０-９])")
_SIGNS = str.maketrans({"°": "。", "`": "、"})


class Column(NamedTuple):
    """A column of a page at the page's scale.

    Attributes:
        image: Its pixels.
        ink: Height x width, 1 where there is ink, else 0.
        size: Its type against the page's usual one: 1 for most.
    """

    image: Pixels
    ink: Ink
    size: float


def laid_out(columns: Sequence[Pixels]) -> list[Pixels]:
    """Columns of one page as horizontal lines: their characters upright, from left to right.

    All columns take part in finding the distance of characters, so give those of a page together.
    """
    if not columns:
        return []
    usual = median(column.shape[1] for column in columns)
    scaled = [_scaled(column, usual) for column in columns]
    pitch = _pitch(scaled)
    return [_as_horizontal(column, max(4, round(pitch * column.size))) for column in scaled]


def plain_text(text: str) -> str:
    """What was read off a laid-out column, with the signs settled that only their neighbours tell apart.

    A vertical long vowel mark is the same stroke as 1, I or a bar; after katakana it is the mark.
    """
    return _AFTER_KATAKANA.sub("ー", text.translate(_SIGNS))


def _scaled(column: Pixels, usual: float) -> Column:
    height, width = column.shape[:2]
    scale = _WIDTH / usual
    target = (max(1, round(width * scale)), max(1, round(height * scale)))
    image = np.asarray(cv2.resize(column, target, interpolation=cv2.INTER_CUBIC), dtype=np.uint8)
    size = width / usual
    return Column(image, _ink(image), size if not 1 / _OTHER_SIZE < size < _OTHER_SIZE else 1.0)


def _pitch(columns: Sequence[Column]) -> int:
    """Distance of characters in pixels: where the ink of the columns, summed by rows, is most like itself."""
    least, most = (round(share * _WIDTH) for share in _PITCHES)
    likeness = np.zeros(most - least + 1)
    for column in columns:
        if column.size == 1:
            profile = column.ink.sum(axis=1) - column.ink.sum(axis=1).mean()
            for lag in range(least, min(most, len(profile) - 1) + 1):
                likeness[lag - least] += float(profile[lag:] @ profile[:-lag]) / (len(profile) - lag) * len(profile)
    return least + int(np.argmax(likeness)) if likeness.any() else round(0.8 * _WIDTH)


def _as_horizontal(column: Column, pitch: int) -> Pixels:
    image, ink = column.image, column.ink
    cells = [_upright(image[a:b], ink[a:b] > 0, pitch) for a, b in pairwise(_cuts(ink, pitch)) if ink[a:b].any()]
    return np.concatenate(cells, axis=1) if cells else image


def _ink(column: Pixels) -> Ink:
    """Ink differs from the commonest shade by a third of the column's contrast, dark on light or the reverse."""
    grey = column.min(axis=2).astype(np.float32)
    away = np.abs(grey - np.median(grey))
    return np.asarray(away > max(24.0, 0.35 * float(away.max())), dtype=np.float32)


def _cuts(ink: Ink, pitch: int) -> list[int]:
    """Rows to cut at, both ends included: the cheapest way through, by dynamic programming over rows."""
    rows = len(ink)
    through = np.append(ink.mean(axis=1), 0.0) * _CUT_THROUGH_INK
    shortest, longest = max(1, round(_SHORTEST * pitch)), round(_LONGEST * pitch)
    cost = np.full(rows + 1, np.inf)
    cost[0] = 0.0
    before = np.zeros(rows + 1, dtype=int)
    for row in range(1, rows + 1):
        first, last = max(0, row - longest), max(0, row - shortest)
        lengths = row - np.arange(first, last + 1)
        ways = cost[first : last + 1] + ((lengths - pitch) / pitch) ** 2
        best = int(np.argmin(ways))
        cost[row] = ways[best] + through[row]
        before[row] = first + best
    cuts = [rows]
    while cuts[-1] > 0:
        cuts.append(int(before[cuts[-1]]))
    return cuts[::-1]


def _upright(cell: Pixels, ink: NDArray[np.bool_], em: int) -> Pixels:
    """One character on a ground of its own, in the place and form it has in horizontal setting."""
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    top, bottom, left, right = rows[0], rows[-1] + 1, columns[0], columns[-1] + 1
    sign, strokes = cell[top:bottom, left:right], ink[top:bottom, left:right]
    tall, wide = (bottom - top) / em, (right - left) / em
    down, along = (top + bottom) / (2 * len(ink)), (left + right) / (2 * ink.shape[1])
    height, width = round(1.2 * em), round(1.15 * em)
    base, margin = height - round(0.1 * em), round(0.1 * em)
    if _is_bracket(strokes, tall, wide, down):
        sign = np.rot90(sign)
        opens = down > 0.5
        x = width - sign.shape[1] - margin if opens else margin
        corner = wide < 0.6
        y = (margin if opens else base - sign.shape[0]) if corner else (height - sign.shape[0]) // 2
    elif tall < 0.8 and wide < 0.8 and along > 0.5 and down < 0.52 and (tall > 0.4 or wide < 0.5):
        # Punctuation and small kana stand at the upper right in vertical setting and on the base line in horizontal.
        y = base - sign.shape[0]
        x = margin if tall < 0.5 and wide < 0.5 else (width - sign.shape[1]) // 2
    else:
        y, x = round(down * height - sign.shape[0] / 2), round(along * width - sign.shape[1] / 2)
    return _placed(sign, x, y, width, height, np.median(cell.reshape(-1, 3), axis=0))


def _is_bracket(strokes: NDArray[np.bool_], tall: float, wide: float, down: float) -> bool:
    """Whether a sign is a bracket lying on its side: low and wide and off the centre.

    It is either two straight strokes that meet in a corner (「」), or wider than any small kana (（）).
    """
    if not 0.1 <= tall <= 0.5 or abs(down - 0.5) < 0.08:
        return False
    corner = wide >= 0.25 and strokes.mean(axis=1).max() > 0.8 and strokes.mean(axis=0).max() > 0.7
    curve = wide >= 0.6 and 0.12 <= tall <= 0.4 and abs(down - 0.5) > 0.12
    return bool(corner or curve)


def _placed(sign: Pixels, x: int, y: int, width: int, height: int, ground: NDArray[np.float64]) -> Pixels:
    sheet = np.empty((height, width, 3), dtype=np.uint8)
    sheet[:] = ground.astype(np.uint8)
    sign = sign[:height, :width]
    y, x = min(max(0, y), height - sign.shape[0]), min(max(0, x), width - sign.shape[1])
    sheet[y : y + sign.shape[0], x : x + sign.shape[1]] = sign
    return sheet
