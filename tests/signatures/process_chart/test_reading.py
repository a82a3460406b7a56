"""A slide as a graph: which shapes are symbols, what joins and encloses them, what they are called."""

from typing import Any

import pytest
from office_builder import frame, group, pptx, replaced, shape
from signatures.process_chart.charts import MINIMAL, box, connector, drawn, label, opened, picture, slide, title

from indx_core.signatures.process_chart.chart import EdgeKind, Node, NodeKind, ProcessChart
from indx_core.signatures.process_chart.reading import ChartReading, read_chart


def reading(content: str, **options: Any) -> ChartReading | None:
    with slide(content, **options) as document:
        return read_chart(document, 1)


def chart(content: str, **options: Any) -> ProcessChart:
    """Of a slide that is known to be one."""
    read = reading(content, **options)
    assert read is not None
    return read.chart


def beside(content: str) -> dict[str, Node]:
    """The nodes that shapes beside the minimal chart become."""
    known = {"shape:2", "shape:3", "shape:4"}
    return {node.id: node for node in chart(MINIMAL + content).nodes if node.id not in known}


def labels(content: str, **options: Any) -> dict[str, str | None]:
    return {node.id: node.label for node in chart(content, **options).symbols}


def test_the_minimal_chart_is_its_symbols_roles_and_arrows() -> None:
    assert chart(MINIMAL).to_metadata() == {
        "nodes": [
            {
                "id": "shape:2",
                "kind": "symbol",
                "symbol": "triangle",
                "role": "material",
                "bbox": [0.4, 0.1, 0.5, 0.2],
            },
            {"id": "shape:3", "kind": "symbol", "symbol": "ellipse", "role": "operation", "bbox": [0.4, 0.4, 0.5, 0.5]},
            {
                "id": "shape:4",
                "kind": "symbol",
                "symbol": "diamond",
                "role": "inspection",
                "bbox": [0.4, 0.7, 0.5, 0.8],
            },
        ],
        "edges": [
            {
                "id": "shape:5",
                "kind": "connection",
                "from": "shape:2",
                "to": "shape:3",
                "arrow": True,
                "path": [[0.45, 0.2], [0.45, 0.4]],
            },
            {
                "id": "shape:6",
                "kind": "connection",
                "from": "shape:3",
                "to": "shape:4",
                "arrow": True,
                "path": [[0.45, 0.5], [0.45, 0.7]],
            },
        ],
    }


def test_the_wire_form_reads_back_as_the_same_chart() -> None:
    read = chart(MINIMAL + drawn(7, "rect", (300, 300, 400, 600), "line"))
    assert ProcessChart.model_validate(read.to_metadata()) == read


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("", "an empty slide"),
        (
            drawn(2, "triangle", (0, 0, 9, 9)) + drawn(3, "ellipse", (90, 90, 9, 9)) + connector(4, 2, 3),
            "one connector",
        ),
        (
            "".join(drawn(n, "ellipse", (100 * n, 0, 50, 50)) for n in (2, 3, 4))
            + connector(5, 2, 3)
            + connector(6, 3, 4),
            "one kind of symbol",
        ),
        (MINIMAL.replace('<a:endCxn id="4" idx="0"/>', ""), "a connector that hangs loose"),
        (MINIMAL.replace('"diamond"', '"rect"'), "a connector to a shape that is no symbol"),
        (MINIMAL.replace('name="Shape 3" ', 'name="Shape 3" hidden="1"'), "a hidden symbol"),
        (MINIMAL.replace('name="Connector 5" ', 'name="Connector 5" hidden="1"'), "a hidden connector"),
        (
            drawn(2, "ellipse", (0, 0, 50, 50))
            + connector(3, 2, 2)
            + connector(4, 2, 2)
            + drawn(5, "diamond", (0, 90, 9, 9)),
            "connectors from a symbol to itself",
        ),
    ],
)
def test_what_is_no_chart(content: str, why: str) -> None:
    assert reading(content) is None, why


def test_kinds_count_only_where_connectors_join_them() -> None:
    """Two joined circles beside an unrelated triangle are a sketch of something else."""
    circles = "".join(drawn(n, "ellipse", (100 * n, 0, 50, 50)) for n in (2, 3, 4))
    assert reading(circles + connector(5, 2, 3) + connector(6, 3, 4) + drawn(7, "triangle", (0, 500, 50, 50))) is None


