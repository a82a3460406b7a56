"""What stands beside a worksheet's cells: text boxes, charts, comments, headers and footers, as labelled blocks."""

import re
from collections.abc import Iterator

from indx_core.formats.office.sheet.strings import rich_text
from indx_core.formats.office.sheet.workbook import Workbook
from indx_core.kit.ooxml.archive import PartDamaged
from indx_core.kit.ooxml.drawingml import body_text, graphic_texts
from indx_core.kit.ooxml.markup import descend, whole
from indx_core.kit.ooxml.xml import Element

_HEADER_CODE = re.compile(r'&(?:"[^"]*"|K[0-9A-Fa-f]{6}|K[0-9]{2}[+-][0-9]{3}|[0-9]+|(?P<sign>[A-Za-z&]))', re.DOTALL)
_SECTION_CODES = frozenset("LCR")


def side_blocks(workbook: Workbook, part: str, findings: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """``(label, text)`` of a worksheet's drawings and comments; damaged parts are added to ``findings``."""
    blocks: list[tuple[str, str]] = []
    for read in (_drawings, _comments):
        try:
            blocks.extend(read(workbook, part))
        except PartDamaged as error:
            findings.append(("part_unreadable", error.message))
    return blocks


def header_blocks(headers: dict[str, str], sheet_name: str) -> list[tuple[str, str]]:
    """``(label, text)`` of printed headers and footers, each text once. Page numbers, dates and paths are no text."""
    blocks: list[tuple[str, str]] = []
    for label in ("header", "footer"):
        texts = [_header_text(code, sheet_name) for name, code in headers.items() if name.lower().endswith(label)]
        blocks.extend((label, text) for text in dict.fromkeys(texts) if text)
    return blocks


def _header_text(code: str, sheet_name: str) -> str:
    def written(match: re.Match[str]) -> str:
        sign = match["sign"] or ""
        if sign == "&":
            return "&"
        if sign.upper() == "A":
            return sheet_name
        return "\t" if sign.upper() in _SECTION_CODES else ""

    text = _HEADER_CODE.sub(written, code)
    return "\n".join(line.strip() for line in text.replace("\t", "\n").splitlines() if line.strip())


def _drawings(workbook: Workbook, part: str) -> Iterator[tuple[str, str]]:
    package = workbook.package
    for drawing in package.relationships(part).of_type("drawing"):
        if not package.has(drawing):
            continue
        for element in descend(package.xml(drawing)):
            if element.tag == "xdr:txBody":
                yield "text box", body_text(element)
            elif element.tag == "xdr:graphicFrame":
                for text in graphic_texts(package, drawing, element):
                    yield "chart", text


def _comments(workbook: Workbook, part: str) -> Iterator[tuple[str, str]]:
    """Threaded comments, then notes; the note Excel writes in place of a thread for older versions is left out."""
    relationships = workbook.package.relationships(part)
    threaded = set()
    for target in relationships.of_type("threadedComment"):
        for comment in workbook.package.xml(target) if workbook.package.has(target) else ():
            threaded.add(comment.get("ref", ""))
            author = workbook.persons.get(comment.get("personId", ""), "")
            yield _label(comment, author), comment.findtext("tc:text") or ""
    for target in relationships.of_type("comments"):
        if not workbook.package.has(target):
            continue
        root = workbook.package.xml(target)
        authors = [author.text or "" for author in root.iter("s:author")]
        for comment in root.iter("s:comment"):
            text = comment.find("s:text")
            if text is None or comment.get("ref", "") in threaded:
                continue
            index = whole(comment.get("authorId"), -1, low=-1, high=len(authors))
            yield _label(comment, authors[index] if 0 <= index < len(authors) else ""), rich_text(text)


def _label(comment: Element, author: str) -> str:
    by = f" by {author.strip()}" if author.strip() else ""
    return f"comment on {comment.get('ref', '')}{by}"
