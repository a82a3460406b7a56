"""Which way up a page lies: by the shape of its lines, and by reading a few of them both ways.

Only imported by functions that recognise.
"""

import re
from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from indx_core.engines.ocr_rapid.crops import cut, turned
from indx_core.engines.ocr_rapid.engine import Engine, Pixels
from indx_core.engines.ocr_rapid.vertical import laid_out
from indx_core.kit.geometry.boxes import Quad, edges

_TRIALS = 3
"""The longest lines are tried: a second of work at most, and they tell more than short ones."""
_SURE = 0.85
"""Mean score from which lines count as read the right way up. Upside down they score 0.4 to 0.7."""
_CLEARLY_BETTER = 0.1
_VERTICAL_SHARE = 0.85
"""Characters of vertical text, set upright, score at least this share of what the lying column scores (measured: 0.91
to 1.0); those of a page on its side 0.5 to 0.65."""

_IDEOGRAPHIC = re.compile(r"[\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff]")
"""Only these scripts are written vertically; Latin letters lying on their side can score as well as upright ones."""


class Turn(Enum):
    """Quarter turns clockwise that put a page upright."""

    NONE = 0
    CLOCKWISE = 1
    HALF = 2
    ANTICLOCKWISE = 3


class _Trial(NamedTuple):
    """Some lines read one way: their mean score, and how much of what they say is Chinese or Japanese, 0-1."""

    score: float
    ideographic: float


def page_turn(engine: Engine, image: Pixels, quads: Sequence[Quad]) -> Turn:
    """How to turn a page so that its text is upright. Vertical writing stands upright as it is."""
    tall = sum(edges(quad)[1] for quad in quads if _is_tall(quad))
    wide = sum(edges(quad)[0] for quad in quads if not _is_tall(quad))
    if tall <= wide:
        lines = [cut(image, quad) for quad in _longest([q for q in quads if not _is_tall(q)])]
        return _upright_or_over(engine, lines)
    columns = [cut(image, quad) for quad in _longest([q for q in quads if _is_tall(q)])]
    return _upright_or_on_side(engine, columns)


def _upright_or_over(engine: Engine, lines: list[Pixels]) -> Turn:
    upright = _read(engine, lines).score
    if upright >= _SURE or not lines:
        return Turn.NONE
    over = _read(engine, [turned(line, Turn.HALF.value) for line in lines]).score
    return Turn.HALF if over > upright + _CLEARLY_BETTER else Turn.NONE


def _upright_or_on_side(engine: Engine, columns: list[Pixels]) -> Turn:
    trials = {
        turn: _read(engine, [turned(column, turn.value) for column in columns])
        for turn in (Turn.ANTICLOCKWISE, Turn.CLOCKWISE)
    }
    turn, lying = max(trials.items(), key=lambda item: item[1].score)
    if lying.ideographic < 0.5:
        return turn
    upright = _read(engine, laid_out(columns))
    return Turn.NONE if upright.score >= _VERTICAL_SHARE * lying.score else turn


def _is_tall(quad: Quad) -> bool:
    width, height = edges(quad)
    return height >= 1.5 * width


def _longest(quads: list[Quad]) -> list[Quad]:
    return sorted(quads, key=lambda quad: -max(edges(quad)))[:_TRIALS]


def _read(engine: Engine, lines: list[Pixels]) -> _Trial:
    read = engine.read(lines)
    text = "".join(said for said, _ in read)
    score = sum(score for _, score in read) / len(read) if read else 0.0
    return _Trial(score, len(_IDEOGRAPHIC.findall(text)) / max(1, len(text)))