@pytest.mark.parametrize("number", [0, 2])
def test_a_slide_that_does_not_exist_is_no_chart(number: int) -> None:
    with slide(MINIMAL) as document:
        assert read_chart(document, number) is None


def test_a_damaged_slide_is_no_chart_and_leaves_the_others_alone() -> None:
    data = replaced(pptx(MINIMAL, MINIMAL), {"ppt/slides/page0.xml": "<p:sld"})
    with opened(data) as document:
        assert [read_chart(document, number) is None for number in (1, 2)] == [True, False]


@pytest.mark.parametrize(
    "many",
    [
        "".join(drawn(n, "line", (0, 0, 1, 1)) for n in range(10, 2010)),
        "".join(drawn(n, "rect", (0, 0, 1000, 1000)) for n in range(10, 61)),
    ],
    ids=["shapes", "containers"],
)
def test_a_slide_with_more_than_a_person_draws_is_not_compared(many: str) -> None:
    """Everything is compared with everything: a thousand nested rectangles were 1.5 million edges."""
    assert reading(MINIMAL + many) is None


@pytest.mark.parametrize(
    ("preset", "turned", "symbol"),
    [
        ("flowChartExtract", "", "triangle"),
        ("flowChartConnector", "", "ellipse"),
        ("flowChartDecision", "", "diamond"),
        ("triangle", 'rot="1200000"', "triangle"),
        ("triangle", 'rot="10800000"', None),
        ("triangle", 'flipV="1"', None),
        ("triangle", 'rot="5400000"', None),
        ("triangle", 'rot="10800000" flipV="1"', "triangle"),
        ("flowChartMerge", "", None),
        ("star5", "", None),
    ],
)
def test_symbols_are_told_by_geometry_and_a_triangle_points_up(preset: str, turned: str, symbol: str | None) -> None:
    found = beside(drawn(9, preset, (700, 100, 100, 100), turned=turned))
    assert [node.symbol for node in found.values()] == ([symbol] if symbol else [])


class TestAssemblies:
    OUTER = drawn(9, "triangle", (700, 100, 200, 200))

    def test_two_nested_triangles_are_one_assembly_under_the_outer_one_s_id(self) -> None:
        (node,) = beside(self.OUTER + drawn(10, "triangle", (750, 170, 100, 100))).values()
        assert (node.id, node.symbol, node.role) == ("shape:9", "double_triangle", "assembly")
        assert node.bbox == box((700, 100, 200, 200))

    def test_the_order_they_are_drawn_in_does_not_matter(self) -> None:
        (node,) = beside(drawn(10, "triangle", (750, 170, 100, 100)) + self.OUTER).values()
        assert (node.id, node.symbol) == ("shape:9", "double_triangle")

    def test_a_connector_to_either_triangle_joins_the_assembly(self) -> None:
        inner = drawn(10, "triangle", (750, 170, 100, 100), "A")
        ends = [edge.target for edge in chart(MINIMAL + self.OUTER + inner + connector(11, 3, 10)).connections]
        assert ends[-1] == "shape:9"

    def test_the_text_of_either_is_its_label(self) -> None:
        assert beside(self.OUTER + drawn(10, "triangle", (750, 170, 100, 100), "組立"))["shape:9"].label == "組立"

    @pytest.mark.parametrize(
        "other",
        [
            drawn(10, "triangle", (850, 250, 200, 200)),
            drawn(10, "triangle", (702, 102, 198, 198)),
            drawn(10, "triangle", (720, 200, 50, 50)) + drawn(11, "triangle", (820, 200, 50, 50)),
        ],
        ids=["overlapping", "a shadow of the same size", "two side by side"],
    )
    def test_other_triangles_stay_materials(self, other: str) -> None:
        assert {node.symbol for node in beside(self.OUTER + other).values()} == {"triangle"}

    def test_nesting_is_seen_through_the_transform_of_a_group(self) -> None:
        space = '<a:chOff x="0" y="0"/><a:chExt cx="10" cy="10"/>'
        both = drawn(9, "triangle", (0, 0, 10, 10)) + drawn(10, "triangle", (3, 4, 4, 4))
        (node,) = beside(group(8, frame(700, 100, 100, 200, more=space), both)).values()
        assert (node.symbol, node.bbox) == ("double_triangle", box((700, 100, 100, 200)))

    def test_a_group_turned_upside_down_holds_no_upright_triangles(self) -> None:
        space = '<a:chOff x="0" y="0"/><a:chExt cx="10" cy="10"/>'
        flipped = frame(700, 100, 100, 100, attributes='flipV="1"', more=space)
        assert beside(group(8, flipped, drawn(9, "triangle", (0, 0, 10, 10)))) == {}


