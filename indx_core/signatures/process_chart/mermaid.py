"""A process chart as Mermaid source, for pages that draw diagrams from text.

``tri``, ``circle`` and ``diam`` are the shapes the convention is drawn with (the ``@{ shape }`` syntax needs Mermaid
11.3); an assembly, for which there is no shape, is a triangle with a heavy line. Places are Mermaid's own: of the boxes
only the nesting remains.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from indx_core.signatures.process_chart.chart import Edge, Node, NodeKind, ProcessChart, Symbol

_SYMBOLS: Mapping[Symbol, str] = MappingProxyType(
    {Symbol.TRIANGLE: "tri", Symbol.ELLIPSE: "circle", Symbol.DIAMOND: "diam", Symbol.DOUBLE_TRIANGLE: "tri"}
)
_OTHERS: Mapping[NodeKind, str] = MappingProxyType({NodeKind.TEXT: "text", NodeKind.PICTURE: "rect"})
_HEAVY = "assembly"

_ENTITIES = str.maketrans({character: f"#{ord(character)};" for character in '#"\\`&<>{}[]*_'})
"""Mermaid writes a character in a label by its number; these mean something to it, or to the YAML its shapes are in."""

_LIST = re.compile(r"^([0-9]*)([-+.)])", re.MULTILINE)
"""A line that Mermaid takes for a Markdown list, which it answers with an error text in the label's place."""


def to_mermaid(chart: ProcessChart) -> str:
    """The source of one diagram, from top to bottom, a statement a line."""
    names = _names(chart.nodes)
    lines = ["flowchart TB", *_nodes(chart, names)]
    lines.extend(f"  {_link(edge, names)}" for edge in chart.connections)
    if heavy := [names[node.id] for node in chart.nodes if node.symbol is Symbol.DOUBLE_TRIANGLE]:
        lines.extend([f"  classDef {_HEAVY} stroke-width:4px", f"  class {','.join(heavy)} {_HEAVY}"])
    return "\n".join([*lines, ""])


def _nodes(chart: ProcessChart, names: Mapping[str, str]) -> Iterator[str]:
    """Vertices and, round those that a container encloses, subgraphs; with a stack, since files nest without limit."""
    parents = chart.parents()
    children: dict[str | None, list[Node]] = {}
    for node in chart.nodes:
        children.setdefault(parents.get(node.id), []).append(node)
    open_levels = [iter(children.get(None, ()))]
    while open_levels:
        indent = "  " * len(open_levels)
        member = next(open_levels[-1], None)
        if member is None:
            open_levels.pop()
            if open_levels:
                yield f"{indent[2:]}end"
        elif member.kind is NodeKind.CONTAINER:
            yield f'{indent}subgraph {names[member.id]}["{_label(member)}"]'
            open_levels.append(iter(children.get(member.id, ())))
        else:
            yield indent + _vertex(member, names[member.id])


def _vertex(node: Node, name: str) -> str:
    shape = _SYMBOLS[node.symbol] if node.symbol else _OTHERS[node.kind]
    return f'{name}@{{ shape: {shape}, label: "{_label(node)}" }}'


def _link(edge: Edge, names: Mapping[str, str]) -> str:
    return f"{names[edge.source]} {'-->' if edge.arrow else '---'} {names[edge.target]}"


def _label(node: Node) -> str:
    """Never empty: Mermaid would write the node's name in its place."""
    text = _LIST.sub(lambda item: f"{item[1]}#{ord(item[2])};", (node.label or "").translate(_ENTITIES))
    return "<br>".join(text.splitlines()) or " "


def _names(nodes: Sequence[Node]) -> dict[str, str]:
    """Mermaid's names of nodes hold letters, digits and underscores: ``shape:4`` becomes ``shape_4``."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for node in nodes:
        name = re.sub(r"[^A-Za-z0-9]", "_", node.id)
        while name in taken:
            name += "_"
        taken.add(name)
        names[node.id] = name
    return names
