"""invoice-parser: what the format's own reader gives, and on the page that states them the invoice's fields."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from indx_core.contracts.capability import CapabilityDescriptor, CapabilityKind
from indx_core.contracts.page import PageOutput, PageStatus
from indx_core.ports.document import OpenDocument

CAPABILITY_ID = "invoice-parser"
DISTRIBUTION = "indx-capability-invoice"
METADATA_KEY = "invoice"

_OPEN = "application/vnd.openxmlformats-officedocument."
MEDIA_TYPES = (
    "application/pdf",
    "text/plain",
    f"{_OPEN}wordprocessingml.document",
    "application/vnd.ms-word.document.macroEnabled.12",
    f"{_OPEN}spreadsheetml.sheet",
    "application/vnd.ms-excel.sheet.macroEnabled.12",
)
"""Types that invoices come in and that have text of their own. A scanned one is left to recognition."""


class InvoiceParser:
    """Reads pages as the format's own reader does; a page without text of its own comes back failed and descends."""

    descriptor = CapabilityDescriptor(
        id=CAPABILITY_ID, kind=CapabilityKind.PARSER, media_types=MEDIA_TYPES, distribution=DISTRIBUTION
    )

    def read(self, document: OpenDocument, pages: Sequence[int]) -> Iterator[PageOutput]:
        # Compiling the patterns takes 15 ms, which only who reads an invoice pays.
        from indx_core.signatures.invoice.fields import invoice_fields

        for number in pages:
            native = document.native_page(number)
            if native is None:
                yield PageOutput(number, PageStatus.FAILED, reason="no reader of the page's own text is installed")
            elif native.status is not PageStatus.COMPLETED:
                yield native
            else:
                fields = invoice_fields(native.text).to_metadata()
                yield replace(native, metadata={**native.metadata, METADATA_KEY: fields}) if fields else native
