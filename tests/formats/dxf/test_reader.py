"""What a drawing shows as text and where it stands."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from indx_core.contracts.errors import IndxError, SourceUnreadable
from indx_core.contracts.observation import TextLayer
from indx_core.contracts.page import BoxReason, PageStatus
from indx_core.formats.dxf.observer import DxfObserver
from indx_core.formats.dxf.reader import DxfReader
from indx_core.kit.settings import overriding
from indx_core.ports.document import OpenDocument
from indx_core.ports.observer import Observer
from indx_core.ports.reader import Reader

_spec = importlib.util.spec_from_file_location("dxf_drawings", Path(__file__).with_name("drawings.py"))
drawings = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(drawings)
built, read, texts = drawings.built, drawings.read, drawings.texts


def observe(data: bytes):
    return DxfObserver().observe(OpenDocument(data, "image/vnd.dxf"))


def codes(data: bytes) -> list[str]:
    return [finding.code for finding in observe(data).findings]


def frame(drawing) -> None:
    """A rectangle that makes the page 100 by 100 drawing units."""
    for start, end in [((0, 0), (100, 0)), ((100, 0), (100, 100)), ((100, 100), (0, 100)), ((0, 100), (0, 0))]:
        drawing.modelspace().add_line(start, end)


def test_they_implement_the_ports() -> None:
    assert isinstance(DxfObserver(), Observer)
    assert isinstance(DxfReader(), Reader)


def test_a_box_has_its_origin_at_the_top_left_of_the_drawing() -> None:
    def fill(drawing) -> None:
        frame(drawing)
        drawing.modelspace().add_text("ab", height=10, dxfattribs={"insert": (20, 70)})

    (line,) = read(built(fill)).lines
    assert line.box == pytest.approx((0.2, 0.2, 0.35, 0.325), abs=0.001)


@pytest.mark.parametrize(
    ("attributes", "left", "top"),
    [
        ({}, 0.5, 0.4),
        ({"halign": 1}, 0.425, 0.4),
        ({"halign": 2}, 0.35, 0.4),
        ({"valign": 3}, 0.5, 0.5),
        ({"valign": 1}, 0.5, 0.375),
        ({"rotation": 180}, 0.35, 0.475),
        ({"text_generation_flag": 2}, 0.35, 0.4),
        ({"extrusion": (0, 0, -1)}, None, 0.4),
    ],
)
def test_alignment_rotation_and_mirroring_move_the_box(attributes: dict, left: float | None, top: float) -> None:
    def fill(drawing) -> None:
        frame(drawing)
        text = {"insert": (50, 50), "align_point": (50, 50), **attributes}
        drawing.modelspace().add_text("ab", height=10, dxfattribs=text)

    (line,) = read(built(fill)).lines
    assert line.box.y0 == pytest.approx(top, abs=0.001)
    assert left is None or line.box.x0 == pytest.approx(left, abs=0.001)


def test_a_block_attribute_and_the_text_of_a_block_stand_where_the_insertion_puts_them() -> None:
    def fill(drawing) -> None:
        frame(drawing)
        block = drawing.blocks.new("TITLE")
        block.add_text("label", height=2, dxfattribs={"insert": (1, 1)})
        block.add_attdef("NO", (5, 1), height=2)
        block.add_attdef("CONST", (9, 1), "c", height=2).dxf.flags = 2
        insert = drawing.modelspace().add_blockref("TITLE", (10, 10), dxfattribs={"xscale": 5, "yscale": 5})
        insert.add_attrib("NO", "HX-1", (40, 15)).dxf.height = 10

    page = read(built(fill))
    boxes = dict(zip(texts(page), (line.box for line in page.lines), strict=True))
    assert set(boxes) == {"label", "HX-1", "c"}
    assert boxes["label"].x0 == pytest.approx(0.15)
    assert boxes["HX-1"].x0 == pytest.approx(0.4)


def test_an_attribute_definition_in_a_layout_shows_its_tag() -> None:
    page = read(built(lambda drawing: drawing.modelspace().add_attdef("NO", (0, 0), "default")))
    assert texts(page) == ["NO"]


@pytest.mark.parametrize(
    ("stated", "shown"),
    [("<>", "120"), ("", "120"), ("<> mm", "120 mm"), ("80（参考）", "80（参考）"), (" ", None)],
)
@pytest.mark.parametrize("rendered", [True, False], ids=["rendered", "worded"])
def test_a_dimension_shows_its_measurement_or_its_override(stated: str, shown: str | None, rendered: bool) -> None:
    """Half of the programs that write DXF leave the rendered block out; the text must come out the same."""

    def fill(drawing) -> None:
        dimension = drawing.modelspace().add_linear_dim(
            (0, 20), (0, 0), (120, 0), text=stated, dxfattribs={"text_midpoint": (60, 22)}
        )
        if rendered:
            dimension.render()

    page = read(built(fill))
    assert texts(page) == ([shown] if shown else [])


@pytest.mark.parametrize(
    ("build", "shown"),
    [
        (lambda space: space.add_radius_dim((0, 0), radius=5, angle=0), "R5"),
        (lambda space: space.add_diameter_dim((0, 0), radius=5, angle=0), "Ø10"),
        (lambda space: space.add_angular_dim_cra((0, 0), 5, 0, 90, 2), "90°"),
    ],
)
def test_a_dimension_without_its_block_says_what_it_measures(build, shown: str) -> None:
    assert texts(read(built(lambda drawing: build(drawing.modelspace())))) == [shown]


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        (r"{\fMS Gothic|b0|i0;太字}\P次行", "太字\n次行"),
        (r"\A1;\H2.5x;大\H1x;小", "大小"),
        (r"\S1/2; \S+0.1^ -0.2;", "1/2 +0.1/-0.2"),
        (r"%%c50%%p0.1 30%%d", "Ø50±0.1 30°"),
        (r"a\~b \\ \{c\}", r"a b \ {c}"),
        (r"{\Fgdt;j} 0.1", "⌖ 0.1"),
        ("\\U+65E5\\U+672C", "日本"),
        ("\\M+193FA", "日"),
    ],
)
def test_formatting_codes_of_mtext_are_resolved(content: str, shown: str) -> None:
    page = read(built(lambda drawing: drawing.modelspace().add_mtext(content)))
    assert texts(page) == [shown]


def test_special_signs_of_a_single_line_are_resolved() -> None:
    page = read(built(lambda drawing: drawing.modelspace().add_text("%%uφ%%c20%%u %%p0.5 30%%d %%o100%%%")))
    assert texts(page) == ["φØ20 ±0.5 30° 100%"]


def test_lines_of_mtext_wrap_at_its_width() -> None:
    def fill(drawing) -> None:
        frame(drawing)
        drawing.modelspace().add_mtext("x" * 60, {"char_height": 4, "width": 40, "insert": (10, 90)})

    (line,) = read(built(fill)).lines
    assert line.box.x1 - line.box.x0 == pytest.approx(0.4)
    assert line.box.y1 > 0.35


@pytest.mark.parametrize("how", ["off", "freeze", "entity", "attribute", "insert on a frozen layer"])
def test_text_that_is_not_drawn_is_kept_and_marked_hidden(how: str) -> None:
    def fill(drawing) -> None:
        space = drawing.modelspace()
        space.add_text("shown")
        layer = drawing.layers.add("L")
        block = drawing.blocks.new("B")
        if how in {"off", "freeze"}:
            getattr(layer, how)()
            space.add_text("secret", dxfattribs={"layer": "L", "insert": (0, -10)})
        elif how == "entity":
            space.add_text("secret", dxfattribs={"invisible": 1, "insert": (0, -10)})
        elif how == "attribute":
            space.add_blockref("B", (0, 0)).add_attrib("T", "secret", (0, -10)).is_invisible = True
        else:
            layer.freeze()
            block.add_text("secret", dxfattribs={"layer": "visible"})
            space.add_blockref("B", (0, -10), dxfattribs={"layer": "L"})

    page = read(built(fill))
    found = {page.text[line.start : line.end]: (line.box, line.reason) for line in page.lines}
    assert found["secret"] == (None, BoxReason.HIDDEN)
    assert found["shown"][0] is not None


def test_content_of_a_block_on_layer_zero_takes_the_layer_of_the_insertion() -> None:
    def fill(drawing) -> None:
        drawing.layers.add("L").off()
        block = drawing.blocks.new("B")
        block.add_text("inherits")
        block.add_text("its own", dxfattribs={"layer": "other", "insert": (0, 5)})
        drawing.modelspace().add_blockref("B", (0, 0), dxfattribs={"layer": "L"})

    page = read(built(fill))
    reasons = {page.text[line.start : line.end]: line.reason for line in page.lines}
    assert reasons == {"inherits": BoxReason.HIDDEN, "its own": None}


def test_a_multileader_says_its_note() -> None:
    def fill(drawing) -> None:
        from ezdxf.math import Vec2

        builder = drawing.modelspace().add_multileader_mtext("Standard")
        builder.set_content("溶接後 研磨")
        builder.quick_leader("溶接後 研磨", target=Vec2(0, 0), segment1=Vec2(10, 10))

    assert "溶接後 研磨" in texts(read(built(fill)))


def test_a_text_without_a_finite_place_is_unresolved_and_kept() -> None:
    def fill(drawing) -> None:
        frame(drawing)
        drawing.modelspace().add_text("lost", height=5, dxfattribs={"insert": (1, 1)})

    data = (
        built(fill)
        .replace(b"\n 10\n1.0\n", b"\n 10\nnan\n")
        .replace(b"\n10\n1.0\n", b"\n10\nnan\n")
        .replace(b"\n10\n1\n", b"\n10\nnan\n")
    )
    page = read(data)
    assert [(page.text[line.start : line.end], line.reason) for line in page.lines] == [("lost", BoxReason.UNRESOLVED)]


def test_rows_are_read_from_the_top_and_each_from_the_left() -> None:
    def fill(drawing) -> None:
        for name, x, y in [("d", 50, 0), ("b", 50, 101), ("c", 0, 0), ("a", 0, 100)]:
            drawing.modelspace().add_text(name, height=5, dxfattribs={"insert": (x, y)})

    assert texts(read(built(fill))) == ["a", "b", "c", "d"]


def test_pages_are_the_layouts_in_the_order_of_their_tabs() -> None:
    def fill(drawing) -> None:
        drawing.new_layout("部品図").add_text("p")
        drawing.new_layout("A1").add_text("a")

    observed = observe(built(fill))
    assert [page.label for page in observed.pages] == ["Model", "Layout1", "部品図", "A1"]


def test_geometry_without_text_is_missing_and_an_empty_layout_is_blank() -> None:
    """A layout with lines and no text needs a person; one with nothing on it does not."""
    data = built(frame)
    model, layout = observe(data).pages
    assert (model.text_layer, layout.text_layer) == (TextLayer.ABSENT, TextLayer.PRESENT)
    assert read(data, 1).status is PageStatus.FAILED
    assert "no text" in read(data, 1).reason
    assert (read(data, 2).status, read(data, 2).text) == (PageStatus.COMPLETED, "")


def test_an_unused_paper_space_of_r12_is_no_page() -> None:
    assert [page.label for page in observe(built(frame, "R12")).pages] == ["Model"]


@pytest.mark.parametrize("version", ["R12", "R2000", "R2004", "R2007", "R2010", "R2013", "R2018"])
def test_every_version_that_ezdxf_writes_is_read(version: str) -> None:
    def fill(drawing) -> None:
        drawing.modelspace().add_text("日本語")

    assert texts(read(built(fill, version))) == ["日本語"]


def test_a_binary_drawing_is_read_like_its_ascii_twin() -> None:
    import io

    from indx_core.formats.dxf.loading import library

    drawing = library().new("R2000")
    drawing.modelspace().add_text("binär")
    stream = io.BytesIO()
    drawing.write(stream, fmt="bin")
    assert texts(read(stream.getvalue())) == ["binär"]


def test_a_block_that_inserts_itself_is_read_once_with_a_finding() -> None:
    def fill(drawing) -> None:
        block = drawing.blocks.new("A")
        block.add_text("once")
        block.add_blockref("A", (1, 0))
        drawing.modelspace().add_blockref("A", (0, 0))

    data = built(fill)
    assert texts(read(data)) == ["once"]
    assert "block_recursion" in codes(data)


def test_a_chain_of_blocks_that_doubles_at_every_step_ends_with_a_finding() -> None:
    """Thirty steps show a billion texts."""

    def fill(drawing) -> None:
        drawing.blocks.new("B0").add_text("x")
        for step in range(1, 31):
            block = drawing.blocks.new(f"B{step}")
            block.add_blockref(f"B{step - 1}", (0, 0))
            block.add_blockref(f"B{step - 1}", (1, 0))
        drawing.modelspace().add_blockref("B30", (0, 0))

    data = built(fill)
    with overriding({"INDX_DXF_MAX_TEXTS": "100"}):
        assert len(read(data).lines) <= 100
        assert "texts_left_out" in codes(data)


def test_a_grid_of_a_million_copies_is_cut_with_a_finding_and_keeps_its_extent() -> None:
    def fill(drawing) -> None:
        drawing.blocks.new("A").add_text("x", height=1)
        grid = {"row_count": 1000, "column_count": 1000, "row_spacing": 2, "column_spacing": 2}
        drawing.modelspace().add_blockref("A", (0, 0), dxfattribs=grid)

    data = built(fill)
    page = read(data)
    assert 1_000 <= len(page.lines) <= 1_010
    assert max(line.box.x1 for line in page.lines) == 1.0
    assert "copies_left_out" in codes(data)


def test_a_drawing_with_too_many_entities_is_refused_before_it_is_parsed() -> None:
    with overriding({"INDX_DXF_MAX_ENTITIES": "3"}), pytest.raises(SourceUnreadable, match="entities"):
        observe(built(frame))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"not a drawing",
        b"AC1032" + bytes(100),
        b"0\nSECTION\n2\nENTITIES\nxx\nTEXT\n0\nENDSEC\n0\nEOF\n",
        b"AutoCAD Binary DXF\r\n\x1a\x00" + b"\x05\x06\x07",
    ],
    ids=["empty", "text", "dwg", "group-code", "binary-garbage"],
)
def test_what_is_no_drawing_is_refused_with_a_way_out(data: bytes) -> None:
    with pytest.raises(SourceUnreadable) as refusal:
        observe(data)
    assert "DXF" in refusal.value.remedy


def test_a_drawing_that_was_cut_off_says_so() -> None:
    data = built(lambda drawing: drawing.modelspace().add_text("kept"))
    assert "drawing_cut_off" in codes(data.removesuffix(b"  0\nEOF\n").removesuffix(b"0\nEOF\n"))


def test_the_library_writes_nothing_and_reads_no_fonts(tmp_path: Path) -> None:
    """ezdxf scans the machine's fonts on import and caches them under the home directory; neither may happen."""
    program = "from indx_core.formats.dxf.loading import library; library(); from ezdxf.fonts import fonts; print(len(fonts.font_manager._font_cache))"
    run = subprocess.run(
        [sys.executable, "-c", program],
        env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == "0"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.corpus
def test_every_drawing_of_the_corpus_is_read_or_refused_with_a_typed_error(shared_corpus) -> None:
    refused = set()
    for path in [*(shared_corpus / "dxf").glob("*.dxf*"), *(shared_corpus / "hostile" / "dxf").iterdir()]:
        document = OpenDocument(path.read_bytes(), "image/vnd.dxf")
        try:
            pages = DxfObserver().observe(document).pages
            outputs = list(DxfReader().read(document, [page.number for page in pages]))
            assert len(outputs) == len(pages)
        except IndxError:
            refused.add(path.name)
    assert refused == {"libredwg__entities_5a5908.dxf", "made__dxf_group_code_not_number.dxf"}
