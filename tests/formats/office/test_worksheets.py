"""Workbooks read: each trap by name."""

import pytest
from office_builder import NAMESPACES, SHEET_NAMESPACE, cell, formats, relationships, replaced, rows, xlsx

from indx_core.contracts.errors import SourceUnreadable
from indx_core.contracts.page import BoxReason, PageOutput, PageStatus
from indx_core.formats.office.media_types import XLSX
from indx_core.formats.office.observer import OfficeObserver
from indx_core.formats.office.reader import OfficeReader
from indx_core.kit.settings import overriding
from indx_core.ports.document import OpenDocument


def read_all(data: bytes) -> list[PageOutput]:
    with OpenDocument(data, XLSX) as document:
        numbers = [page.number for page in OfficeObserver().observe(document).pages]
        return list(OfficeReader().read(document, numbers))


def read(data: bytes, number: int = 1) -> PageOutput:
    return read_all(data)[number - 1]


def sheet(*cells: str, more: str = "") -> str:
    return f"<sheetData><row>{''.join(cells)}</row></sheetData>{more}"


def test_rows_are_tab_separated_and_blank_cells_hold_their_column() -> None:
    page = read(xlsx(rows(["a", "", "c"], ["", "b"])))
    assert page.text == "a\t\tc\n\tb"
    assert [(line.start, line.end, line.reason) for line in page.lines] == [
        (0, 4, BoxReason.NO_GEOMETRY),
        (5, 7, BoxReason.NO_GEOMETRY),
    ]


def test_a_break_inside_a_cell_does_not_break_its_row_and_stays_in_the_grid() -> None:
    page = read(xlsx(rows(["one\ntwo", "b"])))
    assert page.text == "one two\tb"
    assert page.tables[0].cells[0].text == "one\ntwo"


def test_sheets_come_in_tab_order_and_not_by_part_name() -> None:
    """sheet1.xml is not required to be the first sheet."""
    data = xlsx(rows(["in tab0.xml"]), rows(["in tab1.xml"]))
    links = relationships([("rIdS0", "worksheet", "sheets/tab1.xml"), ("rIdS1", "worksheet", "sheets/tab0.xml")])
    swapped = replaced(data, {"xl/_rels/workbook.xml.rels": links})
    assert [page.text for page in read_all(swapped)] == ["in tab1.xml", "in tab0.xml"]


def test_a_hidden_sheet_is_a_page_and_is_marked() -> None:
    with OpenDocument(
        xlsx(rows(["a"]), rows(["b"]), rows(["c"]), states=("", "hidden", "veryHidden")), XLSX
    ) as document:
        pages = OfficeObserver().observe(document).pages
        assert [(page.label, page.hidden) for page in pages] == [("Sheet1", False), ("Sheet2", True), ("Sheet3", True)]
        assert [page.text for page in OfficeReader().read(document, [1, 2, 3])] == ["a", "b", "c"]


def test_a_chart_sheet_is_a_page_that_fails_with_its_reason() -> None:
    """An empty string would claim that a blank sheet had been read."""
    data = xlsx(rows(["a"]), f"<chartsheet {SHEET_NAMESPACE}/>", rows(["c"]), kinds=("worksheet", "chartsheet"))
    pages = read_all(data)
    assert pages[1].status is PageStatus.FAILED
    assert pages[1].reason == "this sheet holds a chart rather than cells"
    assert pages[2].text == "c"


def test_a_listed_sheet_without_its_part_fails_alone() -> None:
    data = replaced(xlsx(rows(["a"]), rows(["b"])), {"xl/sheets/tab1.xml": None})
    pages = read_all(data)
    assert [page.status for page in pages] == [PageStatus.COMPLETED, PageStatus.FAILED]
    with OpenDocument(data, XLSX) as document:
        assert OfficeObserver().observe(document).findings[0].code == "page_missing"


def test_a_broken_sheet_fails_alone() -> None:
    pages = read_all(xlsx("<sheetData><row><c>", rows(["fine"])))
    assert pages[0].status is PageStatus.FAILED
    assert "not well-formed" in (pages[0].reason or "")
    assert pages[1].text == "fine"


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [("b", "1", "TRUE"), ("b", "0", "FALSE"), ("e", "#DIV/0!", "#DIV/0!"), ("str", "NA", "NA"), ("inlineStr", "NA", "NA"),
     ("", "1.5", "1.5"), ("", "not a number", "not a number"), ("d", "2024-04-01", "45383"), ("", "1e999", "1e999")],
)  # fmt: skip
def test_every_kind_of_cell_reads_as_excel_shows_it(kind: str, value: str, text: str) -> None:
    assert read(xlsx(sheet(cell("A1", value, kind)))).text == text


