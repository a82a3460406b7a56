"""invoice: recognises a document that is an invoice, by four signals of what it prints."""

from collections.abc import Iterable

from indx_core.contracts.observation import Observation, TextLayer
from indx_core.contracts.page import PageStatus
from indx_core.contracts.plan import SignatureMatch
from indx_core.ports.document import OpenDocument
from indx_core.signatures.invoice.parser import CAPABILITY_ID, DISTRIBUTION, MEDIA_TYPES

SIGNALS = ("invoice_title", "invoice_number", "due_date", "billed_amount")
MINIMUM_SIGNALS = 2

_PAGES_ASKED = 4
"""An invoice says so on its first page; the due date and the total may follow after the items. Planning stays cheap."""


class InvoiceSignature:
    """Matches a document that shows two of: the heading, a labelled number, a due date, an amount billed.

    The confidence is the share of the four signals, which is no calibrated probability.
    """

    name = "invoice"
    distribution = DISTRIBUTION
    media_types: tuple[str, ...] = MEDIA_TYPES
    capability_id = CAPABILITY_ID

    def detect(self, document: OpenDocument, observation: Observation) -> list[SignatureMatch]:
        readable = [page.number for page in observation.pages if page.text_layer is TextLayer.PRESENT]
        seen = _signals(document, readable[:_PAGES_ASKED])
        if len(seen) < MINIMUM_SIGNALS:
            return []
        return [
            SignatureMatch(
                signature=self.name,
                scope="document",
                evidence=tuple(signal for signal in SIGNALS if signal in seen),
                nominated_capability_id=self.capability_id,
                confidence=len(seen) / len(SIGNALS),
            )
        ]


def _signals(document: OpenDocument, pages: Iterable[int]) -> set[str]:
    """What the pages show together; stops at the page where nothing more can be learned."""
    seen: set[str] = set()
    for number in pages:
        page = document.native_page(number)
        if page is not None and page.status is PageStatus.COMPLETED:
            seen |= signals_of(page.text)
        if len(seen) == len(SIGNALS):
            break
    return seen


def signals_of(text: str) -> set[str]:
    """Names of the signals that a text shows."""
    from indx_core.signatures.invoice.fields import has_title, invoice_fields

    fields = invoice_fields(text)
    shown = {
        "invoice_title": has_title(text),
        "invoice_number": fields.number is not None,
        "due_date": any(date["role"] == "due" for date in fields.dates),
        "billed_amount": any(amount["role"] in {"due", "total"} for amount in fields.amounts),
    }
    return {signal for signal, present in shown.items() if present}
