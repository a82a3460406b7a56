"""Word documents read: each trap by name."""

import pytest
from office_builder import NAMESPACES, docx, paragraph, replaced, text_body, word_part

from indx_core.contracts.errors import SourceUnreadable
from indx_core.contracts.page import BoxReason, Cell, PageOutput
from indx_core.formats.office.media_types import DOCX
from indx_core.formats.office.observer import OfficeObserver
from indx_core.formats.office.reader import OfficeReader
from indx_core.ports.document import OpenDocument


def read_all(data: bytes) -> list[PageOutput]:
    with OpenDocument(data, DOCX) as document:
        numbers = [page.number for page in OfficeObserver().observe(document).pages]
        return list(OfficeReader().read(document, numbers))


def text(body: str) -> str:
    return read_all(docx(body))[0].text


def run(content: str, properties: str = "") -> str:
    return f"<w:r>{properties}{content}</w:r>"


def t(content: str) -> str:
    return f'<w:t xml:space="preserve">{content}</w:t>'


def section(content: str = "") -> str:
    return f"<w:p><w:pPr><w:sectPr>{content}</w:sectPr></w:pPr></w:p>"


def tc(content: str, properties: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{content}</w:tc>"


def table(*rows: str) -> str:
    return "<w:tbl>" + "".join(f"<w:tr>{row}</w:tr>" for row in rows) + "</w:tbl>"


def test_a_section_is_one_line_per_paragraph() -> None:
    page = read_all(docx(paragraph("一") + paragraph("二")))[0]
    assert page.text == "一\n二"
    assert [(line.start, line.end, line.reason) for line in page.lines] == [
        (0, 1, BoxReason.NO_GEOMETRY),
        (2, 3, BoxReason.NO_GEOMETRY),
    ]


def test_every_section_is_a_page() -> None:
    pages = read_all(docx(paragraph("one") + section() + paragraph("two") + section() + paragraph("three")))
    assert [page.text for page in pages] == ["one", "two", "three"]


def test_a_changed_section_is_not_counted_twice() -> None:
    """``w:sectPrChange`` holds the section's former properties as a ``w:sectPr``."""
    changed = section("<w:sectPrChange><w:sectPr/></w:sectPrChange>")
    assert len(read_all(docx(paragraph("one") + changed + paragraph("two")))) == 2


def test_text_after_the_last_section_mark_is_a_page_of_its_own() -> None:
    data = replaced(
        docx(""), {"word/document.xml": f"<w:document {NAMESPACES}><w:body>{section()}{paragraph('end')}</w:body></w:document>"}
    )  # fmt: skip
    assert [page.text for page in read_all(data)] == ["", "end"]


def test_tabs_breaks_and_hyphens_are_characters() -> None:
    assert (
        text(
            f"<w:p>{run(t('a') + '<w:tab/>' + t('b') + '<w:br/>' + t('c') + '<w:noBreakHyphen/>' + t('d') + '<w:softHyphen/>')}</w:p>"
        )
        == "a\tb\nc-d"
    )


def test_tracked_changes_read_as_accepted() -> None:
    body = (
        f"<w:p>{run(t('kept '))}<w:ins>{run(t('new'))}</w:ins><w:del>{run('<w:delText>old</w:delText>')}</w:del>"
        f"<w:moveFrom>{run(t('gone'))}</w:moveFrom><w:moveTo>{run(t(' moved'))}</w:moveTo></w:p>"
    )
    assert text(body) == "kept new moved"


def test_a_deleted_paragraph_mark_joins_two_paragraphs() -> None:
    assert text(paragraph("one ", "<w:pPr><w:rPr><w:del/></w:rPr></w:pPr>") + paragraph("line")) == "one line"


def test_a_deleted_row_is_not_read() -> None:
    rows = [tc(paragraph("a")), f"<w:trPr><w:del/></w:trPr>{tc(paragraph('gone'))}"]
    assert text(table(*rows)) == "a"


def field(instruction: str, result: str) -> str:
    return (
        run('<w:fldChar w:fldCharType="begin"/>') + run(f"<w:instrText>{instruction}</w:instrText>")
        + run('<w:fldChar w:fldCharType="separate"/>') + run(t(result)) + run('<w:fldChar w:fldCharType="end"/>')
    )  # fmt: skip


def test_a_field_reads_by_its_result() -> None:
    assert (
        text(f"<w:p>{field('PAGE', '3')}<w:fldSimple w:instr='DATE'>{run(t(' 4月1日'))}</w:fldSimple></w:p>")
        == "3 4月1日"
    )


def test_a_field_inside_another_s_instruction_shows_nothing() -> None:
    nested = (
        run('<w:fldChar w:fldCharType="begin"/>') + run("<w:instrText>IF </w:instrText>") + field("REF x", "hidden")
        + run('<w:fldChar w:fldCharType="separate"/>') + run(t("shown")) + run('<w:fldChar w:fldCharType="end"/>')
    )  # fmt: skip
    assert text(f"<w:p>{nested}</w:p>") == "shown"


def test_a_field_that_never_ends_does_not_swallow_the_document() -> None:
    begun = run('<w:fldChar w:fldCharType="begin"/>')
    assert text(f"<w:p>{begun}</w:p>{paragraph('still here')}") == "still here"


def test_form_fields_show_their_choice() -> None:
    drop = '<w:fldChar w:fldCharType="begin"><w:ffData><w:ddList><w:result w:val="1"/><w:listEntry w:val="red"/><w:listEntry w:val="blue"/></w:ddList></w:ffData></w:fldChar>'
    check = '<w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:checked/></w:checkBox></w:ffData></w:fldChar>'
    end = run('<w:fldChar w:fldCharType="end"/>')
    assert text(f"<w:p>{run(drop)}{end}{run(check)}{end}</w:p>") == "blue☒"


def test_content_controls_and_links_are_transparent() -> None:
    inline = f"<w:sdt><w:sdtContent>{run(t('in'))}</w:sdtContent></w:sdt><w:hyperlink>{run(t('link'))}</w:hyperlink>"
    assert (
        text(f"<w:sdt><w:sdtContent>{paragraph('block')}<w:p>{inline}</w:p></w:sdtContent></w:sdt>") == "block\ninlink"
    )


def test_the_reading_above_a_word_is_left_out() -> None:
    ruby = f"<w:ruby><w:rt>{run(t('かんじ'))}</w:rt><w:rubyBase>{run(t('漢字'))}</w:rubyBase></w:ruby>"
    assert text(f"<w:p>{run(ruby)}{run(t('です'))}</w:p>") == "漢字です"


def test_formulas_and_symbols_are_read() -> None:
    formula = (
        "<m:oMath><m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath>"
    )
    symbols = (
        run('<w:sym w:font="Wingdings" w:char="F0FE"/>')
        + run('<w:sym w:font="Symbol" w:char="F061"/>')
        + run('<w:sym w:font="Webdings" w:char="zz"/>')
    )
    assert text(f"<w:p>{formula}{symbols}</w:p>") == "x^2☑α"


def text_box(content: str) -> str:
    inner = f"<w:txbxContent>{paragraph(content)}</w:txbxContent>"
    return run(
        f"<mc:AlternateContent><mc:Choice Requires='wps'><w:drawing><wps:wsp><wps:txbx>{inner}</wps:txbx></wps:wsp></w:drawing>"
        f"</mc:Choice><mc:Fallback><w:pict><v:textbox>{inner}</v:textbox></w:pict></mc:Fallback></mc:AlternateContent>"
    )


def test_a_text_box_stands_once_after_the_paragraph_that_anchors_it() -> None:
    """Writers repeat it as a fallback for Word 2007; reading both doubles the text."""
    assert text(f"<w:p>{run(t('anchor'))}{text_box('boxed')}</w:p>{paragraph('next')}") == "anchor\nboxed\nnext"


def test_the_fallback_is_read_where_there_is_no_choice() -> None:
    box = f"<mc:AlternateContent><mc:Choice Requires='x'/><mc:Fallback><w:pict><v:textbox><w:txbxContent>{paragraph('old')}</w:txbxContent></v:textbox></w:pict></mc:Fallback></mc:AlternateContent>"
    assert text(f"<w:p>{run(box)}</w:p>") == "old"


def test_word_art_and_shapes_of_a_canvas_are_read() -> None:
    art = "<w:pict><v:shape><v:textpath string='SALE'/></v:shape></w:pict>"
    canvas = f"<w:drawing><a:sp><a:txSp>{text_body('in canvas', tag='a:txBody')}</a:txSp></a:sp></w:drawing>"
    assert text(f"<w:p>{run(art)}{run(canvas)}</w:p>") == "SALE\nin canvas"


def test_hidden_text_is_read_and_marked() -> None:
    hidden, shown = "<w:rPr><w:vanish/></w:rPr>", '<w:rPr><w:vanish w:val="0"/></w:rPr>'
    page = read_all(docx(f"<w:p>{run(t('secret'), hidden)}{run(t(' seen'), shown)}</w:p>"))[0]
    assert page.text == "secret seen"
    assert page.findings == (("hidden_text", "1 run(s) of text are hidden in the source; they are read"),)


def test_a_table_is_rows_of_text_and_a_grid() -> None:
    page = read_all(
        docx(table(tc(paragraph("a")) + tc(paragraph("b1") + paragraph("b2")), tc(paragraph("")) + tc(paragraph("d"))))
    )[0]
    assert page.text == "a\tb1 b2\n\td"
    assert page.tables[0].cells == (Cell(0, 0, "a"), Cell(0, 1, "b1\nb2"), Cell(1, 1, "d"))
    assert (page.tables[0].rows, page.tables[0].columns) == (2, 2)


def test_merged_cells_stand_once_with_their_spans() -> None:
    wide = tc(paragraph("wide"), '<w:gridSpan w:val="2"/>')
    tall, below = tc(paragraph("tall"), '<w:vMerge w:val="restart"/>'), tc(paragraph("not shown"), "<w:vMerge/>")
    page = read_all(docx(table(wide + tc(paragraph("c")), tall + tc(paragraph("x")), below + tc(paragraph("y")))))[0]
    assert page.text == "wide\t\tc\ntall\tx\n\ty"
    assert page.tables[0].cells[0].column_span == 2
    assert page.tables[0].cells[2] == Cell(1, 0, "tall", row_span=2)


def test_a_merge_that_continues_nothing_is_a_cell() -> None:
    assert text(table(tc(paragraph("lost?"), "<w:vMerge/>"))) == "lost?"


def test_header_rows_and_skipped_columns_are_kept() -> None:
    head = f"<w:trPr><w:tblHeader/></w:trPr>{tc(paragraph('h1'))}{tc(paragraph('h2'))}"
    shifted = f'<w:trPr><w:gridBefore w:val="1"/></w:trPr>{tc(paragraph("b"))}'
    grid = read_all(docx(table(head, shifted)))[0].tables[0]
    assert grid.header_rows == 1
    assert grid.cells[-1] == Cell(1, 1, "b")


def test_a_nested_table_is_text_of_its_cell_and_a_grid_of_its_own() -> None:
    inner = table(tc(paragraph("i1")) + tc(paragraph("i2")))
    page = read_all(docx(table(tc(paragraph("outer") + inner + paragraph("")) + tc(paragraph("z")))))[0]
    assert page.text == "outer i1 i2\tz"
    assert [len(grid.cells) for grid in page.tables] == [2, 2]


HEADERS = {
    "word/h1.xml": word_part("hdr", paragraph("Head")),
    "word/f1.xml": word_part("ftr", paragraph("Foot")),
    "word/h2.xml": word_part("hdr", paragraph("Other head")),
}
HEADER_LINKS = [("h1", "header", "h1.xml"), ("f1", "footer", "f1.xml"), ("h2", "header", "h2.xml")]


def test_headers_and_footers_stand_once_per_section_after_the_body() -> None:
    first = '<w:headerReference w:type="default" r:id="h1"/><w:footerReference w:type="default" r:id="f1"/>'
    body = (
        paragraph("one")
        + section(first)
        + paragraph("two")
        + '<w:sectPr><w:headerReference w:type="default" r:id="h2"/></w:sectPr>'
    )
    assert [page.text for page in read_all(docx(body, HEADER_LINKS, HEADERS))] == [
        "one\n[header] Head\n[footer] Foot",
        "two\n[header] Other head\n[footer] Foot",
    ]


def test_the_same_text_in_first_and_default_header_stands_once() -> None:
    references = '<w:headerReference w:type="first" r:id="h1"/><w:headerReference w:type="default" r:id="h1"/>'
    assert (
        read_all(docx(paragraph("x") + f"<w:sectPr>{references}</w:sectPr>", HEADER_LINKS, HEADERS))[0].text
        == "x\n[header] Head"
    )


NOTES = {
    "word/footnotes.xml": word_part(
        "footnotes",
        f'<w:footnote w:id="0" w:type="separator">{paragraph("---")}</w:footnote><w:footnote w:id="2">{paragraph("second")}</w:footnote>'
        f'<w:footnote w:id="5">{paragraph("first")}</w:footnote><w:footnote w:id="6">{paragraph("dropped")}</w:footnote>',
    ),
    "word/endnotes.xml": word_part("endnotes", f'<w:endnote w:id="1">{paragraph("end")}</w:endnote>'),
    "word/comments.xml": word_part("comments", f'<w:comment w:id="9" w:author="Sato">{paragraph("why?")}</w:comment>'),
}
NOTE_LINKS = [
    ("n1", "footnotes", "footnotes.xml"),
    ("n2", "endnotes", "endnotes.xml"),
    ("n3", "comments", "comments.xml"),
]


def test_notes_and_comments_follow_the_section_that_refers_to_them() -> None:
    def refer(kind: str, number: int) -> str:
        return run(f'<w:{kind}Reference w:id="{number}"/>')

    body = (
        f"<w:p>{run(t('a'))}{refer('footnote', 5)}{refer('comment', 9)}</w:p>{section()}"
        f"<w:p>{run(t('b'))}{refer('footnote', 2)}{refer('endnote', 1)}<w:del>{refer('footnote', 6)}</w:del></w:p>"
    )
    pages = read_all(docx(body, NOTE_LINKS, NOTES))
    assert pages[0].text == "a\n[footnote 1] first\n[comment by Sato] why?"
    assert pages[1].text == "b\n[footnote 2] second\n[endnote 1] end"


def test_a_note_nothing_refers_to_stands_on_the_last_page() -> None:
    pages = read_all(
        docx(
            paragraph("a") + section() + paragraph("b"),
            NOTE_LINKS[2:],
            {"word/comments.xml": NOTES["word/comments.xml"]},
        )
    )
    assert pages[1].text == "b\n[comment by Sato] why?"


def test_damaged_notes_cost_the_notes_and_not_the_document() -> None:
    page = read_all(docx(paragraph("a"), NOTE_LINKS[:1], {"word/footnotes.xml": "<w:broken"}))[0]
    assert page.text == "a"
    assert page.findings[0][0] == "part_unreadable"


def test_the_words_of_charts_and_smart_art_follow_their_paragraph() -> None:
    drawing = '<w:drawing><a:graphic><a:graphicData><c:chart r:id="c1"/></a:graphicData></a:graphic></w:drawing><w:drawing><dgm:relIds r:dm="d1"/></w:drawing>'
    parts = {
        "word/chart.xml": f"<c:chartSpace {NAMESPACES}><c:ser><c:tx><c:strRef><c:strCache><c:pt><c:v>Series</c:v></c:pt></c:strCache></c:strRef></c:tx>"
        "<c:cat><c:strRef><c:strCache><c:pt><c:v>East</c:v></c:pt></c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache><c:pt><c:v>5</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser></c:chartSpace>",
        "word/data.xml": f"<dgm:dataModel {NAMESPACES}><dgm:ptLst><dgm:pt>{text_body('Step 1', tag='dgm:t')}</dgm:pt></dgm:ptLst></dgm:dataModel>",
    }  # fmt: skip
    links = [("c1", "chart", "chart.xml"), ("d1", "diagramData", "data.xml")]
    assert (
        read_all(docx(f"<w:p>{run(t('see'))}{run(drawing)}</w:p>", links, parts))[0].text == "see\nSeries\nEast\nStep 1"
    )


def test_what_is_not_read_is_said() -> None:
    body = f"<w:p>{run('<w:object><o:OLEObject/></w:object>')}</w:p><w:altChunk/>"
    assert [code for code, _ in read_all(docx(body))[0].findings] == ["embedded_object", "imported_document"]


def test_elements_nested_beyond_reason_are_refused_and_do_not_crash() -> None:
    deep = "<w:sdt><w:sdtContent>" * 20_000 + "</w:sdtContent></w:sdt>" * 20_000
    with OpenDocument(docx(deep), DOCX) as document, pytest.raises(SourceUnreadable, match="nests elements deeper"):
        OfficeObserver().observe(document)


def test_a_document_without_a_body_is_one_blank_page_with_a_finding() -> None:
    data = replaced(docx(""), {"word/document.xml": f"<w:document {NAMESPACES}/>"})
    page = read_all(data)[0]
    assert (page.text, page.findings[0][0]) == ("", "no_body")