def test_numbers_show_through_their_formats() -> None:
    styles = formats("0.0%", "yyyy/m/d", '[$-411]ggge"年"m"月"d"日"', "#,##0円")
    cells = sheet(
        cell("A1", "0.125", style=1),
        cell("B1", "45383", style=2),
        cell("C1", "45383", style=3),
        cell("D1", "1200", style=4),
    )
    assert read(xlsx(cells, styles=styles)).text == "12.5%\t2024/4/1\t令和6年4月1日\t1,200円"


def test_dates_of_the_1904_system_are_shifted() -> None:
    data = xlsx(
        sheet(cell("A1", "43921", style=1)),
        styles=formats("yyyy-mm-dd"),
        workbook_properties='<workbookPr date1904="1"/>',
    )
    assert read(data).text == "2024-04-01"


def test_the_viewer_s_short_date_follows_the_workbook_s_language_and_the_setting() -> None:
    plain = '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>'
    japanese = '<fonts><font><name val="游ゴシック"/><charset val="128"/></font></fonts>' + plain
    cells = sheet(cell("A1", "45383", style=1))
    assert read(xlsx(cells, styles=plain)).text == "4/1/24"
    assert read(xlsx(cells, styles=japanese)).text == "2024/4/1"
    with overriding({"INDX_OFFICE_SHORT_DATE": "yyyy-mm-dd"}):
        assert read(xlsx(cells, styles=japanese)).text == "2024-04-01"


def test_rich_text_is_joined_and_phonetic_readings_are_left_out() -> None:
    """ふりがな mixed into a name makes 山田ヤマダ of 山田."""
    strings = "<si><r><t>山</t></r><r><rPr><b/></rPr><t>田</t></r><rPh sb='0' eb='2'><t>ヤマダ</t></rPh></si>"
    assert read(xlsx(sheet(cell("A1", "0", "s")), strings=strings)).text == "山田"


def test_escaped_control_characters_are_resolved() -> None:
    assert read(xlsx(sheet(cell("A1", "a_x000D_b _x0041_ _x005F_", "str")))).text == "ab A _"


def test_a_formula_reads_by_its_cached_value_and_says_when_there_is_none() -> None:
    page = read(
        xlsx(
            sheet(
                cell("A1", "3", formula="1+2"), cell("B1", "", formula="NOW()"), cell("C1", "x", "str", formula="T(1)")
            )
        )
    )
    assert page.text == "3\t\tx"
    assert page.findings[0][0] == "formula_not_calculated"
    assert "B1" in page.findings[0][1]


def test_a_merged_cell_stands_once_and_in_place() -> None:
    data = xlsx(
        sheet(cell("A1", "Title", "str"), cell("B1", "stale", "str"), cell("C1", "next", "str"),
              more='<mergeCells><mergeCell ref="A1:B2"/></mergeCells>')
    )  # fmt: skip
    page = read(data)
    assert page.text == "Title\t\tnext"
    first = page.tables[0].cells[0]
    assert (first.row_span, first.column_span) == (2, 2)
    assert "covered_cells" in dict(page.findings)


def test_a_merge_that_overlaps_another_is_not_applied() -> None:
    merges = '<mergeCells><mergeCell ref="A1:B1"/><mergeCell ref="B1:C1"/></mergeCells>'
    page = read(xlsx(sheet(cell("A1", "a", "str"), cell("C1", "c", "str"), more=merges)))
    assert page.text == "a\t\tc"
    assert "merge_overlap" in dict(page.findings)


def test_an_inflated_used_range_costs_nothing() -> None:
    """1,048,501 claimed rows made another reader work for 184 s."""
    blank = "".join(f'<row r="{number}" s="1" ht="15"/>' for number in range(2, 5000))
    content = f'<dimension ref="A1:XFD1048576"/><sheetData><row r="1">{cell("A1", "a", "str")}</row>{blank}</sheetData>'
    page = read(xlsx(content))
    assert page.text == "a"
    assert (page.tables[0].rows, page.tables[0].columns) == (1, 1)


def test_a_gap_of_blank_rows_is_one_blank_line_and_the_grid_keeps_addresses() -> None:
    content = f'<sheetData><row r="2">{cell("B2", "a", "str")}</row><row r="900000">{cell("A900000", "b", "str")}</row></sheetData>'
    page = read(xlsx(content))
    assert page.text == "\ta\n\nb"
    assert [(c.row, c.column) for c in page.tables[0].cells] == [(1, 1), (899999, 0)]


def test_a_cell_in_the_last_column_does_not_make_thousands_of_tabs() -> None:
    page = read(xlsx(sheet(cell("A1", "a", "str"), cell("XFD1", "z", "str"))))
    assert page.text == "a\t\tz"
    assert "blank_columns_closed" in dict(page.findings)
    assert page.tables[0].columns == 16384


