"""Charts written as .drawio and Mermaid: structure, parentage, text that means something to either format."""

import xml.etree.ElementTree as ET

import pytest
from signatures.process_chart.charts import CASES, opened

from indx_core.contracts.page import Box
from indx_core.signatures.process_chart.chart import Edge, EdgeKind, Node, NodeKind, ProcessChart, Symbol
from indx_core.signatures.process_chart.drawio import to_drawio
from indx_core.signatures.process_chart.mermaid import to_mermaid
from indx_core.signatures.process_chart.reading import read_chart

AWKWARD = "\"quoted\" & <b>\n100% #1; {a} [b] \\ `c`\t*d* 'e'"

MIDDLE = Box(0.4, 0.4, 0.5, 0.5)


def symbol(name: str, kind: Symbol = Symbol.ELLIPSE, label: str | None = None, place: Box = MIDDLE) -> Node:
    return Node(id=name, kind=NodeKind.SYMBOL, symbol=kind, label=label, bbox=place)


def container(name: str, place: Box) -> Node:
    return Node(id=name, kind=NodeKind.CONTAINER, bbox=place)


def contains(outer: str, inner: str) -> Edge:
    return Edge(id=f"{outer}/{inner}", kind=EdgeKind.CONTAINS, source=outer, target=inner)


def joined(source: str, target: str, *, arrow: bool) -> Edge:
    return Edge(id=f"{source}-{target}", kind=EdgeKind.CONNECTION, source=source, target=target, arrow=arrow)


def cells(*charts: ProcessChart) -> dict[str, ET.Element]:
    """Cells by id, in their order; every reference is resolved on the way."""
    root = ET.fromstring(to_drawio(*charts))
    found: dict[str, ET.Element] = {}
    for cell in root.iter("mxCell"):
        name = cell.attrib["id"]
        assert name not in found, "an id is used once"
        assert name == "0" or cell.attrib["parent"] in found, "a parent stands before its children"
        assert {cell.attrib[end] for end in ("source", "target") if end in cell.attrib} <= set(found)
        found[name] = cell
    return found


def place(cell: ET.Element) -> list[float]:
    (geometry,) = cell
    return [float(geometry.attrib[name]) for name in ("x", "y", "width", "height")]


@pytest.fixture(scope="module")
def impregnation_line() -> ProcessChart:
    with opened(CASES["impregnation-line"]()) as document:
        read = read_chart(document, 2)
    assert read is not None
    return read.chart


class TestDrawio:
    def test_every_node_and_connection_is_a_cell_and_the_file_holds_together(self, impregnation_line) -> None:
        found = cells(impregnation_line)
        expected = {node.id for node in impregnation_line.nodes} | {edge.id for edge in impregnation_line.connections}
        assert set(found) - expected == {"0", "1", "shape:21/inner"}

    @pytest.mark.parametrize(
        ("kind", "preset"),
        [
            (Symbol.TRIANGLE, "triangle;direction=north;"),
            (Symbol.ELLIPSE, "ellipse;"),
            (Symbol.DIAMOND, "rhombus;"),
            (Symbol.DOUBLE_TRIANGLE, "triangle;direction=north;"),
        ],
    )
    def test_a_symbol_is_its_preset(self, kind: Symbol, preset: str) -> None:
        assert cells(ProcessChart(nodes=(symbol("a", kind),)))["a"].attrib["style"].startswith(preset)

    def test_an_assembly_holds_its_inner_triangle_and_takes_it_along(self) -> None:
        found = cells(ProcessChart(nodes=(symbol("a", Symbol.DOUBLE_TRIANGLE, place=Box(0, 0, 0.1, 0.1)),)))
        assert (found["a/inner"].attrib["parent"], place(found["a/inner"])) == ("a", [40, 30, 80, 45])

    def test_boxes_are_shares_of_a_wide_page(self) -> None:
        assert place(cells(ProcessChart(nodes=(symbol("a"),)))["a"]) == [640, 360, 160, 90]

    def test_what_a_container_encloses_is_its_child_and_placed_from_its_corner(self) -> None:
        nodes = (symbol("a"), container("inner", Box(0.3, 0.3, 0.6, 0.6)), container("outer", Box(0.1, 0.1, 0.9, 0.9)))
        edges = (contains("outer", "a"), contains("outer", "inner"), contains("inner", "a"))
        found = cells(ProcessChart(nodes=nodes, edges=edges))
        assert [found[name].attrib["parent"] for name in ("a", "inner", "outer")] == ["inner", "outer", "1"]
        assert place(found["a"]) == [160, 90, 160, 90]
        assert place(found["inner"]) == [320, 180, 480, 270]

    def test_a_connector_without_an_arrowhead_stays_without_one(self) -> None:
        edges = (joined("a", "b", arrow=True), joined("b", "a", arrow=False))
        found = cells(ProcessChart(nodes=(symbol("a"), symbol("b")), edges=edges))
        assert [found[name].attrib["style"] for name in ("a-b", "b-a")] == ["endArrow=classic;", "endArrow=none;"]

    def test_any_text_comes_back_from_the_file_as_it_was(self) -> None:
        found = cells(ProcessChart(nodes=(symbol("a", label=AWKWARD),)))
        assert found["a"].attrib["value"] == AWKWARD

    def test_no_label_is_taken_for_html(self) -> None:
        """diagrams.net interprets markup where a style says html=1, and labels come from other people's files."""
        assert "html=1" not in to_drawio(ProcessChart(nodes=(symbol("a", label="<img src=x>"),)))

    def test_characters_that_xml_cannot_hold_are_left_out(self) -> None:
        assert cells(ProcessChart(nodes=(symbol("a", label="a\x00\x0bb\ud800"),)))["a"].attrib["value"] == "ab"

    def test_several_charts_are_pages_of_one_file(self) -> None:
        one, two = ProcessChart(title="工程", nodes=(symbol("a"),)), ProcessChart(nodes=(symbol("a"),))
        diagrams = ET.fromstring(to_drawio(one, two)).findall("diagram")
        assert [(each.attrib["id"], each.attrib["name"]) for each in diagrams] == [
            ("chart-1", "工程"),
            ("chart-2", "Chart 2"),
        ]

    def test_only_the_chart_is_in_the_file(self) -> None:
        """No date, agent, version or compression: equal charts are equal bytes."""
        root = ET.fromstring(to_drawio(ProcessChart(nodes=(symbol("a"),))))
        assert (root.attrib, [set(each.attrib) for each in root]) == ({}, [{"id", "name"}])


