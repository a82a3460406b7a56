"""A slide as a process chart: nodes and edges out of its shapes, or the answer that it is none.

Everything but the labels by position is what the file states: connectors by their own references, containers and the
nodes in them by their boxes. Hidden shapes are not part of what is drawn, and so of no chart.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from indx_core.contracts.page import Box
from indx_core.kit.ooxml.archive import PartDamaged
from indx_core.kit.ooxml.presentation import open_deck
from indx_core.kit.ooxml.shapes import Shape, ShapeKind, shapes
from indx_core.ports.document import OpenDocument
from indx_core.signatures.process_chart.chart import ROLES, Edge, EdgeKind, Node, NodeKind, ProcessChart, ranks
from indx_core.signatures.process_chart.connections import Connection, connections
from indx_core.signatures.process_chart.drawn import Drawn, area, drawn_shapes, encloses_centre
from indx_core.signatures.process_chart.labels import nearest_labels, one_text
from indx_core.signatures.process_chart.symbols import DrawnSymbol, drawn_symbols

MINIMUM_CONNECTIONS, MINIMUM_SYMBOL_KINDS = 2, 2
"""What a slide is a process chart by: connectors between symbols, and kinds of symbols they join."""

_MOST_SHAPES, _MOST_CONTAINERS = 2_000, 50
"""Beyond these a slide is a map or an import of a drawing, not a chart. Each text is compared with each symbol and each
container with each node: 2 s at the limits, 10 s and 1.5 million edges where a file nests a thousand rectangles."""

_TITLES = frozenset({"title", "ctrTitle"})
_FRAMING = _TITLES | {"dt", "ftr", "hdr", "sldNum"}
"""Placeholders that frame a slide: its title, and what every slide of a deck repeats."""

_FLOW_CHART_RECTANGLES = frozenset({"flowChartProcess", "flowChartAlternateProcess"})


@dataclass(frozen=True, slots=True)
class ChartReading:
    """A chart, and what is to be said about how it was read.

    Attributes:
        chart: The graph.
        labels_by_position: How many symbols are labelled by the text nearest to them.
        loose_connectors: How many connectors the file does not attach to two symbols; they are no edges.
    """

    chart: ProcessChart
    labels_by_position: int
    loose_connectors: int


def read_chart(document: OpenDocument, number: int) -> ChartReading | None:
    """The process chart of a slide; ``None`` where it is drawn as none, is damaged, or does not exist.

    Args:
        document: A presentation.
        number: 1-based page number.

    Raises:
        SourceUnreadable: It is no readable presentation.
    """
    return document.once(f"process_chart.{number}", lambda: _read(document, number))


def _read(document: OpenDocument, number: int) -> ChartReading | None:
    deck = open_deck(document)
    if not 1 <= number <= len(deck.slides):
        return None
    try:
        drawn = drawn_shapes(shapes(document, number))
    except (PartDamaged, RecursionError):  # the slide's own route reports it
        return None
    connectors = [each for each in drawn if each.shape.kind is ShapeKind.CONNECTOR]
    if len(connectors) < MINIMUM_CONNECTIONS or len(drawn) > _MOST_SHAPES:
        return None
    symbols = drawn_symbols(drawn)
    joined = connections(connectors, symbols)
    kinds = {symbol.symbol for each in joined for symbol in (each.source, each.target)}
    if len(joined) < MINIMUM_CONNECTIONS or len(kinds) < MINIMUM_SYMBOL_KINDS:
        return None
    nodes = tuple(_nodes(drawn, symbols))
    if sum(node.kind is NodeKind.CONTAINER for node in nodes) > _MOST_CONTAINERS:
        return None
    labels = _labels_by_position(nodes, drawn, deck.size)
    chart = _chart(drawn, _labelled(nodes, labels), joined)
    return ChartReading(chart, len(labels), len(connectors) - len(joined))


def _chart(drawn: Sequence[Drawn], nodes: tuple[Node, ...], joined: Sequence[Connection]) -> ProcessChart:
    titles = (" ".join(shape.text.split()) for _name, shape in drawn if shape.placeholder in _TITLES)
    edges = (*map(_connection_edge, joined), *_contains_edges(nodes))
    return ProcessChart(title=next((title for title in titles if title), None), nodes=nodes, edges=edges)


def _nodes(drawn: Sequence[Drawn], symbols: Sequence[DrawnSymbol]) -> Iterator[Node]:
    by_id = {symbol.id: symbol for symbol in symbols}
    inner = {symbol.inner.id for symbol in symbols if symbol.inner is not None}
    for name, shape in drawn:
        if shape.box is None or name in inner:
            continue
        if symbol := by_id.get(name):
            label, role = one_text(symbol.text), ROLES[symbol.symbol]
            yield Node(id=name, kind=NodeKind.SYMBOL, symbol=symbol.symbol, role=role, label=label, bbox=shape.box)
        elif kind := _kind(shape, shape.box, symbols):
            yield Node(id=name, kind=kind, label=one_text(shape.text), bbox=shape.box)


def _kind(shape: Shape, box: Box, symbols: Sequence[DrawnSymbol]) -> NodeKind | None:
    """Of a shape that is no symbol; ``None`` for what is no part of the graph."""
    if shape.kind is ShapeKind.PICTURE:
        return NodeKind.PICTURE
    if shape.kind is not ShapeKind.SHAPE or shape.placeholder in _FRAMING:
        return None
    if _is_rectangle(shape) and any(_surrounds(box, symbol.box) for symbol in symbols):
        return NodeKind.CONTAINER
    return NodeKind.TEXT if shape.text.strip() else None


def _is_rectangle(shape: Shape) -> bool:
    """Whether it may be a region. A text box has the same geometry and stands on what it labels, not round it."""
    preset = shape.preset or ""
    return not shape.text_box and (preset.lower().endswith("rect") or preset in _FLOW_CHART_RECTANGLES)


def _surrounds(box: Box, symbol: Box) -> bool:
    return area(box) > area(symbol) and encloses_centre(box, symbol)


def _labels_by_position(nodes: Sequence[Node], drawn: Sequence[Drawn], size: tuple[float, float]) -> dict[str, str]:
    """Text node by symbol node. A text that a connector is attached to stands for itself and labels nothing."""
    attached = {end for each in drawn for end in (each.shape.begins_at, each.shape.ends_at) if end is not None}
    standing = {each.id for each in drawn if each.shape.id in attached}
    symbols = {node.id: node.bbox for node in nodes if node.kind is NodeKind.SYMBOL and node.label is None}
    texts = {node.id: node.bbox for node in nodes if node.kind is NodeKind.TEXT and node.id not in standing}
    return nearest_labels(symbols, texts, size)


def _labelled(nodes: Sequence[Node], labels: dict[str, str]) -> tuple[Node, ...]:
    """The symbols with their labels; a text that has become one is no node of its own any more."""
    text = {node.id: node.label for node in nodes}
    used = set(labels.values())
    return tuple(
        node.model_copy(update={"label": text[labels[node.id]]}) if node.id in labels else node
        for node in nodes
        if node.id not in used
    )


def _connection_edge(each: Connection) -> Edge:
    return Edge(
        id=each.id,
        kind=EdgeKind.CONNECTION,
        source=each.source.id,
        target=each.target.id,
        arrow=each.arrow,
        path=each.path,
    )


def _contains_edges(nodes: Sequence[Node]) -> Iterator[Edge]:
    """Every container with every node whose centre it encloses, those in regions within it included."""
    rank = ranks(nodes)
    for container in nodes:
        if container.kind is not NodeKind.CONTAINER:
            continue
        for node in nodes:
            if rank[node.id] < rank[container.id] and encloses_centre(container.bbox, node.bbox):
                name = f"{container.id}/{node.id}"
                yield Edge(id=name, kind=EdgeKind.CONTAINS, source=container.id, target=node.id)
