"""The graph of a process chart, as it goes on the wire under ``metadata.process_chart``.

Holds the nouns and what can be asked of a chart alone; not how a slide becomes one. Boxes and points are 0-1 of the
slide with the origin at its top left, as a chunk's box is, so that one arithmetic lays both over the page.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Self

from pydantic import AliasChoices, Field, model_validator

from indx_core.contracts.base import Contract
from indx_core.contracts.page import Box

METADATA_KEY = "process_chart"


class NodeKind(StrEnum):
    """What a node is drawn as."""

    SYMBOL = "symbol"
    PICTURE = "picture"
    CONTAINER = "container"
    """A rectangle round other nodes: a line, a region, a factory."""
    TEXT = "text"


class Symbol(StrEnum):
    """The symbols of the convention."""

    TRIANGLE = "triangle"
    ELLIPSE = "ellipse"
    DIAMOND = "diamond"
    DOUBLE_TRIANGLE = "double_triangle"
    """Two nested triangles."""


class Role(StrEnum):
    """What a symbol stands for."""

    MATERIAL = "material"
    OPERATION = "operation"
    INSPECTION = "inspection"
    ASSEMBLY = "assembly"


ROLES: Mapping[Symbol, Role] = MappingProxyType(
    {
        Symbol.TRIANGLE: Role.MATERIAL,
        Symbol.ELLIPSE: Role.OPERATION,
        Symbol.DIAMOND: Role.INSPECTION,
        Symbol.DOUBLE_TRIANGLE: Role.ASSEMBLY,
    }
)


class EdgeKind(StrEnum):
    """How two nodes belong together."""

    CONNECTION = "connection"
    """A connector that the file attaches to two symbols."""
    CONTAINS = "contains"
    """A container and a node whose centre it encloses."""


Point = tuple[float, float]


class Node(Contract):
    """One shape of the chart.

    Attributes:
        id: ``shape:`` and the file's own number of the shape; a number used again carries its count, ``shape:4.2``.
        label: Its text; for a symbol without one, the text that stands nearest.
        bbox: ``[x0, y0, x1, y1]``.
    """

    id: str
    kind: NodeKind
    symbol: Symbol | None = None
    role: Role | None = None
    label: str | None = None
    bbox: Box


class Edge(Contract):
    """Two nodes that belong together.

    Attributes:
        id: Of a connection, its connector's; of a containment, both nodes', ``shape:2/shape:5``.
        source: ``from`` on the wire: where the arrow starts, else the upper node; the container.
        target: ``to`` on the wire.
        arrow: Connection: whether the file draws an arrowhead.
        path: Connection: its two ends, first at ``source``; absent where the file states no place.
    """

    id: str
    kind: EdgeKind
    source: str = Field(validation_alias=AliasChoices("from", "source"), serialization_alias="from")
    target: str = Field(validation_alias=AliasChoices("to", "target"), serialization_alias="to")
    arrow: bool | None = None
    path: tuple[Point, Point] | None = None


class ProcessChart(Contract):
    """A whole chart. Nodes from back to front, connections in the file's order, then what containers enclose.

    Raises:
        ValueError: Two nodes share an id, or an edge names a node that is not there.
    """

    title: str | None = None
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...] = ()

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        ids = {node.id for node in self.nodes}
        if len(ids) != len(self.nodes):
            raise ValueError("the nodes of a chart have ids of their own")
        if not all({edge.source, edge.target} <= ids for edge in self.edges):
            raise ValueError("an edge joins two nodes of its chart")
        return self

    @property
    def symbols(self) -> tuple[Node, ...]:
        """The nodes that are symbols."""
        return tuple(node for node in self.nodes if node.kind is NodeKind.SYMBOL)

    @property
    def connections(self) -> tuple[Edge, ...]:
        """The edges that are connectors."""
        return tuple(edge for edge in self.edges if edge.kind is EdgeKind.CONNECTION)

    def parents(self) -> dict[str, str]:
        """The innermost container of every node that has one, by id: regions may enclose regions."""
        rank = ranks(self.nodes)
        found: dict[str, str] = {}
        for edge in self.edges:
            container, node = edge.source, edge.target
            if edge.kind is not EdgeKind.CONTAINS or rank[container] <= rank[node]:
                continue
            if node not in found or rank[container] < rank[found[node]]:
                found[node] = container
        return found

    def to_metadata(self) -> dict[str, Any]:
        """JSON-ready, fields without a value left out."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)


def ranks(nodes: Sequence[Node]) -> dict[str, tuple[bool, float, int]]:
    """Which of two nodes may enclose the other: the higher one, and only a container.

    Of containers the larger is higher, of equals the one further back, so that two rectangles that enclose each other's
    centre never become each other's parent.
    """
    return {
        node.id: (True, _area(node.bbox), -index) if node.kind is NodeKind.CONTAINER else (False, 0.0, 0)
        for index, node in enumerate(nodes)
    }


def _area(box: Box) -> float:
    return (box.x1 - box.x0) * (box.y1 - box.y0)
