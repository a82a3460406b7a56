"""Which text labels which symbol: the one heuristic of a process chart, kept apart so that it can be told from fact.

A symbol drawn without text of its own takes the text box that stands nearest to it; the parser counts these labels in a
finding. Everything else in a chart is what the file states.
"""

from collections.abc import Mapping
from math import hypot

from indx_core.contracts.page import Box

_REACH = 1.0
"""How far from a symbol its text may stand, in lengths of the symbol's longer side. A label stands beside its symbol;
further off it is the neighbour's, or a remark."""


def nearest_labels(symbols: Mapping[str, Box], texts: Mapping[str, Box], size: tuple[float, float]) -> dict[str, str]:
    """Pairs of symbol and text, nearest pair first, each symbol and each text once.

    Args:
        symbols: Boxes of the symbols that have no text, by id, in the file's order.
        texts: Boxes of the texts that may label one, by id, in the file's order.
        size: Width and height of the slide in one unit, since shares of the two axes are not comparable.

    Returns:
        Text id by symbol id. Of pairs that are equally near, the one earlier in the file.
    """
    pairs = [
        (gap, between_centres, order, symbol, text)
        for order, (symbol, text) in enumerate((symbol, text) for symbol in symbols for text in texts)
        for gap, between_centres in [_distances(symbols[symbol], texts[text], size)]
        if gap <= _REACH * _longer_side(symbols[symbol], size)
    ]
    labels: dict[str, str] = {}
    taken: set[str] = set()
    for _gap, _between, _order, symbol, text in sorted(pairs):
        if symbol not in labels and text not in taken:
            labels[symbol] = text
            taken.add(text)
    return labels


def _distances(one: Box, other: Box, size: tuple[float, float]) -> tuple[float, float]:
    """Between the two boxes (0 where they overlap), and between their centres."""
    width, height = size
    across = max(0.0, one.x0 - other.x1, other.x0 - one.x1) * width
    down = max(0.0, one.y0 - other.y1, other.y0 - one.y1) * height
    centres = (one.x0 + one.x1 - other.x0 - other.x1) * width / 2, (one.y0 + one.y1 - other.y0 - other.y1) * height / 2
    return hypot(across, down), hypot(*centres)


def _longer_side(box: Box, size: tuple[float, float]) -> float:
    return max((box.x1 - box.x0) * size[0], (box.y1 - box.y0) * size[1])


def one_text(text: str) -> str | None:
    """A text as a label: its lines without the space round them and without blank ones; ``None`` where none is left."""
    return "\n".join(line.strip() for line in text.split("\n") if line.strip()) or None
