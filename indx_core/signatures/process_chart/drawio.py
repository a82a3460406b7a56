"""A process chart as a .drawio file, which a person opens in diagrams.net and keeps editing.

A function of the chart alone: no date, no agent, no compression, so that equal charts are equal bytes. A symbol becomes
its diagrams.net preset, what a container encloses becomes its child and moves with it, and a connector drawn without an
arrowhead stays without one. The format is mxGraph's XML; its cells know no media, so a picture is a dashed frame.
"""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from xml.sax.saxutils import quoteattr

from indx_core.contracts.page import Box
from indx_core.signatures.process_chart.chart import Edge, Node, NodeKind, ProcessChart, Symbol, ranks

PAGE_WIDTH, PAGE_HEIGHT = 1600, 900
"""Units of the drawing's page: a wide slide, PowerPoint's own size since 2013. A chart states no size, only shares."""

_BESIDE = "labelPosition=right;align=left;verticalAlign=middle;spacingLeft=4;"
"""A symbol's label stands at its right, as the convention writes it: no triangle has room for words."""

_SYMBOLS: Mapping[Symbol, str] = MappingProxyType(
    {
        Symbol.TRIANGLE: f"triangle;direction=north;{_BESIDE}",
        Symbol.ELLIPSE: f"ellipse;{_BESIDE}",
        Symbol.DIAMOND: f"rhombus;{_BESIDE}",
        Symbol.DOUBLE_TRIANGLE: f"triangle;direction=north;{_BESIDE}",
    }
)
_INNER = "triangle;direction=north;connectable=0;editable=0;movable=0;"
_OTHERS: Mapping[NodeKind, str] = MappingProxyType(
    {
        NodeKind.CONTAINER: "rounded=0;whiteSpace=wrap;container=1;collapsible=0;fillColor=none;verticalAlign=top;",
        NodeKind.PICTURE: "rounded=0;whiteSpace=wrap;dashed=1;fillColor=none;",
        NodeKind.TEXT: "text;whiteSpace=wrap;align=left;verticalAlign=top;",
    }
)
_LAYER = "1"
"""The cell of the one layer; ``0`` is the root that every mxGraph model has."""

_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot hold, section 2.2."""

_REFERENCES = {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;", '"': "&quot;"}


def to_drawio(*charts: ProcessChart) -> str:
    """The file's text: UTF-8, a line per cell, one page of the drawing for each chart."""
    lines = ["<mxfile>"]
    for number, chart in enumerate(charts, start=1):
        lines.append(f"  <diagram id={_quoted(f'chart-{number}')} name={_quoted(chart.title or f'Chart {number}')}>")
        lines.append(f'    <mxGraphModel page="1" pageWidth="{PAGE_WIDTH}" pageHeight="{PAGE_HEIGHT}">')
        lines.append("      <root>")
        lines.extend(f"        {cell}" for cell in _cells(chart))
        lines.extend(["      </root>", "    </mxGraphModel>", "  </diagram>"])
    return "\n".join([*lines, "</mxfile>", ""])


def _cells(chart: ProcessChart) -> Iterator[str]:
    yield '<mxCell id="0"/>'
    yield f'<mxCell id="{_LAYER}" parent="0"/>'
    parents, boxes, rank = chart.parents(), {node.id: node.bbox for node in chart.nodes}, ranks(chart.nodes)
    # A parent stands before its children, and behind them: outer containers first, all else as the slide stacks it.
    for node in sorted(chart.nodes, key=lambda node: rank[node.id], reverse=True):
        parent = parents.get(node.id)
        yield from _vertex(node, parent, boxes[parent] if parent else Box(0, 0, 1, 1))
    for edge in chart.connections:
        yield _edge(edge)


def _vertex(node: Node, parent: str | None, around: Box) -> Iterator[str]:
    """A node's cell; its place counts from its parent's top left."""
    x, y = (node.bbox.x0 - around.x0) * PAGE_WIDTH, (node.bbox.y0 - around.y0) * PAGE_HEIGHT
    width, height = (node.bbox.x1 - node.bbox.x0) * PAGE_WIDTH, (node.bbox.y1 - node.bbox.y0) * PAGE_HEIGHT
    style = _SYMBOLS[node.symbol] if node.symbol else _OTHERS[node.kind]
    yield _cell(node.id, node.label or "", style, parent or _LAYER, (x, y, width, height))
    if node.symbol is Symbol.DOUBLE_TRIANGLE:
        # Half the size about the centroid, which is two thirds down: the sides of both stay parallel.
        yield _cell(f"{node.id}/inner", "", _INNER, node.id, (width / 4, height / 3, width / 2, height / 2))


def _cell(name: str, value: str, style: str, parent: str, place: tuple[float, float, float, float]) -> str:
    x, y, width, height = map(_number, place)
    geometry = f'<mxGeometry x="{x}" y="{y}" width="{width}" height="{height}" as="geometry"/>'
    return (
        f'<mxCell id={_quoted(name)} value={_quoted(value)} style="{style}" parent={_quoted(parent)} vertex="1">'
        f"{geometry}</mxCell>"
    )


def _edge(edge: Edge) -> str:
    style = f"endArrow={'classic' if edge.arrow else 'none'};"
    return (
        f'<mxCell id={_quoted(edge.id)} style="{style}" parent="{_LAYER}" source={_quoted(edge.source)} '
        f'target={_quoted(edge.target)} edge="1"><mxGeometry relative="1" as="geometry"/></mxCell>'
    )


def _number(value: float) -> str:
    """Hundredths of a unit, without trailing zeros."""
    return f"{value + 0.0:.2f}".rstrip("0").rstrip(".")


def _quoted(text: str) -> str:
    """As an attribute; line ends as references, since a parser makes spaces of bare ones (XML 1.0, section 3.3.3)."""
    return quoteattr(_NO_XML.sub("", text), _REFERENCES)
