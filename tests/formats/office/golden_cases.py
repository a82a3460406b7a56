"""The inputs of the golden cases, built. ``python tests/formats/office/golden_cases.py`` (with ``tests`` on the path)
writes them below ``tests/golden``; a test compares the committed files with what this builds.
"""

from collections.abc import Callable
from pathlib import Path

from office_builder import (
    NAMESPACES,
    SHEET_NAMESPACE,
    cell,
    docx,
    formats,
    frame,
    group,
    paragraph,
    pptx,
    relationships,
    rows,
    shape,
    shape_tree,
    text_body,
    word_part,
    xlsx,
)

GOLDEN = Path(__file__).resolve().parents[2] / "golden"


def _run(content: str) -> str:
    return f'<w:r><w:t xml:space="preserve">{content}</w:t></w:r>'


def _cell(content: str, properties: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{content}</w:tc>"


def contract_with_revisions() -> bytes:
    """Two sections, headers, notes, a comment, revisions, a field, ruby, a text box and a merged table."""
    box = f"<w:txbxContent>{paragraph('重要')}</w:txbxContent>"
    anchored = (
        f"<w:r><mc:AlternateContent><mc:Choice Requires='wps'><w:drawing><wps:txbx>{box}</wps:txbx></w:drawing></mc:Choice>"
        f"<mc:Fallback><w:pict><v:textbox>{box}</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    )
    ruby = f"<w:r><w:ruby><w:rt>{_run('こうおつ')}</w:rt><w:rubyBase>{_run('甲乙')}</w:rubyBase></w:ruby></w:r>"
    terms = (
        f"<w:p>{ruby}{_run('は、代金')}<w:del><w:r><w:delText>100万円</w:delText></w:r></w:del><w:ins>{_run('120万円')}</w:ins>{_run('を')}"
        '<w:r><w:footnoteReference w:id="1"/></w:r>'
        + _run("支払う。")
        + '<w:r><w:commentReference w:id="0"/></w:r></w:p>'
    )
    table = (
        "<w:tbl><w:tr><w:trPr><w:tblHeader/></w:trPr>"
        + _cell(paragraph("項目"), '<w:vMerge w:val="restart"/>') + _cell(paragraph("金額"), '<w:gridSpan w:val="2"/>')
        + "</w:tr><w:tr>" + _cell(paragraph(""), "<w:vMerge/>") + _cell(paragraph("税抜")) + _cell(paragraph("税込"))
        + "</w:tr></w:tbl>"
    )  # fmt: skip
    first = '<w:p><w:pPr><w:sectPr><w:headerReference w:type="default" r:id="h"/></w:sectPr></w:pPr></w:p>'
    number = (
        '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>REF 別紙</w:instrText></w:r>'
        f'<w:r><w:fldChar w:fldCharType="separate"/></w:r>{_run("別紙1")}<w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>'
    )
    body = f"<w:p>{_run('契約書')}{anchored}</w:p>{terms}{table}{first}{number}"
    links = [("h", "header", "h.xml"), ("n", "footnotes", "notes.xml"), ("c", "comments", "comments.xml")]
    return docx(
        body,
        links,
        {
            "word/h.xml": word_part("hdr", paragraph("社外秘")),
            "word/notes.xml": word_part("footnotes", f'<w:footnote w:id="1">{paragraph("消費税を含む。")}</w:footnote>'),
            "word/comments.xml": word_part("comments", f'<w:comment w:id="0" w:author="佐藤">{paragraph("期日は？")}</w:comment>'),
        },
    )  # fmt: skip


def ledger_with_formats() -> bytes:
    """A sheet of formats, merges and a formula never calculated; a chart sheet; a hidden sheet."""
    strings = "<si><r><t>東</t></r><r><t>京</t></r><rPh sb='0' eb='2'><t>トウキョウ</t></rPh></si>"
    codes = (
        '[$-411]ggge"年"m"月"d"日"',
        "0.0%",
        '_("¥"* #,##0_);_("¥"* \\(#,##0\\);_("¥"* "-"_);_(@_)',
        "[h]:mm",
        "# ?/?",
    )
    ledger = (
        "<sheetData>"
        f'<row r="1">{cell("A1", "台帳", "str")}</row>'
        f'<row r="3">{cell("A3", "0", "s")}{cell("B3", "45383", style=1)}{cell("C3", "0.125", style=2)}{cell("D3", "-1200", style=3)}</row>'
        f'<row r="4">{cell("A4", "NA", "str")}{cell("B4", "1.5", style=4)}{cell("C4", "2.25", style=5)}{cell("D4", "", formula="SUM(D3)")}</row>'
        f'<row r="5" hidden="1">{cell("A5", "#N/A", "e")}{cell("B5", "1", "b")}</row>'
        '</sheetData><mergeCells><mergeCell ref="A1:D2"/></mergeCells>'
    )
    return xlsx(
        ledger,
        f"<chartsheet {SHEET_NAMESPACE}/>",
        rows(["控え"]),
        names=("台帳", "グラフ", "控え"),
        states=("", "", "hidden"),
        kinds=("worksheet", "chartsheet", "worksheet"),
        styles=formats(*codes),
        strings=strings,
    )


def deck_with_groups() -> bytes:
    """A title placed by its layout, a group, a hidden shape, a table, notes; then a hidden slide."""
    child_space = '<a:chOff x="0" y="0"/><a:chExt cx="100" cy="100"/>'
    table = (
        f'<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="6" name="工程"/></p:nvGraphicFramePr>{frame(0, 600, 1000, 300, tag="p:xfrm")}'
        "<a:graphic><a:graphicData><a:tbl><a:tr>"
        f'<a:tc gridSpan="2">{text_body("工程", tag="a:txBody")}</a:tc><a:tc hMerge="1"/></a:tr>'
        f"<a:tr><a:tc>{text_body('切断', tag='a:txBody')}</a:tc><a:tc>{text_body('研磨', tag='a:txBody')}</a:tc></a:tr>"
        "</a:tbl></a:graphicData></a:graphic></p:graphicFrame>"
    )
    first = (
        shape(2, "計画", placeholder='<p:ph type="title"/>')
        + group(3, frame(100, 300, 200, 200, more=child_space), shape(4, "組", frame(50, 50, 50, 50)))
        + shape(5, "非表示メモ", frame(0, 0, 10, 10), attributes='hidden="1"')
        + table
    )
    return pptx(
        first,
        shape(2, "予備", frame(0, 0, 500, 500, 'rot="2700000"')),
        slide_attributes=("", 'show="0"'),
        slide_links={0: [("l", "slideLayout", "../layout.xml"), ("n", "notesSlide", "../notes.xml")]},
        parts={
            "ppt/layout.xml": shape_tree("sldLayout", shape(9, "ひな形", frame(50, 20, 900, 160), placeholder='<p:ph type="title"/>')),
            "ppt/_rels/layout.xml.rels": relationships([]),
            "ppt/notes.xml": f"<p:notes {NAMESPACES}><p:cSld><p:spTree>{shape(2, '口頭で説明')}</p:spTree></p:cSld></p:notes>",
        },
    )  # fmt: skip


CASES: dict[str, Callable[[], bytes]] = {
    "docx/contract_with_revisions": contract_with_revisions,
    "xlsx/ledger_with_formats": ledger_with_formats,
    "pptx/deck_with_groups": deck_with_groups,
}


def input_path(case: str) -> Path:
    """Where a case's input is committed."""
    return GOLDEN / case / f"input.{case.partition('/')[0]}"


if __name__ == "__main__":
    for name, build in CASES.items():
        input_path(name).parent.mkdir(parents=True, exist_ok=True)
        input_path(name).write_bytes(build())
