"""Shapes of a slide: places, inheritance, connections."""

from typing import Any

import pytest
from office_builder import frame, group, pptx, relationships, replaced, shape, shape_tree, text_body

from indx_core.contracts.page import Box, BoxReason
from indx_core.kit.ooxml.archive import PartDamaged
from indx_core.kit.ooxml.shapes import Shape, ShapeKind, shapes
from indx_core.ports.document import OpenDocument


def on_slide(content: str, **options: Any) -> tuple[Shape, ...]:
    with OpenDocument(pptx(content, **options), "x") as document:
        return shapes(document, 1)


def test_a_shape_stands_where_its_file_says() -> None:
    (found,) = on_slide(shape(2, "Hello\nWorld", frame(100, 200, 300, 400)))
    assert (found.id, found.name, found.text) == ("2", "Shape 2", "Hello\nWorld")
    assert (found.box, found.reason) == (Box(0.1, 0.2, 0.4, 0.6), None)


def test_a_wide_slide_scales_each_axis_by_itself() -> None:
    assert on_slide(shape(2, "a", frame(500, 250, 500, 250)), size=(2000, 1000))[0].box == Box(0.25, 0.25, 0.5, 0.5)


def test_group_transforms_are_applied_however_deep() -> None:
    child_space = '<a:chOff x="0" y="0"/><a:chExt cx="100" cy="100"/>'
    inner = group(3, frame(50, 50, 50, 50, more=child_space), shape(4, "deep", frame(0, 0, 100, 100)))
    found = on_slide(group(2, frame(200, 200, 400, 400, more=child_space), inner))
    assert [item.id for item in found] == ["2", "3", "4"]
    assert found[2].box == Box(0.4, 0.4, 0.6, 0.6)
    assert found[2].groups == ("2", "3")


def test_a_turned_group_turns_its_members() -> None:
    child_space = '<a:chOff x="200" y="400"/><a:chExt cx="400" cy="200"/>'
    turned = frame(200, 400, 400, 200, attributes='rot="5400000"', more=child_space)
    assert on_slide(group(2, turned, shape(3, "top left", frame(200, 400, 100, 100))))[1].box == Box(0.4, 0.3, 0.5, 0.4)


def test_a_group_without_extent_does_not_divide_by_zero() -> None:
    flat = frame(100, 100, 0, 0, more='<a:chOff x="0" y="0"/><a:chExt cx="0" cy="0"/>')
    assert on_slide(group(2, flat, shape(3, "a", frame(10, 10, 50, 50))))[1].box is not None


def test_a_turned_shape_gets_the_box_round_it() -> None:
    assert on_slide(shape(2, "a", frame(200, 400, 400, 200, 'rot="5400000"')))[0].box == Box(0.3, 0.3, 0.5, 0.7)


def test_a_hidden_shape_keeps_its_text_and_has_no_box() -> None:
    (found,) = on_slide(shape(2, "非表示メモ", frame(0, 0, 10, 10), attributes='hidden="1"'))
    assert (found.text, found.box, found.reason, found.hidden) == ("非表示メモ", None, BoxReason.HIDDEN, True)


def test_a_text_box_is_told_from_a_rectangle() -> None:
    """Both have the same geometry; only the file's own mark says which of them is a region round other shapes."""
    drawn = shape(2, "a", frame(0, 0, 10, 10))
    found = on_slide(drawn + drawn.replace("<p:cNvSpPr/>", '<p:cNvSpPr txBox="1"/>'))
    assert [item.text_box for item in found] == [False, True]


def test_members_of_a_hidden_group_are_hidden() -> None:
    found = on_slide(group(2, frame(0, 0, 100, 100), shape(3, "in", frame(0, 0, 10, 10)), attributes='hidden="1"'))
    assert [item.hidden for item in found] == [True, True]


def test_a_shape_beside_the_slide_is_hidden_by_it() -> None:
    (found,) = on_slide(shape(2, "off", frame(2000, 0, 100, 100)))
    assert (found.reason, found.hidden) == (BoxReason.HIDDEN, False)


@pytest.mark.parametrize("xfrm", ["", "<a:xfrm/>", '<a:xfrm><a:off x="here" y="0"/><a:ext cx="1" cy="1"/></a:xfrm>'])
def test_a_shape_without_a_position_is_unresolved(xfrm: str) -> None:
    (found,) = on_slide(shape(2, "where?", xfrm))
    assert (found.box, found.reason, found.corners) == (None, BoxReason.UNRESOLVED, ())


def templated(layout: str, master: str) -> dict[str, Any]:
    return {
        "slide_links": {0: [("l", "slideLayout", "../layout.xml")]},
        "parts": {
            "ppt/layout.xml": shape_tree("sldLayout", layout),
            "ppt/_rels/layout.xml.rels": relationships([("m", "slideMaster", "master.xml")]),
            "ppt/master.xml": shape_tree("sldMaster", master),
        },
    }


