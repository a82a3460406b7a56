"""Manual review: the rung below every other, which hands a page to a person by saying so.

Holds the verdict alone; queues and forms are a deployment's.
"""

from collections.abc import Iterator, Sequence

from indx_core.contracts.capability import CapabilityDescriptor, CapabilityKind
from indx_core.contracts.page import PageOutput, PageStatus
from indx_core.ports.document import OpenDocument

REASON = "a person has to read this page: no automatic reader of its route did"


class ManualReviewReader:
    """Accounts every page it is given as unreadable. Cannot fail, so a route that ends here never loses a page."""

    descriptor = CapabilityDescriptor(
        id="manual-review", kind=CapabilityKind.MANUAL, distribution="indx-capability-manual-review"
    )

    def read(self, document: OpenDocument, pages: Sequence[int]) -> Iterator[PageOutput]:  # noqa: ARG002 - the port's
        for number in pages:
            yield PageOutput(number, PageStatus.UNREADABLE, reason=REASON)
