"""Hyperlinks of Word, Excel and PowerPoint: those that leave the document are kept, those inside it are not."""

import pytest
from office_builder import (
    NAMESPACES,
    OFFICE,
    cell,
    docx,
    frame,
    group,
    paragraph,
    pptx,
    relationships,
    rows,
    shape,
    shape_tree,
    word_part,
    xlsx,
)

from indx_core.contracts.page import Box, Link
from indx_core.formats.office.media_types import DOCX, PPTX, XLSX
from indx_core.formats.office.observer import OfficeObserver
from indx_core.formats.office.reader import OfficeReader
from indx_core.kit.ooxml.links import field_address, formula_address
from indx_core.ports.document import OpenDocument

RULE = ("rLink", "hyperlink", "../legal/gdpr.docx")
CLICK = '<a:hlinkClick r:id="rLink"/>'


def links(data: bytes, media_type: str) -> list[list[Link]]:
    """The links of every page."""
    with OpenDocument(data, media_type) as document:
        numbers = [page.number for page in OfficeObserver().observe(document).pages]
        return [list(output.links) for output in OfficeReader().read(document, numbers)]


def word_link(text: str, anchor: str = 'r:id="rLink"') -> str:
    return f"<w:hyperlink {anchor}><w:r><w:t>{text}</w:t></w:r></w:hyperlink>"


