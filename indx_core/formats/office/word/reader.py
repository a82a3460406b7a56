"""A Word section as a page: a line per paragraph and per table row, then what stands beside the body."""

from indx_core.contracts.page import PageOutput
from indx_core.formats.office.word.document import open_sections
from indx_core.kit.ooxml.page_text import PageText
from indx_core.ports.document import OpenDocument


def read_section(document: OpenDocument, number: int) -> PageOutput:
    """Read a section.

    Raises:
        IndexError: There is no such section.
        SourceUnreadable: It is no readable Word document.
    """
    sections = open_sections(document)
    if not 1 <= number <= len(sections):
        raise IndexError(number)
    section = sections[number - 1]
    page = PageText()
    page.add_lines("\n".join(section.lines))
    for label, text in section.blocks:
        page.add_block(label, text)
    return PageOutput(
        number,
        text=page.text,
        lines=page.lines,
        tables=tuple(table for table in section.tables if table.cells),
        findings=tuple(section.findings),
        links=tuple(section.links),
    )