class TestConnections:
    @pytest.mark.parametrize(
        ("begin", "end", "ends", "expected"),
        [
            (2, 3, '<a:tailEnd type="triangle"/>', ("shape:2", "shape:3", True)),
            (3, 2, '<a:tailEnd type="triangle"/>', ("shape:3", "shape:2", True)),
            (2, 3, '<a:headEnd type="oval"/>', ("shape:3", "shape:2", True)),
            (3, 2, "", ("shape:2", "shape:3", False)),
            (3, 2, '<a:tailEnd type="none"/>', ("shape:2", "shape:3", False)),
            (3, 2, '<a:headEnd type="arrow"/><a:tailEnd type="arrow"/>', ("shape:2", "shape:3", True)),
        ],
        ids=["end", "upwards", "start", "none", "none by name", "both"],
    )
    def test_the_arrow_orients_and_top_to_bottom_where_there_is_none(
        self, begin: int, end: int, ends: str, expected: tuple[str, str, bool]
    ) -> None:
        edge = chart(MINIMAL + connector(9, begin, end, ends=ends)).connections[-1]
        assert (edge.source, edge.target, edge.arrow) == expected

    def test_without_an_arrow_at_one_height_it_runs_from_left_to_right(self) -> None:
        level = drawn(9, "ellipse", (100, 400, 100, 100))
        edge = chart(MINIMAL + level + connector(10, 3, 9, ends="")).connections[-1]
        assert (edge.source, edge.target) == ("shape:9", "shape:3")

    def test_the_path_starts_at_the_source_however_the_line_was_drawn(self) -> None:
        upwards = connector(9, 3, 2, (450, 200, 30, 200), ends="", turned='flipH="1" flipV="1"')
        assert chart(MINIMAL + upwards).connections[-1].path == ((0.45, 0.2), (0.48, 0.4))

    def test_a_connector_without_a_place_has_no_path(self) -> None:
        placeless = connector(9, 2, 4).replace(frame(0, 0, 0, 0), "")
        edge = chart(MINIMAL + placeless).to_metadata()["edges"][-1]
        assert (edge["id"], "path" in edge) == ("shape:9", False)

    def test_a_path_stays_on_the_slide(self) -> None:
        assert chart(MINIMAL + connector(9, 2, 4, (-500, 100, 2000, 100))).connections[-1].path == ((0, 0.1), (1, 0.2))

    def test_connectors_that_join_no_two_symbols_are_counted_and_no_edges(self) -> None:
        loose = connector(9, 2, None) + connector(10, None, None) + connector(11, 2, 99)
        read = reading(MINIMAL + loose)
        assert read is not None
        assert (read.loose_connectors, len(read.chart.connections)) == (3, 2)

    def test_a_number_used_twice_gives_two_nodes_and_joins_the_first(self) -> None:
        read = chart(MINIMAL + drawn(3, "diamond", (700, 700, 100, 100)))
        assert [node.id for node in read.nodes] == ["shape:2", "shape:3", "shape:4", "shape:3.2"]
        assert read.connections[0].target == "shape:3"