def test_cells_without_or_with_impossible_addresses_stand_after_their_predecessor() -> None:
    cells = '<c t="str"><v>a</v></c><c t="str"><v>b</v></c><c r="ZZZZ1" t="str"><v>c</v></c>'
    page = read(xlsx(f"<sheetData><row>{cells}</row></sheetData>"))
    assert page.text == "a\tb\tc"
    assert "cell_reference_invalid" in dict(page.findings)


def test_rows_that_go_backwards_are_put_in_order() -> None:
    content = f'<sheetData><row r="5">{cell("A5", "five", "str")}</row><row r="2">{cell("A2", "two", "str")}</row></sheetData>'
    assert read(xlsx(content)).text == "two\n\nfive"


def test_a_shared_string_that_is_not_there_reads_blank_with_a_finding() -> None:
    page = read(xlsx(sheet(cell("A1", "7", "s")), strings="<si><t>x</t></si>"))
    assert (page.text, page.findings[0][0]) == ("", "shared_string_missing")


def test_hidden_rows_and_columns_are_read_and_marked() -> None:
    content = f'<cols><col min="2" max="3" hidden="1"/></cols><sheetData><row r="1" hidden="1">{cell("A1", "a", "str")}</row></sheetData>'
    page = read(xlsx(content))
    assert page.text == "a"
    assert dict(page.findings)["hidden_cells"].startswith("1 row(s) and 2 column(s)")


def test_text_boxes_charts_and_comments_stand_beside_the_cells() -> None:
    drawing = (
        f'<xdr:wsDr {NAMESPACES}><xdr:sp><xdr:txBody><a:p><a:r><a:t>Boxed</a:t></a:r></a:p></xdr:txBody></xdr:sp>'
        '<xdr:graphicFrame><a:graphic><a:graphicData><c:chart r:id="rId9"/></a:graphicData></a:graphic></xdr:graphicFrame></xdr:wsDr>'
    )  # fmt: skip
    chart = f"<c:chartSpace {NAMESPACES}><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:rich></c:tx></c:title></c:chartSpace>"
    comments = f'<comments {SHEET_NAMESPACE}><authors><author>Sato</author></authors><commentList><comment ref="A1" authorId="0"><text><t>check</t></text></comment></commentList></comments>'
    data = xlsx(
        rows(["a"]),
        parts={
            "xl/sheets/_rels/tab0.xml.rels": relationships(
                [("r1", "drawing", "../drawing.xml"), ("r2", "comments", "../comments.xml")]
            ),
            "xl/drawing.xml": drawing,
            "xl/_rels/drawing.xml.rels": relationships([("rId9", "chart", "chart.xml")]),
            "xl/chart.xml": chart,
            "xl/comments.xml": comments,
        },
    )
    assert read(data).text == "a\n[text box] Boxed\n[chart] Sales\n[comment on A1 by Sato] check"


def test_printed_headers_lose_their_codes_and_page_numbers() -> None:
    headers = '<headerFooter><oddHeader>&amp;L&amp;"Arial,Bold"&amp;12社外秘&amp;R&amp;A</oddHeader><oddFooter>&amp;CR&amp;&amp;D &amp;K01+000&amp;P</oddFooter></headerFooter>'
    assert read(xlsx(rows(["a"]) + headers)).text == "a\n[header] 社外秘\nSheet1\n[footer] R&D"


def test_a_strict_workbook_reads_like_any_other() -> None:
    strict = '<worksheet xmlns="http://purl.oclc.org/ooxml/spreadsheetml/main"><sheetData><row r="1"><c r="A1" t="d" s="1"><v>2024-04-01T00:00:00</v></c></row></sheetData></worksheet>'
    assert read(xlsx(strict, styles=formats("yyyy-mm-dd"))).text == "2024-04-01"


def test_a_sheet_of_too_many_cells_fails_and_names_the_setting() -> None:
    with overriding({"INDX_OFFICE_MAX_CELLS": "2"}):
        page = read(xlsx(rows(["a", "b", "c"])))
    assert page.status is PageStatus.FAILED
    assert "more than 2 cells" in (page.reason or "")


def test_a_document_type_in_the_strings_fails_every_page_that_needs_them() -> None:
    """The bomb in a POI fuzzer's find stands in sharedStrings.xml, not in a sheet."""
    data = xlsx(sheet(cell("A1", "0", "s")), strings="<si><t>x</t></si>")
    page = read(replaced(data, {"xl/sharedStrings.xml": "<!DOCTYPE sst><sst/>"}))
    assert page.status is PageStatus.FAILED
    assert "document type" in (page.reason or "")


def test_a_workbook_that_lists_no_sheet_is_unreadable() -> None:
    with OpenDocument(xlsx(), XLSX) as document, pytest.raises(SourceUnreadable, match="lists no sheet"):
        OfficeObserver().observe(document)