class TestMermaid:
    @pytest.mark.parametrize(
        ("kind", "shape"),
        [
            (Symbol.TRIANGLE, "tri"),
            (Symbol.ELLIPSE, "circle"),
            (Symbol.DIAMOND, "diam"),
            (Symbol.DOUBLE_TRIANGLE, "tri"),
        ],
    )
    def test_a_symbol_is_its_shape(self, kind: Symbol, shape: str) -> None:
        source = to_mermaid(ProcessChart(nodes=(symbol("shape:4", kind, "巻線"),)))
        assert source.splitlines()[:2] == ["flowchart TB", f'  shape_4@{{ shape: {shape}, label: "巻線" }}']

    def test_an_assembly_is_drawn_with_a_heavy_line(self) -> None:
        source = to_mermaid(ProcessChart(nodes=(symbol("a", Symbol.DOUBLE_TRIANGLE), symbol("b", Symbol.TRIANGLE))))
        assert source.splitlines()[3:] == ["  classDef assembly stroke-width:4px", "  class a assembly"]

    def test_containers_nest_as_subgraphs(self) -> None:
        nodes = (container("outer", Box(0.1, 0.1, 0.9, 0.9)), symbol("a"), container("inner", Box(0.3, 0.3, 0.6, 0.6)))
        edges = (contains("outer", "a"), contains("outer", "inner"), contains("inner", "a"))
        assert to_mermaid(ProcessChart(nodes=nodes, edges=edges)).splitlines()[1:] == [
            '  subgraph outer[" "]',
            '    subgraph inner[" "]',
            '      a@{ shape: circle, label: " " }',
            "    end",
            "  end",
        ]

    def test_a_thousand_nested_containers_are_written(self) -> None:
        boxes = [Box(n / 3000, n / 3000, 1 - n / 3000, 1 - n / 3000) for n in range(1200)]
        nodes = tuple(container(f"c{n}", place) for n, place in enumerate(boxes))
        edges = tuple(contains(f"c{n}", f"c{n + 1}") for n in range(1199))
        assert to_mermaid(ProcessChart(nodes=nodes, edges=edges)).count("subgraph") == 1200

    def test_arrows_are_drawn_where_the_file_draws_them(self) -> None:
        edges = (joined("a", "b", arrow=True), joined("b", "a", arrow=False))
        source = to_mermaid(ProcessChart(nodes=(symbol("a"), symbol("b")), edges=edges))
        assert source.splitlines()[3:] == ["  a --> b", "  b --- a"]

    def test_what_mermaid_would_read_as_syntax_is_written_by_number(self) -> None:
        line = to_mermaid(ProcessChart(nodes=(symbol("a", label=AWKWARD),))).splitlines()[1]
        label = line.removeprefix('  a@{ shape: circle, label: "').removesuffix('" }')
        assert label == (
            "#34;quoted#34; #38; #60;b#62;<br>100% #35;1; #123;a#125; #91;b#93; #92; #96;c#96;\t#42;d#42; 'e'"
        )

    @pytest.mark.parametrize(
        ("text", "written"), [("1. 切断", "1#46; 切断"), ("- a\n2) b", "#45; a<br>2#41; b"), ("φ0.8", "φ0.8")]
    )
    def test_a_numbered_step_is_no_markdown_list(self, text: str, written: str) -> None:
        """Mermaid answers a list with "Unsupported markdown: list" in the label's place."""
        assert f'label: "{written}"' in to_mermaid(ProcessChart(nodes=(symbol("a", label=text),)))

    def test_names_that_would_fall_together_are_kept_apart(self) -> None:
        source = to_mermaid(ProcessChart(nodes=(symbol("s:1.2"), symbol("s:1_2"))))
        assert [line.split("@")[0].strip() for line in source.splitlines()[1:]] == ["s_1_2", "s_1_2_"]


def test_parents_that_claim_each_other_are_no_cycle() -> None:
    """A chart may come from outside; of two equal regions the one further back is the outer one."""
    same = Box(0.1, 0.1, 0.9, 0.9)
    chart = ProcessChart(
        nodes=(container("a", same), container("b", same), symbol("s")),
        edges=(contains("b", "a"), contains("a", "b"), contains("s", "a")),
    )
    assert chart.parents() == {"b": "a"}
    assert cells(chart)["b"].attrib["parent"] == "a"
    assert to_mermaid(chart).count("subgraph") == 2