class TestContainers:
    def test_a_rectangle_contains_the_nodes_whose_centre_it_encloses(self) -> None:
        region = drawn(9, "rect", (300, 300, 400, 550), "ライン")
        halfway = label(10, "in", (610, 800, 179, 40)) + label(11, "out", (610, 800, 200, 40))
        read = chart(MINIMAL + region + halfway)
        contained = [(edge.id, edge.target) for edge in read.edges if edge.kind is EdgeKind.CONTAINS]
        assert contained == [
            ("shape:9/shape:3", "shape:3"),
            ("shape:9/shape:4", "shape:4"),
            ("shape:9/shape:10", "shape:10"),
        ]

    def test_a_contains_edge_has_neither_arrow_nor_path(self) -> None:
        edges = chart(MINIMAL + drawn(9, "rect", (300, 300, 400, 600))).to_metadata()["edges"]
        assert edges[-1] == {"id": "shape:9/shape:4", "kind": "contains", "from": "shape:9", "to": "shape:4"}

    @pytest.mark.parametrize(
        ("content", "kind"),
        [
            (drawn(9, "roundRect", (300, 300, 400, 600)), "container"),
            (drawn(9, "flowChartProcess", (300, 300, 400, 600)), "container"),
            (drawn(9, "rect", (620, 300, 300, 600), "legend"), "text"),
            (drawn(9, "rect", (600, 300, 300, 600)), None),
            (drawn(9, "rect", (440, 440, 20, 20)), None),
            (label(9, "a long label over its symbol", (350, 380, 200, 140)), None),
            (drawn(9, "star5", (300, 300, 400, 600)), None),
        ],
        ids=["round", "flow chart", "beside symbols", "empty", "on a symbol", "text box", "no rectangle"],
    )
    def test_a_container_is_a_rectangle_round_a_symbol(self, content: str, kind: str | None) -> None:
        """A text box that lies on its symbol is its label, whatever it encloses."""
        assert [node.kind for node in beside(content).values()] == ([kind] if kind else [])

    def test_nested_regions_name_the_innermost_as_parent(self) -> None:
        regions = drawn(9, "rect", (100, 50, 800, 900)) + drawn(10, "rect", (300, 300, 400, 300))
        read = chart(MINIMAL + regions)
        assert read.parents() == {
            "shape:10": "shape:9",
            "shape:2": "shape:9",
            "shape:3": "shape:10",
            "shape:4": "shape:9",
        }

    def test_two_regions_of_one_size_never_contain_each_other(self) -> None:
        """Both centres are in both boxes; a cycle of parents is a file that no program opens."""
        twins = drawn(9, "rect", (300, 300, 400, 600)) + drawn(10, "rect", (310, 300, 400, 600))
        read = chart(MINIMAL + twins)
        assert read.parents() == {"shape:10": "shape:9", "shape:3": "shape:10", "shape:4": "shape:10"}


class TestLabels:
    def test_text_inside_a_symbol_is_its_label_as_it_is_broken(self) -> None:
        inside = MINIMAL.replace(
            drawn(3, "ellipse", (400, 400, 100, 100)), drawn(3, "ellipse", (400, 400, 100, 100), " 真空 \n\n含浸")
        )
        assert labels(inside)["shape:3"] == "真空\n含浸"

    def test_the_nearest_text_labels_a_symbol_and_is_no_node_of_its_own(self) -> None:
        read = reading(MINIMAL + label(9, "銅線", (510, 130, 200, 40)) + label(10, "巻線", (510, 430, 200, 40)))
        assert read is not None
        assert {node.id: node.label for node in read.chart.symbols} == {
            "shape:2": "銅線",
            "shape:3": "巻線",
            "shape:4": None,
        }
        assert [node for node in read.chart.nodes if node.kind is NodeKind.TEXT] == []
        assert read.labels_by_position == 2

    def test_a_text_labels_one_symbol_the_nearer_one(self) -> None:
        assert labels(MINIMAL + label(9, "a", (400, 300, 100, 90))) == {
            "shape:2": None,
            "shape:3": "a",
            "shape:4": None,
        }

    def test_a_text_further_off_than_the_symbol_is_wide_is_a_remark(self) -> None:
        near, far = label(9, "near", (595, 130, 100, 40)), label(9, "far", (605, 130, 100, 40))
        assert [labels(MINIMAL + text)["shape:2"] for text in (near, far)] == ["near", None]
        assert [node.label for node in beside(far).values()] == ["far"]

    def test_distance_is_measured_on_the_slide_and_not_in_shares_of_its_axes(self) -> None:
        """On a slide four times as wide as high, a tenth of the width is further than a third of the height."""
        wide = {"size": (4000, 1000)}
        texts = label(9, "right", (590, 400, 400, 100)) + label(10, "below", (400, 520, 100, 40))
        assert labels(MINIMAL + texts, **wide)["shape:3"] == "below"

    def test_a_symbol_with_text_of_its_own_takes_no_other(self) -> None:
        own = MINIMAL.replace(drawn(3, "ellipse", (400, 400, 100, 100)), drawn(3, "ellipse", (400, 400, 100, 100), "1"))
        read = reading(own + label(9, "beside", (510, 430, 200, 40)))
        assert read is not None
        assert (read.labels_by_position, read.chart.nodes[-1].label) == (0, "beside")

    def test_a_text_that_a_connector_is_attached_to_stands_for_itself(self) -> None:
        (node,) = beside(label(9, "原料", (510, 130, 200, 40)) + connector(10, 9, 2)).values()
        assert (node.kind, node.label) == ("text", "原料")

    def test_hidden_text_labels_nothing(self) -> None:
        hidden = label(9, "secret", (510, 130, 200, 40)).replace('name="Shape 9" ', 'name="Shape 9" hidden="1"')
        assert beside(hidden) == {}
        assert labels(MINIMAL + hidden)["shape:2"] is None


