"""Which connectors of a slide join two of its symbols, by the file's own references, and in which direction.

Lines that only look as if they touched a symbol are not joined: the file would have to be guessed at.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from indx_core.contracts.page import Box
from indx_core.kit.ooxml.shapes import Shape
from indx_core.signatures.process_chart.chart import Point
from indx_core.signatures.process_chart.drawn import Drawn, centre
from indx_core.signatures.process_chart.symbols import DrawnSymbol


@dataclass(frozen=True, slots=True)
class Connection:
    """A connector between two symbols, oriented.

    Attributes:
        id: Of the connector.
        source: Where it leads from.
        target: Where it leads to.
        arrow: Whether the file draws an arrowhead on it.
        path: Its two ends in 0-1 of the slide, ``source`` first; ``None`` where the file states no place.
    """

    id: str
    source: DrawnSymbol
    target: DrawnSymbol
    arrow: bool
    path: tuple[Point, Point] | None


def connections(connectors: Iterable[Drawn], symbols: Sequence[DrawnSymbol]) -> list[Connection]:
    """The connectors that are attached to two different symbols, in the file's order."""
    by_number: dict[str | None, DrawnSymbol] = {}
    for symbol in symbols:
        for part in symbol.parts:
            by_number.setdefault(part.shape.id, symbol)
    found = []
    for drawn in connectors:
        begin, end = by_number.get(drawn.shape.begins_at), by_number.get(drawn.shape.ends_at)
        if begin is not None and end is not None and begin is not end:
            found.append(_oriented(drawn, begin, end))
    return found


def _oriented(drawn: Drawn, begin: DrawnSymbol, end: DrawnSymbol) -> Connection:
    """By the arrowhead where exactly one end has one, else from top to bottom, at one height from left to right."""
    connector, path = drawn.shape, _ends(drawn.shape)
    arrow = bool(connector.head or connector.tail)
    one_way = bool(connector.head) != bool(connector.tail)
    backwards = bool(connector.head) if one_way else _reading_place(end.box) < _reading_place(begin.box)
    if backwards:
        return Connection(drawn.id, end, begin, arrow, path and (path[1], path[0]))
    return Connection(drawn.id, begin, end, arrow, path)


def _reading_place(box: Box) -> tuple[float, float]:
    x, y = centre(box)
    return y, x


def _ends(connector: Shape) -> tuple[Point, Point] | None:
    """Opposite corners of its frame, whatever its preset: presetShapeDefinitions.xml of ECMA-376 part 1, annex D."""
    if not connector.corners:
        return None
    first, _, last, _ = connector.corners
    return (_share(first.x), _share(first.y)), (_share(last.x), _share(last.y))


def _share(value: float) -> float:
    return round(min(max(value, 0.0), 1.0), 6)