def test_a_placeholder_takes_its_place_from_the_layout_by_index() -> None:
    layout = shape(9, "prompt", frame(100, 100, 100, 100), placeholder='<p:ph type="body" idx="7"/>')
    (found,) = on_slide(shape(2, "own text", placeholder='<p:ph idx="7"/>'), **templated(layout, ""))
    assert (found.box, found.placeholder, found.text) == (Box(0.1, 0.1, 0.2, 0.2), "obj", "own text")


def test_a_placeholder_the_layout_does_not_place_takes_it_from_the_master_by_type() -> None:
    layout = shape(9, placeholder='<p:ph type="ctrTitle"/>')
    master = shape(8, "", frame(0, 0, 500, 100), placeholder='<p:ph type="title"/>')
    (found,) = on_slide(shape(2, "Title", placeholder='<p:ph type="ctrTitle"/>'), **templated(layout, master))
    assert found.box == Box(0.0, 0.0, 0.5, 0.1)


def test_a_placeholder_with_a_frame_of_its_own_keeps_it() -> None:
    layout = shape(9, "", frame(0, 0, 10, 10), placeholder='<p:ph type="title"/>')
    (found,) = on_slide(
        shape(2, "T", frame(500, 500, 100, 100), placeholder='<p:ph type="title"/>'), **templated(layout, "")
    )
    assert found.box == Box(0.5, 0.5, 0.6, 0.6)


def test_a_connector_says_what_it_joins_and_which_way_it_points() -> None:
    connector = (
        '<p:cxnSp><p:nvCxnSpPr><p:cNvPr id="4" name="Arrow"/><p:cNvCxnSpPr><a:stCxn id="2" idx="3"/><a:endCxn id="3" idx="1"/>'
        f"</p:cNvCxnSpPr><p:nvPr/></p:nvCxnSpPr><p:spPr>{frame(100, 100, 200, 100, 'flipH=' + chr(34) + '1' + chr(34))}"
        '<a:prstGeom prst="line"/><a:ln><a:tailEnd type="triangle"/></a:ln></p:spPr></p:cxnSp>'
    )
    (found,) = on_slide(connector)
    assert (found.kind, found.begins_at, found.ends_at, found.head, found.tail) == (
        ShapeKind.CONNECTOR,
        "2",
        "3",
        None,
        "triangle",
    )
    assert found.corners[0] == pytest.approx((0.3, 0.1))
    assert found.corners[2] == pytest.approx((0.1, 0.2))
    assert found.preset == "line"


def test_a_table_keeps_its_grid_and_reads_as_rows() -> None:
    def tc(text: str, attributes: str = "") -> str:
        return f"<a:tc {attributes}>{text_body(text, tag='a:txBody')}</a:tc>"

    rows = f"<a:tr>{tc('wide', f'gridSpan={chr(34)}2{chr(34)}')}{tc('covered', f'hMerge={chr(34)}1{chr(34)}')}</a:tr><a:tr>{tc('a')}{tc('b')}</a:tr>"
    content = (
        f'<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="5" name="Prices"/></p:nvGraphicFramePr>{frame(0, 0, 500, 500, tag="p:xfrm")}'
        f'<a:graphic><a:graphicData><a:tbl><a:tblPr firstRow="1"/>{rows}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>'
    )
    (found,) = on_slide(content)
    assert (found.kind, found.text, found.box) == (ShapeKind.TABLE, "wide\na\tb", Box(0.0, 0.0, 0.5, 0.5))
    assert found.table is not None
    assert (found.table.header_rows, found.table.label, found.table.cells[0].column_span) == (1, "Prices", 2)


def test_alternate_content_is_read_once() -> None:
    both = f"<mc:AlternateContent><mc:Choice Requires='p14'>{shape(2, 'new')}</mc:Choice><mc:Fallback>{shape(3, 'old')}</mc:Fallback></mc:AlternateContent>"
    assert [item.text for item in on_slide(both)] == ["new"]


@pytest.mark.parametrize("content", [None, "<p:sld"], ids=["missing", "broken"])
def test_a_slide_that_is_not_there_or_broken_is_damage(content: str | None) -> None:
    data = replaced(pptx(shape(2, "x")), {"ppt/slides/page0.xml": content})
    with OpenDocument(data, "x") as document, pytest.raises(PartDamaged):
        shapes(document, 1)


def test_fields_breaks_and_formulas_are_part_of_a_paragraph() -> None:
    body = "<p:txBody><a:p><a:r><a:t>page </a:t></a:r><a:fld type='slidenum'><a:t>3</a:t></a:fld><a:br/><a:r><a:t>end</a:t></a:r></a:p></p:txBody>"
    content = f'<p:sp><p:nvSpPr><p:cNvPr id="2" name="n"/></p:nvSpPr><p:spPr/>{body}</p:sp>'
    assert on_slide(content)[0].text == "page 3\nend"