def test_the_title_is_the_placeholder_s_and_no_node() -> None:
    read = chart(MINIMAL + title(9, "工程\n系統図"))
    assert (read.title, len(read.nodes)) == ("工程 系統図", 3)


@pytest.mark.parametrize("kind", ["ftr", "sldNum", "dt"])
def test_what_every_slide_repeats_is_no_node(kind: str) -> None:
    footer = shape(9, "Confidential", frame(510, 130, 200, 40), placeholder=f'<p:ph type="{kind}"/>')
    assert beside(footer) == {}


def test_a_picture_is_a_node_with_its_box() -> None:
    (node,) = beside(picture(9, (700, 400, 200, 100))).values()
    assert (node.kind, node.label, node.bbox) == ("picture", None, box((700, 400, 200, 100)))


def test_a_shape_without_a_place_is_no_node() -> None:
    assert beside(shape(9, "somewhere")) == {}


@pytest.mark.parametrize(
    "broken",
    [
        {"nodes": [{"id": "a", "kind": "text", "bbox": [0, 0, 1, 1]}] * 2},
        {"nodes": [], "edges": [{"id": "e", "kind": "contains", "from": "a", "to": "b"}]},
        {"nodes": [{"id": "a", "kind": "cloud", "bbox": [0, 0, 1, 1]}]},
        {"nodes": [{"id": "a", "kind": "text", "bbox": [0, 0, 1]}]},
    ],
)
def test_a_chart_that_does_not_hold_together_is_refused(broken: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="validation error"):
        ProcessChart.model_validate(broken)


def test_a_deck_that_another_program_wrote_is_read_the_same() -> None:
    """python-pptx writes what PowerPoint does: EMU, presets, glued connectors, text boxes marked as such."""
    import io
    import itertools

    from pptx import Presentation
    from pptx.enum.shapes import MSO_CONNECTOR, MSO_SHAPE
    from pptx.util import Cm

    presentation = Presentation()
    shapes = presentation.slides.add_slide(presentation.slide_layouts[5]).shapes
    shapes.title.text = "工程系統図"
    kinds = (MSO_SHAPE.ISOSCELES_TRIANGLE, MSO_SHAPE.OVAL, MSO_SHAPE.DIAMOND)
    symbols = [shapes.add_shape(kind, Cm(4), Cm(4 + 4 * n), Cm(2), Cm(2)) for n, kind in enumerate(kinds)]
    for n, text in enumerate(("銅線", "巻線", "検査")):
        shapes.add_textbox(Cm(6.5), Cm(4.5 + 4 * n), Cm(4), Cm(1)).text_frame.text = text
    for upper, lower in itertools.pairwise(symbols):
        line = shapes.add_connector(MSO_CONNECTOR.STRAIGHT, 0, 0, 0, 0)
        line.begin_connect(upper, 2)
        line.end_connect(lower, 0)
    out = io.BytesIO()
    presentation.save(out)
    with opened(out.getvalue()) as document:
        read = read_chart(document, 1)
    assert read is not None
    assert read.chart.title == "工程系統図"
    assert [(node.symbol, node.label) for node in read.chart.nodes] == [
        ("triangle", "銅線"),
        ("ellipse", "巻線"),
        ("diamond", "検査"),
    ]
    assert [(edge.arrow, [round(x, 3) for x, _y in edge.path or ()]) for edge in read.chart.connections] == [
        (False, [0.197, 0.197])
    ] * 2
