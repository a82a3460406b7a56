"""One page image to text: find lines, set the page upright, read each line, put them in order, join them.

Only imported by functions that recognise. Geometry is the kit's, the models are the engine's; what is decided here is
what a line says and how a page's lines become its text.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np  # noqa: TID253 - see the docstring
from PIL import Image  # noqa: TID253 - as above

from indx_core.contracts.page import PageOutput, TextLine
from indx_core.engines.ocr_rapid.crops import cut, turned, turned_quad
from indx_core.engines.ocr_rapid.engine import Engine, Pixels
from indx_core.engines.ocr_rapid.orientation import Turn, page_turn
from indx_core.engines.ocr_rapid.vertical import laid_out, plain_text
from indx_core.kit.geometry.boxes import Quad, Rect, bounds, edges, page_share, turn
from indx_core.kit.geometry.reading_order import TextBox, reading_order, writing_directions
from indx_core.kit.geometry.skew import level, skew_angle

_LEAST_SCORE = 0.5
"""Lines below are specks, rules and pictures taken for text; rapidocr draws the same line."""
_DOUBTFUL_COLUMN = 0.9
"""A laid-out column below this is read lying as well, and the better reading kept: its characters may not have been
told apart. The lying one wins only by a margin, since it scores high while it drops punctuation."""
_LYING_MARGIN = 0.1
_NOTABLE_SKEW = 0.5
_SPACED = 0.8
"""A gap this wide against the line's height separates words, cells or fields in any script."""
_UNSPACED = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\u3000]")

_TURNED = {
    Turn.CLOCKWISE: "the page lies on its side and was read after a quarter turn clockwise",
    Turn.ANTICLOCKWISE: "the page lies on its side and was read after a quarter turn anticlockwise",
    Turn.HALF: "the page lies upside down and was read after half a turn",
}


class _Piece(NamedTuple):
    """A line as detected: what it says, how sure, and where it stands on the upright page."""

    text: str
    score: float
    quad: Quad
    vertical: bool


def recognise(engine: Engine, page: Image.Image, number: int, detection_side: int) -> PageOutput:
    """Read a page image.

    Args:
        engine: The loaded models.
        page: RGB, as displayed.
        number: 1-based page number.
        detection_side: Longest side at which lines are looked for, in pixels.

    Returns:
        A completed page: ``lines`` are visual rows with boxes of the page as displayed, ``confidence`` the mean of the
        lines' scores weighted by their length. Blank where nothing was found.
    """
    image: Pixels = np.ascontiguousarray(np.asarray(page, dtype=np.uint8)[:, :, ::-1])
    height, width = image.shape[:2]
    quads = engine.lines(image, detection_side)
    way = page_turn(engine, image, quads) if quads else Turn.NONE
    upright = [turned_quad(quad, way.value, width, height) for quad in quads]
    pieces = _read(engine, turned(image, way.value), upright)
    kept = [piece for piece in pieces if piece.text.strip() and piece.score >= _LEAST_SCORE]
    angle = skew_angle([piece.quad for piece in kept])
    rows = _rows(kept, angle)
    findings = _findings(way, angle, left_out=len(pieces) - len(kept))
    size = (height, width) if way.value % 2 else (width, height)
    return _output(number, rows, way, size, findings)


def _read(engine: Engine, image: Pixels, quads: Sequence[Quad]) -> list[_Piece]:
    """What each line says. Columns of vertical writing are laid out first; a lone character is read as it stands."""
    sizes = [edges(quad) for quad in quads]
    vertical = writing_directions(sizes)
    columns = [v and height >= 1.5 * width for v, (width, height) in zip(vertical, sizes, strict=True)]
    lines = [cut(image, quad) for quad in quads]
    across = iter(engine.read([line for line, column in zip(lines, columns, strict=True) if not column]))
    down = iter(_read_columns(engine, [line for line, column in zip(lines, columns, strict=True) if column]))
    said = [next(down) if column else next(across) for column in columns]
    return [_Piece(text, score, quad, v) for (text, score), quad, v in zip(said, quads, vertical, strict=True)]


def _read_columns(engine: Engine, columns: list[Pixels]) -> list[tuple[str, float]]:
    read = [(plain_text(text), score) for text, score in engine.read(laid_out(columns))]
    doubtful = [i for i, (_, score) in enumerate(read) if score < _DOUBTFUL_COLUMN]
    lying = engine.read([turned(columns[i], Turn.ANTICLOCKWISE.value) for i in doubtful])
    for i, other in zip(doubtful, lying, strict=True):
        if other[1] > read[i][1] + _LYING_MARGIN:
            read[i] = other
    return read


def _rows(pieces: list[_Piece], angle: float) -> list[list[_Piece]]:
    """Visual rows in reading order, on the page levelled by its tilt."""
    boxes = [TextBox(*bounds(level(p, angle) for p in piece.quad), piece.vertical) for piece in pieces]
    return [[pieces[i] for i in row] for row in reading_order(boxes)]


def _output(
    number: int, rows: list[list[_Piece]], way: Turn, size: tuple[int, int], findings: tuple[tuple[str, str], ...]
) -> PageOutput:
    """The page's text and lines. ``size`` is that of the upright page; boxes go back to the page as displayed."""
    width, height = size
    shown = (height, width) if way.value % 2 else size
    texts: list[str] = []
    lines: list[TextLine] = []
    start = weight = 0
    sure = 0.0
    for row in rows:
        text = _joined(row)
        back = [turn(point, -way.value, width, height) for piece in row for point in piece.quad]
        letters = sum(len(piece.text) for piece in row)
        scored = sum(piece.score * len(piece.text) for piece in row)
        box = page_share(bounds(back), *shown)
        lines.append(TextLine(start, start + len(text), box, confidence=round(scored / letters, 6)))
        texts.append(text)
        start += len(text) + 1
        weight += letters
        sure += scored
    confidence = round(sure / weight, 6) if weight else None
    return PageOutput(number, text="\n".join(texts), confidence=confidence, lines=tuple(lines), findings=findings)


def _joined(row: list[_Piece]) -> str:
    """A row's pieces as one string: a space where a gap or a script that spaces its words asks for one."""
    text = row[0].text.strip()
    for before, piece in pairwise(row):
        a, b = bounds(before.quad), bounds(piece.quad)
        gap = b[1] - a[3] if piece.vertical else b[0] - a[2]
        following = piece.text.strip()
        close = gap < _SPACED * min(_thickness(a, piece), _thickness(b, piece))
        text += ("" if close and _UNSPACED.match(text[-1]) and _UNSPACED.match(following[0]) else " ") + following
    return text


def _thickness(rect: Rect, piece: _Piece) -> float:
    return rect[2] - rect[0] if piece.vertical else rect[3] - rect[1]


def _findings(way: Turn, angle: float, *, left_out: int) -> tuple[tuple[str, str], ...]:
    found = [("page_turned", _TURNED[way])] if way is not Turn.NONE else []
    if abs(angle) >= _NOTABLE_SKEW:
        found.append(("page_skewed", f"the page is tilted by {angle:.1f} degrees; lines were levelled"))
    if left_out:
        found.append(("lines_left_out", f"{left_out} found lines read as nothing or scored below {_LEAST_SCORE}"))
    return tuple(found)
