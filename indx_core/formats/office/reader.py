"""office-extraction: Office pages as text and tables, out of the file's own XML. CPU only, no model, no extra."""

from collections.abc import Callable, Iterator, Sequence

from indx_core.contracts.capability import CapabilityDescriptor, CapabilityKind
from indx_core.contracts.errors import SourceUnreadable
from indx_core.contracts.page import PageOutput, PageStatus
from indx_core.formats.office.media_types import MEDIA_TYPES, Family, family_of
from indx_core.formats.office.pages import typed_refusals
from indx_core.formats.office.sheet.reader import read_sheet
from indx_core.formats.office.word.reader import read_section
from indx_core.kit.ooxml.package import open_package
from indx_core.kit.ooxml.presentation import open_deck
from indx_core.kit.ooxml.slide_text import slide_text
from indx_core.ports.document import OpenDocument

CAPABILITY_ID = "office-extraction"


class OfficeReader:
    """Reads sheets, slides and sections."""

    @property
    def descriptor(self) -> CapabilityDescriptor:
        return CapabilityDescriptor(
            id=CAPABILITY_ID,
            kind=CapabilityKind.NATIVE,
            media_types=MEDIA_TYPES,
            distribution="indx-capability-office-extraction",
        )

    def read(self, document: OpenDocument, pages: Sequence[int]) -> Iterator[PageOutput]:
        with typed_refusals():
            read_page = _READERS[family_of(open_package(document))]
        for number in pages:
            try:
                with typed_refusals():
                    yield read_page(document, number)
            except IndexError:
                yield PageOutput(number, PageStatus.FAILED, reason="the document has no such page")
            except SourceUnreadable as error:
                if error.details.get("limit"):
                    raise
                yield PageOutput(number, PageStatus.FAILED, reason=error.message)


def _read_slide(document: OpenDocument, number: int) -> PageOutput:
    if not 1 <= number <= len(open_deck(document).slides):
        raise IndexError(number)
    slide = slide_text(document, number)
    return PageOutput(number, text=slide.text, lines=slide.lines, tables=slide.tables, findings=slide.findings)


_READERS: dict[Family, Callable[[OpenDocument, int], PageOutput]] = {
    Family.WORD: read_section,
    Family.SHEET: read_sheet,
    Family.SLIDES: _read_slide,
}