def field(instruction: str, result: str) -> str:
    marks = [f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>' for kind in ("begin", "separate", "end")]
    written = f"<w:r><w:instrText>{instruction}</w:instrText></w:r>", f"<w:r><w:t>{result}</w:t></w:r>"
    return marks[0] + written[0] + marks[1] + written[1] + marks[2]


def clicked_run(text: str) -> str:
    return f"<a:p><a:r><a:rPr>{CLICK}</a:rPr><a:t>{text}</a:t></a:r></a:p>"


@pytest.mark.parametrize(
    "body",
    [
        word_link("the rule"),
        field(' HYPERLINK "../legal/gdpr.docx" ', "the rule"),
        '<w:fldSimple w:instr=" HYPERLINK &quot;../legal/gdpr.docx&quot; "><w:r><w:t>the rule</w:t></w:r></w:fldSimple>',
    ],
    ids=["link", "complex field", "simple field"],
)
def test_word_writes_a_link_in_three_ways(body: str) -> None:
    assert links(docx(f"<w:p>{body}</w:p>", [RULE]), DOCX) == [[Link("../legal/gdpr.docx", "the rule")]]


@pytest.mark.parametrize(
    "body",
    [word_link("above", 'w:anchor="top"'), word_link("nowhere", 'r:id="rOther"'), field(' REF "x" ', "a")],
    ids=["bookmark", "unknown id", "another field"],
)
def test_what_does_not_leave_a_word_document_is_no_link(body: str) -> None:
    assert links(docx(f"<w:p>{body}</w:p>", [RULE]), DOCX) == [[]]


def test_a_picture_in_word_may_be_a_link() -> None:
    drawing = f'<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1">{CLICK}</wp:docPr></wp:inline></w:drawing></w:r></w:p>'
    assert links(docx(drawing, [RULE]), DOCX) == [[Link("../legal/gdpr.docx")]]


def test_links_stand_with_their_section_and_those_of_a_note_where_it_is_referred_to() -> None:
    note = '<w:footnote w:id="1"><w:p>' + word_link("a note") + "</w:p></w:footnote>"
    mark = '<w:p><w:r><w:footnoteReference w:id="1"/></w:r></w:p>'
    body = f"<w:p>{word_link('first')}</w:p>{paragraph('', '<w:pPr><w:sectPr/></w:pPr>')}{mark}"
    parts = {
        "word/footnotes.xml": word_part("footnotes", note),
        "word/_rels/footnotes.xml.rels": relationships([("rLink", "hyperlink", "note.docx")]),
    }
    data = docx(body, [RULE, ("rNotes", "footnotes", "footnotes.xml")], parts)
    assert links(data, DOCX) == [[Link("../legal/gdpr.docx", "first")], [Link("note.docx", "a note")]]


def test_a_worksheet_has_links_of_cells_and_of_formulas() -> None:
    sheet = (
        f'<sheetData><row r="1">{cell("A1", "the rule", "inlineStr")}'
        f"{cell('B1', 'the table', 'str', formula='HYPERLINK(&quot;../tables/保存期間.xlsx&quot;,&quot;the table&quot;)')}"
        f"{cell('C1', 'x', 'str', formula='UPPER(A1)')}</row></sheetData>"
        f'<hyperlinks xmlns:r="{OFFICE}"><hyperlink ref="A1:A2" r:id="rLink"/>'
        '<hyperlink ref="D1" r:id="rLink" display="shown"/><hyperlink ref="C1" location="Sheet1!A1"/></hyperlinks>'
    )
    data = xlsx(sheet, parts={"xl/sheets/_rels/tab0.xml.rels": relationships([RULE])})
    assert links(data, XLSX) == [
        [
            Link("../legal/gdpr.docx", "the rule"),
            Link("../legal/gdpr.docx", "shown"),
            Link("../tables/保存期間.xlsx", "the table"),
        ]
    ]


def test_a_shape_drawn_over_a_worksheet_may_be_a_link() -> None:
    drawing = (
        f'<xdr:wsDr {NAMESPACES}><xdr:sp><xdr:nvSpPr><xdr:cNvPr id="1" name="b">{CLICK}</xdr:cNvPr></xdr:nvSpPr>'
        "</xdr:sp></xdr:wsDr>"
    )
    parts = {
        "xl/sheets/_rels/tab0.xml.rels": relationships([("rD", "drawing", "../drawings/d.xml")]),
        "xl/drawings/d.xml": drawing,
        "xl/drawings/_rels/d.xml.rels": relationships([RULE]),
    }
    assert links(xlsx(rows(["a"]), parts=parts), XLSX) == [[Link("../legal/gdpr.docx")]]


def test_a_slide_has_links_at_their_shapes_each_once() -> None:
    """A group holds its shapes: what they link to is theirs and not once more the group's."""
    text = shape(2, "x", frame(0, 0, 500, 100)).replace("<a:p><a:r><a:t>x</a:t></a:r></a:p>", clicked_run("the rule"))
    button = shape(3, "", frame(0, 500, 500, 500)).replace(' name="Shape 3" />', f' name="Shape 3">{CLICK}</p:cNvPr>')
    data = pptx(
        group(1, frame(0, 0, 1000, 1000, more='<a:chOff x="0" y="0"/><a:chExt cx="1000" cy="1000"/>'), text + button),
        slide_links={0: [RULE]},
    )
    assert links(data, PPTX) == [
        [
            Link("../legal/gdpr.docx", "the rule", Box(0, 0, 0.5, 0.1)),
            Link("../legal/gdpr.docx", "", Box(0, 0.5, 0.5, 1)),
        ]
    ]


def test_the_notes_of_a_slide_have_links_too() -> None:
    notes = (
        f'<p:sp><p:nvSpPr><p:cNvPr id="1" name="n"/></p:nvSpPr><p:txBody>{clicked_run("the rule")}</p:txBody></p:sp>'
    )
    parts = {
        "ppt/notesSlides/n.xml": shape_tree("notes", notes),
        "ppt/notesSlides/_rels/n.xml.rels": relationships([RULE]),
    }
    data = pptx(shape(2, "Title"), slide_links={0: [("rN", "notesSlide", "../notesSlides/n.xml")]}, parts=parts)
    assert links(data, PPTX) == [[Link("../legal/gdpr.docx", "the rule")]]


@pytest.mark.parametrize(
    ("instruction", "address"),
    [
        (r' HYPERLINK "C:\\docs\\rule.docx" \o "tip" ', r"C:\docs\rule.docx"),
        (" hyperlink https://example.com/ ", "https://example.com/"),
        (r' HYPERLINK \l "bookmark" ', ""),
        (" PAGEREF _Toc1 ", ""),
    ],
)
def test_the_instruction_of_a_field_says_where_it_leads(instruction: str, address: str) -> None:
    assert field_address(instruction) == address


@pytest.mark.parametrize(
    ("formula", "address"),
    [
        ('HYPERLINK("a.xlsx","A")', "a.xlsx"),
        ('hyperlink( "say ""a"".xlsx" )', 'say "a".xlsx'),
        ("HYPERLINK(A1)", ""),
        ('HYPERLINK("a"&B1)', ""),
        ('IF(A1,HYPERLINK("a.xlsx"),"")', ""),
    ],
)
def test_a_formula_says_where_it_leads_only_where_that_is_written(formula: str, address: str) -> None:
    assert formula_address(formula) == address
