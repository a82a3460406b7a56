"""Which shapes of a slide are symbols of the convention, and which two triangles are one assembly.

Knows geometry only. What a symbol is called (``labels``) and joined to (``reading``) stands elsewhere.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from indx_core.contracts.page import Box
from indx_core.kit.ooxml.shapes import Shape, ShapeKind
from indx_core.signatures.process_chart.chart import Symbol
from indx_core.signatures.process_chart.drawn import Drawn, area

_PRESETS: Mapping[str | None, Symbol] = MappingProxyType(
    {
        "triangle": Symbol.TRIANGLE,
        "flowChartExtract": Symbol.TRIANGLE,
        "ellipse": Symbol.ELLIPSE,
        "flowChartConnector": Symbol.ELLIPSE,
        "diamond": Symbol.DIAMOND,
        "flowChartDecision": Symbol.DIAMOND,
    }
)
"""Preset geometries (ECMA-376 part 1, 20.1.10.56), with the twins that PowerPoint's flow chart menu draws."""

_OVERHANG = 0.02
"""Share of the outer triangle's size that an inner one may stick out by: drawn by hand, snapped to no grid."""
_SMALLER = 0.9
"""Share of the outer triangle's area that an inner one has at most; a larger one is its shadow or its outline."""


@dataclass(frozen=True, slots=True)
class DrawnSymbol:
    """A symbol of a slide.

    Attributes:
        drawn: What is drawn; of an assembly the outer triangle.
        symbol: Which symbol.
        box: Its box.
        inner: The inner triangle of an assembly.
    """

    drawn: Drawn
    symbol: Symbol
    box: Box
    inner: Drawn | None = None

    @property
    def id(self) -> str:
        """Of its node."""
        return self.drawn.id

    @property
    def parts(self) -> tuple[Drawn, ...]:
        """The one or two shapes it is drawn with."""
        return (self.drawn,) if self.inner is None else (self.drawn, self.inner)

    @property
    def text(self) -> str:
        """The text inside it."""
        return "\n".join(part.shape.text for part in self.parts)


def drawn_symbols(shapes: Iterable[Drawn]) -> list[DrawnSymbol]:
    """The symbols among some shapes, in their order."""
    found = []
    for drawn in shapes:
        shape = drawn.shape
        if shape.kind is not ShapeKind.SHAPE or shape.preset not in _PRESETS or shape.box is None:
            continue
        symbol = _PRESETS[shape.preset]
        if symbol is not Symbol.TRIANGLE or _points_up(shape):
            found.append(DrawnSymbol(drawn, symbol, shape.box))
    return _with_assemblies(found)


def _points_up(triangle: Shape) -> bool:
    """Whether its apex is above its base. ▽ and ▷ are signs of other meaning (storage of goods, transport)."""
    left, right, right_foot, left_foot = triangle.corners
    down = (left_foot.y + right_foot.y - left.y - right.y) / 2
    aside = (left_foot.x + right_foot.x - left.x - right.x) / 2
    return down > abs(aside)


def _with_assemblies(found: Sequence[DrawnSymbol]) -> list[DrawnSymbol]:
    """A triangle that encloses exactly one other becomes an assembly in the outer one's place."""
    triangles = [index for index, each in enumerate(found) if each.symbol is Symbol.TRIANGLE]
    inner_of: dict[int, int] = {}
    for outer in sorted(triangles, key=lambda index: -area(found[index].box)):
        inside = [index for index in triangles if _nests(found[outer].box, found[index].box)]
        if len(inside) == 1 and not {outer, inside[0]} & set(inner_of.values()):
            inner_of[outer] = inside[0]
    inner = set(inner_of.values())
    return [
        replace(each, symbol=Symbol.DOUBLE_TRIANGLE, inner=found[inner_of[index]].drawn) if index in inner_of else each
        for index, each in enumerate(found)
        if index not in inner
    ]


def _nests(outer: Box, inner: Box) -> bool:
    across, down = _OVERHANG * (outer.x1 - outer.x0), _OVERHANG * (outer.y1 - outer.y0)
    return (
        area(inner) <= _SMALLER * area(outer)
        and outer.x0 - across <= inner.x0
        and outer.y0 - down <= inner.y0
        and inner.x1 <= outer.x1 + across
        and inner.y1 <= outer.y1 + down
    )
