"""Reading order of text boxes: columns, spanning headings, table rows, and vertical writing, from geometry alone.

What belongs here: which box follows which. What does not: finding boxes, judging their text, joining it.

Prose columns are read one after the other and table rows across, and both look alike to a white-space cut: a gutter
with boxes on both sides. What tells them apart is the shape of the boxes beside the gutter. Lines of prose are long
against their height and mostly fill their column; cells of a table or a form are short, or of many lengths.
Vertical writing is the same problem after a quarter turn: columns from right to left become rows from top to bottom.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from indx_core.kit.geometry.boxes import Rect

_LEAST_ROWS = 3
"""Two short lines beside two others are a form or an address block more often than columns."""
_PROSE_ASPECT = 6.0
"""Width over height of a line of prose. A narrow newspaper column has ten characters and more; a cell seldom six."""
_LONG_LINE = 0.5
"""A line is long when it also reaches this share of its column's width: lines beside a figure are no shorter."""
_LONG_SHARE = 0.6
"""Share of a column's total length that stands in long lines, at least: headings, paragraph ends and a table below the
text are the rest."""
_LOOSE_PITCH = 2.2
"""Lines farther apart than this, in heights of a line, are rows of a table if they also meet across the gutter. Double
spaced prose stays below it, since detectors draw boxes a quarter higher than the type."""
_TOLERANCE = 0.3
"""Share of a line's height by which boxes may reach into a gutter: detectors draw boxes larger than the ink."""
_SAME_ROW = 0.5
"""Boxes stand in one row when their centres differ by less than this share of the smaller height."""

_INSET_SHARE = 0.2
"""Boxes that cross a gutter beside lines of the columns (a caption between them) as a share of the poorer column, at
most. More of them, and the gap is one within a table or beside a figure."""
_GUTTERS_TRIED = 64
"""A dense table offers hundreds of gutters and none that divides prose; the real one is among the best few."""


class TextBox(NamedTuple):
    """A piece of text on a page: ``x0, y0, x1, y1`` in one unit on both axes (so not 0-1), and how it is written."""

    x0: float
    y0: float
    x1: float
    y1: float
    vertical: bool = False


class _Gutter(NamedTuple):
    """How a gutter divides boxes: columns, what spans both alone, and what is inset between them."""

    left: list[int]
    right: list[int]
    spanning: list[int]
    inset: list[int]


def reading_order(boxes: Sequence[TextBox]) -> list[list[int]]:
    """Rows in reading order, each a list of indices into ``boxes`` in reading order. Every index stands once.

    A row is a visual line: the pieces of one horizontal line from left to right, or of one vertical line from top to
    bottom. Boxes of the page's minor direction (a horizontal running head over vertical text, a turned axis label)
    come before the rest where they stand above all of it, else after.
    """
    across = [i for i, box in enumerate(boxes) if not box.vertical]
    down = [i for i, box in enumerate(boxes) if box.vertical]
    if not down:
        return _ordered(boxes, across, vertical=False)
    if not across:
        return _ordered(boxes, down, vertical=True)
    mainly_down = _area(boxes, down) > _area(boxes, across)
    major, minor = (down, across) if mainly_down else (across, down)
    top = min(boxes[i].y0 for i in major)
    head = [i for i in minor if boxes[i].y1 <= top]
    tail = [i for i in minor if boxes[i].y1 > top]
    return [
        *_ordered(boxes, head, vertical=not mainly_down),
        *_ordered(boxes, major, vertical=mainly_down),
        *_ordered(boxes, tail, vertical=not mainly_down),
    ]


def writing_directions(sizes: Sequence[tuple[float, float]]) -> list[bool]:
    """Whether each box is written vertically, by its shape and by its neighbours.

    Args:
        sizes: Width and height of each box. A tall box is vertical, a wide one horizontal; a squarish one, and a tall
            one no higher than two lines of a horizontal page (the digit 1), goes with the page.
    """
    tall = [height >= 1.5 * width for width, height in sizes]
    wide = [width >= 1.5 * height for width, height in sizes]
    page_is_vertical = sum(h for (_, h), t in zip(sizes, tall, strict=True) if t) > sum(
        w for (w, _), t in zip(sizes, wide, strict=True) if t
    )
    if page_is_vertical:
        return [not w for w in wide]
    line = median(h for (_, h), w in zip(sizes, wide, strict=True) if w) if any(wide) else 0.0
    return [t and height > 2 * line for (_, height), t in zip(sizes, tall, strict=True)]


