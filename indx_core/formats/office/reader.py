"""office-extraction: Office pages as text and tables, out of the file's own XML. CPU only, no model, no extra."""

from collections.abc import Iterator, Sequence

from indx_core.contracts.capability import CapabilityDescriptor, CapabilityKind
from indx_core.contracts.errors import SourceUnreadable
from indx_core.contracts.page import PageOutput, PageStatus
from indx_core.formats.office.media_types import MEDIA_TYPES
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
        # Imported when an Office document is read: discovery imports this module for every document of any kind.
        from indx_core.formats.office.families import page_reader
        from indx_core.formats.office.pages import typed_refusals

        with typed_refusals():
            read_page = page_reader(document)
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
