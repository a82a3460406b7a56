"""The native-extraction reader: a PDF's own text layer, line by line with boxes. CPU only, no model, no extra."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from indx_core.contracts.capability import CapabilityDescriptor, CapabilityKind, Device
from indx_core.contracts.page import PageOutput, PageStatus
from indx_core.formats.pdf.observer import MEDIA_TYPE
from indx_core.formats.pdf.settings import PdfSettings
from indx_core.ports.document import OpenDocument

if TYPE_CHECKING:
    from indx_core.formats.pdf.extract import PageText


class NativeExtraction:
    """Reads pages whose text layer can be believed; every other page comes back failed, with the reason."""

    @property
    def descriptor(self) -> CapabilityDescriptor:
        return CapabilityDescriptor(
            id="native-extraction",
            kind=CapabilityKind.NATIVE,
            media_types=(MEDIA_TYPE,),
            device=Device.CPU,
            distribution="indx-capability-native-extraction",
        )

    def read(self, document: OpenDocument, pages: Sequence[int]) -> Iterator[PageOutput]:
        from indx_core.formats.pdf.extract import page_text

        settings = PdfSettings.load()
        for number in pages:
            yield _output(number, page_text(document, number, settings))


def _output(number: int, page: "PageText") -> PageOutput:
    if page.verdict.reason is not None:
        return PageOutput(number, PageStatus.FAILED, reason=page.verdict.reason)
    return PageOutput(number, text=page.content.text, lines=page.lines(), links=page.links)