def _ordered(boxes: Sequence[TextBox], members: list[int], *, vertical: bool) -> list[list[int]]:
    """Rows of boxes of one direction; vertical ones after the quarter turn that makes columns rows."""
    rects = {i: _turned(boxes[i]) if vertical else boxes[i][:4] for i in members}
    return [row for region in _regions(rects, members) for row in _rows(rects, region)]


def _turned(box: TextBox) -> Rect:
    return box.y0, -box.x1, box.y1, -box.x0


def _area(boxes: Sequence[TextBox], members: list[int]) -> float:
    return sum((boxes[i].x1 - boxes[i].x0) * (boxes[i].y1 - boxes[i].y0) for i in members)


def _regions(rects: dict[int, Rect], members: list[int]) -> Iterator[list[int]]:
    """Parts of a page without columns of their own, in reading order.

    What spans a gutter (a headline, a part set in one column) splits the columns into bands: the columns above it, then
    it, then the columns below. What is inset between columns that run on beside it follows them.
    """
    gutter = _gutter(rects, members)
    if gutter is None:
        if members:
            yield members
        return
    of_left, of_spanning = set(gutter.left), set(gutter.spanning)
    band: list[int] = []
    spanning: list[int] = []
    for i in sorted([*gutter.left, *gutter.right, *gutter.spanning], key=lambda i: (_centre(rects[i]), rects[i][0])):
        if i in of_spanning:
            yield from _columns(rects, band, of_left)
            band = []
            spanning.append(i)
        else:
            yield from _regions(rects, spanning)
            spanning = []
            band.append(i)
    yield from _regions(rects, spanning)
    yield from _columns(rects, band, of_left)
    yield from _regions(rects, gutter.inset)


def _columns(rects: dict[int, Rect], band: list[int], of_left: set[int]) -> Iterator[list[int]]:
    yield from _regions(rects, [i for i in band if i in of_left])
    yield from _regions(rects, [i for i in band if i not in of_left])


def _gutter(rects: dict[int, Rect], members: list[int]) -> _Gutter | None:
    """The best gutter between two columns of prose, if there is one.

    Every right edge is tried as the place of a gutter. The best one has the most lines on its poorer side; an inset
    counts against it like a line, a spanning box a quarter (a part of the page may well be set in one column).
    """
    if len(members) < 2 * _LEAST_ROWS:
        return None
    slack = _TOLERANCE * median(rects[i][3] - rects[i][1] for i in members)
    divided = []
    for x in _candidates(rects, members, slack):
        gutter = _divide(rects, members, x, slack)
        poorer = min(len(gutter.left), len(gutter.right))
        if len(gutter.inset) <= _INSET_SHARE * poorer:
            divided.append((poorer - len(gutter.inset) - len(gutter.spanning) / 4, gutter))
    divided.sort(key=lambda scored: -scored[0])
    return next((g for score, g in divided if score > 0 and _side_by_side(rects, g.left, g.right)), None)


def _candidates(rects: dict[int, Rect], members: list[int], slack: float) -> list[float]:
    """Places where a gutter may stand, best first, of those that divide the boxes differently one each."""
    starts = sorted(rects[i][0] for i in members)
    ends = sorted(rects[i][2] for i in members)
    found: dict[tuple[int, int], tuple[float, float]] = {}
    for x in ends:
        on_left = bisect_right(ends, x + slack)
        on_right = len(starts) - bisect_left(starts, x - slack)
        crossing = len(members) - on_left - on_right
        if min(on_left, on_right) >= _LEAST_ROWS:
            found.setdefault((on_left, on_right), (crossing / 4 - min(on_left, on_right), x))
    return [x for score, x in sorted(found.values()) if score < 0][:_GUTTERS_TRIED]


