"""Builds small Office packages out of the XML a test is about. Nothing here is indx's own code: inputs stay independent.

Members are stored uncompressed with a fixed date, so the bytes are the same on every machine.
"""

import io
import zipfile
from collections.abc import Mapping, Sequence

OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
NAMESPACES = " ".join(
    f'xmlns:{prefix}="{uri}"'
    for prefix, uri in {
        "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
        "p": "http://schemas.openxmlformats.org/presentationml/2006/main",
        "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
        "c": "http://schemas.openxmlformats.org/drawingml/2006/chart",
        "dgm": "http://schemas.openxmlformats.org/drawingml/2006/diagram",
        "r": OFFICE,
        "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
        "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
        "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
        "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
        "xdr": "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing",
        "v": "urn:schemas-microsoft-com:vml",
        "o": "urn:schemas-microsoft-com:office:office",
    }.items()
)
SHEET_NAMESPACE = f'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="{OFFICE}"'
MAIN_TYPES = {
    "docx": ("word/document.xml", "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"),
    "xlsx": ("xl/workbook.xml", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"),
    "pptx": (
        "ppt/presentation.xml",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml",
    ),
}

Relationship = tuple[str, str, str]
"""Id, last segment of the type, target."""


def archive(members: Mapping[str, str | bytes], compression: int = zipfile.ZIP_STORED) -> bytes:
    """A zip archive of the members, in order."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as package:
        for name, content in members.items():
            info = zipfile.ZipInfo(name, date_time=(2024, 4, 1, 0, 0, 0))
            info.compress_type = compression
            package.writestr(info, content)
    return target.getvalue()


def replaced(data: bytes, members: Mapping[str, str | bytes | None]) -> bytes:
    """A package with some members replaced, or left out where the content is ``None``."""
    with zipfile.ZipFile(io.BytesIO(data)) as source:
        kept = {name: source.read(name) for name in source.namelist() if name not in members}
    return archive(kept | {name: content for name, content in members.items() if content is not None})


def relationships(items: Sequence[Relationship]) -> str:
    """A relationships part. A hyperlink is external, and so is a target with ``://``."""
    written = "".join(
        f'<Relationship Id="{name}" Type="{OFFICE}/{kind}" Target="{target}"'
        + (' TargetMode="External"/>' if "://" in target or kind == "hyperlink" else "/>")
        for name, kind, target in items
    )
    return (
        f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{written}</Relationships>'
    )


def package(
    kind: str,
    main: str,
    links: Sequence[Relationship] = (),
    parts: Mapping[str, str | bytes] | None = None,
    content_type: str | None = None,
) -> bytes:
    """An Office package around a main part."""
    name, usual = MAIN_TYPES[kind]
    folder, _, base = name.partition("/")
    types = (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/{name}" ContentType="{content_type or usual}"/></Types>'
    )
    return archive(
        {
            "[Content_Types].xml": types,
            "_rels/.rels": relationships([("rId1", "officeDocument", name)]),
            name: main,
            f"{folder}/_rels/{base}.rels": relationships(links),
            **(parts or {}),
        }
    )


def docx(
    body: str, links: Sequence[Relationship] = (), parts: Mapping[str, str | bytes] | None = None, **options: str
) -> bytes:
    """A Word document; a section is added where the body ends with none."""
    end = "" if body.rstrip().endswith(("</w:sectPr>", "<w:sectPr/>")) else "<w:sectPr/>"
    main = f"<w:document {NAMESPACES}><w:body>{body}{end}</w:body></w:document>"
    return package("docx", main, links, parts, **options)


def word_part(root: str, content: str) -> str:
    """A header, footnotes or comments part."""
    return f"<w:{root} {NAMESPACES}>{content}</w:{root}>"


def paragraph(text: str, properties: str = "") -> str:
    """A Word paragraph of one run."""
    return f'<w:p>{properties}<w:r><w:t xml:space="preserve">{text}</w:t></w:r></w:p>'


def xlsx(
    *sheets: str,
    names: Sequence[str] = (),
    states: Sequence[str] = (),
    kinds: Sequence[str] = (),
    styles: str = "",
    strings: str = "",
    workbook_properties: str = "",
    links: Sequence[Relationship] = (),
    parts: Mapping[str, str | bytes] | None = None,
) -> bytes:
    """A workbook; every sheet is given as what stands inside ``worksheet`` (or as a whole part, if it starts one)."""

    def given(values: Sequence[str], index: int, default: str) -> str:
        return values[index] if index < len(values) else default

    listed, linked, members = [], list(links), dict(parts or {})
    for index, content in enumerate(sheets):
        kind = given(kinds, index, "worksheet")
        state = given(states, index, "")
        listed.append(
            f'<sheet name="{given(names, index, f"Sheet{index + 1}")}" sheetId="{index + 1}" r:id="rIdS{index}"'
            + (f' state="{state}"/>' if state else "/>")
        )
        linked.append((f"rIdS{index}", kind, f"sheets/tab{index}.xml"))
        whole = content.startswith(("<worksheet", "<?xml", "<chartsheet"))
        members[f"xl/sheets/tab{index}.xml"] = (
            content if whole else f"<worksheet {SHEET_NAMESPACE}>{content}</worksheet>"
        )
    if styles:
        linked.append(("rIdStyles", "styles", "styles.xml"))
        members["xl/styles.xml"] = f"<styleSheet {SHEET_NAMESPACE}>{styles}</styleSheet>"
    if strings:
        linked.append(("rIdStrings", "sharedStrings", "sharedStrings.xml"))
        members["xl/sharedStrings.xml"] = f"<sst {SHEET_NAMESPACE}>{strings}</sst>"
    main = f"<workbook {SHEET_NAMESPACE}>{workbook_properties}<sheets>{''.join(listed)}</sheets></workbook>"
    return package("xlsx", main, linked, members)


def cell(address: str, value: str, kind: str = "", style: int = 0, formula: str = "") -> str:
    """A cell; kind ``inlineStr`` puts the value where its text stands."""
    attributes = f' t="{kind}"' if kind else ""
    calculated = f"<f>{formula}</f>" if formula else ""
    stored = f"<is><t>{value}</t></is>" if kind == "inlineStr" else f"<v>{value}</v>" if value else ""
    return f'<c r="{address}" s="{style}"{attributes}>{calculated}{stored}</c>'


def rows(*lines: Sequence[str]) -> str:
    """``sheetData`` of text rows from A1; an empty string leaves its cell out."""
    written = []
    for number, line in enumerate(lines, start=1):
        cells = "".join(
            cell(f"{chr(65 + index)}{number}", text, "inlineStr") for index, text in enumerate(line) if text
        )
        written.append(f'<row r="{number}">{cells}</row>')
    return f"<sheetData>{''.join(written)}</sheetData>"


def formats(*codes: str) -> str:
    """Style sheet whose style ``n`` (from 1) has the ``n``-th code."""
    own = "".join(
        f'<numFmt numFmtId="{200 + index}" formatCode="{_escaped(code)}"/>' for index, code in enumerate(codes)
    )
    styles = "".join(f'<xf numFmtId="{200 + index}"/>' for index in range(len(codes)))
    return f'<numFmts>{own}</numFmts><cellXfs><xf numFmtId="0"/>{styles}</cellXfs>'


def pptx(
    *slides: str,
    slide_attributes: Sequence[str] = (),
    slide_links: Mapping[int, Sequence[Relationship]] | None = None,
    links: Sequence[Relationship] = (),
    parts: Mapping[str, str | bytes] | None = None,
    size: tuple[int, int] = (1000, 1000),
) -> bytes:
    """A presentation of 1000 x 1000 units; every slide is given as the content of its shape tree."""
    listed, linked, members = [], list(links), dict(parts or {})
    for index, content in enumerate(slides):
        listed.append(f'<p:sldId id="{256 + index}" r:id="rIdS{index}"/>')
        linked.append((f"rIdS{index}", "slide", f"slides/page{index}.xml"))
        attributes = slide_attributes[index] if index < len(slide_attributes) else ""
        members[f"ppt/slides/page{index}.xml"] = shape_tree("sld", content, attributes)
        if slide_links and index in slide_links:
            members[f"ppt/slides/_rels/page{index}.xml.rels"] = relationships(slide_links[index])
    main = (
        f"<p:presentation {NAMESPACES}><p:sldIdLst>{''.join(listed)}</p:sldIdLst>"
        f'<p:sldSz cx="{size[0]}" cy="{size[1]}"/></p:presentation>'
    )
    return package("pptx", main, linked, members)


def shape_tree(root: str, content: str, attributes: str = "") -> str:
    """A slide, layout, master or notes part."""
    return f"<p:{root} {NAMESPACES} {attributes}><p:cSld><p:spTree>{content}</p:spTree></p:cSld></p:{root}>"


def frame(x: int, y: int, width: int, height: int, attributes: str = "", tag: str = "a:xfrm", more: str = "") -> str:
    """An ``xfrm``."""
    return f'<{tag} {attributes}><a:off x="{x}" y="{y}"/><a:ext cx="{width}" cy="{height}"/>{more}</{tag}>'


def text_body(*paragraphs: str, tag: str = "p:txBody") -> str:
    """A text body, a paragraph per text."""
    return f"<{tag}>" + "".join(f"<a:p><a:r><a:t>{text}</a:t></a:r></a:p>" for text in paragraphs) + f"</{tag}>"


def shape(number: int, text: str = "", xfrm: str = "", attributes: str = "", placeholder: str = "") -> str:
    """A ``p:sp``."""
    body = text_body(*text.split("\n")) if text else ""
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="Shape {number}" {attributes}/><p:cNvSpPr/>'
        f"<p:nvPr>{placeholder}</p:nvPr></p:nvSpPr><p:spPr>{xfrm}</p:spPr>{body}</p:sp>"
    )


def group(number: int, xfrm: str, content: str, attributes: str = "") -> str:
    """A ``p:grpSp``."""
    return (
        f'<p:grpSp><p:nvGrpSpPr><p:cNvPr id="{number}" name="Group {number}" {attributes}/><p:cNvGrpSpPr/><p:nvPr/>'
        f"</p:nvGrpSpPr><p:grpSpPr>{xfrm}</p:grpSpPr>{content}</p:grpSp>"
    )


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
