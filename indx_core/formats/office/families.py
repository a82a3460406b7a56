"""Which page reader serves which family: Word sections, worksheets, slides. Holds no reader but that of slides."""

from collections.abc import Callable

from indx_core.contracts.page import PageOutput
from indx_core.formats.office.media_types import Family, family_of
from indx_core.formats.office.sheet.reader import read_sheet
from indx_core.formats.office.word.reader import read_section
from indx_core.kit.ooxml.package import open_package
from indx_core.kit.ooxml.presentation import open_deck
from indx_core.kit.ooxml.slide_text import slide_text
from indx_core.ports.document import OpenDocument

PageReader = Callable[[OpenDocument, int], PageOutput]


def page_reader(document: OpenDocument) -> PageReader:
    """The function that reads one page, by its 1-based number, of a document of this family."""
    return _READERS[family_of(open_package(document))]


def _read_slide(document: OpenDocument, number: int) -> PageOutput:
    if not 1 <= number <= len(open_deck(document).slides):
        raise IndexError(number)
    slide = slide_text(document, number)
    return PageOutput(
        number,
        text=slide.text,
        lines=slide.lines,
        tables=slide.tables,
        findings=slide.findings,
        links=slide.links,
    )


_READERS: dict[Family, PageReader] = {
    Family.WORD: read_section,
    Family.SHEET: read_sheet,
    Family.SLIDES: _read_slide,
}