def _divide(rects: dict[int, Rect], members: list[int], x: float, slack: float) -> _Gutter:
    left = [i for i in members if rects[i][2] <= x + slack]
    right = [i for i in members if rects[i][0] >= x - slack and rects[i][2] > x + slack]
    taken = {*left, *right}
    lines = sorted((_centre(rects[i]), rects[i]) for i in taken)
    spanning: list[int] = []
    inset: list[int] = []
    for i in members:
        if i not in taken:
            (inset if _beside_a_line(rects[i], lines) else spanning).append(i)
    return _Gutter(left, right, spanning, inset)


def _beside_a_line(rect: Rect, lines: list[tuple[float, Rect]]) -> bool:
    """Whether one of the lines nearest in height shares a fair part of its height with ``rect``."""
    place = bisect_left(lines, _centre(rect), key=lambda line: line[0])
    for _, (_, y0, _, y1) in lines[max(0, place - 2) : place + 2]:
        if min(y1, rect[3]) - max(y0, rect[1]) > _TOLERANCE * min(y1 - y0, rect[3] - rect[1]):
            return True
    return False


def _side_by_side(rects: dict[int, Rect], left: list[int], right: list[int]) -> bool:
    """Whether the lines next to the gutter are prose on both sides, over a common stretch of the page."""
    if min(len(left), len(right)) < _LEAST_ROWS:
        return False
    last = [rects[row[-1]] for row in _rows(rects, left)]
    first = [rects[row[0]] for row in _rows(rects, right)]
    top = max(min(r[1] for r in last), min(r[1] for r in first))
    bottom = min(max(r[3] for r in last), max(r[3] for r in first))
    last = [r for r in last if top <= _centre(r) <= bottom]
    first = [r for r in first if top <= _centre(r) <= bottom]
    return _prose(last) and _prose(first) and not _rows_of_a_table(last, first)


def _prose(lines: list[Rect]) -> bool:
    if len(lines) < _LEAST_ROWS:
        return False
    widths = sorted(x1 - x0 for x0, _, x1, _ in lines)
    column = widths[int(0.9 * (len(widths) - 1))]
    long = [x1 - x0 for x0, y0, x1, y1 in lines if x1 - x0 >= max(_LONG_LINE * column, _PROSE_ASPECT * (y1 - y0))]
    return len(long) >= _LEAST_ROWS and sum(long) >= _LONG_SHARE * sum(widths)


def _rows_of_a_table(left: list[Rect], right: list[Rect]) -> bool:
    """Whether two columns of long lines are loosely spaced and meet line for line: cells that hold sentences."""
    height = median(y1 - y0 for _, y0, _, y1 in left + right)
    centres = [sorted(_centre(rect) for rect in side) for side in (left, right)]
    pitch = min(median(b - a for a, b in pairwise(side)) for side in centres)
    met = sum(any(abs(a - b) < height / 4 for b in centres[1]) for a in centres[0])
    return pitch > _LOOSE_PITCH * height and met >= 0.8 * min(len(left), len(right))


def _rows(rects: dict[int, Rect], members: list[int]) -> list[list[int]]:
    """Visual rows from top to bottom, each from left to right. A row's place is the mean of its boxes' centres."""
    rows: list[list[int]] = []
    places: list[tuple[float, float]] = []
    for i in sorted(members, key=lambda i: (_centre(rects[i]), rects[i][0])):
        centre, height = _centre(rects[i]), rects[i][3] - rects[i][1]
        if rows and abs(centre - places[-1][0]) < _SAME_ROW * min(height, places[-1][1]):
            rows[-1].append(i)
            count, (mean, tallest) = len(rows[-1]), places[-1]
            places[-1] = (mean + (centre - mean) / count, max(tallest, height))
        else:
            rows.append([i])
            places.append((centre, height))
    return [sorted(row, key=lambda i: (rects[i][0], rects[i][1])) for row in rows]


def _centre(rect: Rect) -> float:
    return (rect[1] + rect[3]) / 2
