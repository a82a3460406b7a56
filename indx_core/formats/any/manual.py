"""Manual review: the rung below every other, which answers with what a person wrote, or says that one is needed.

Holds the reader alone; where answers are kept is in ``answers``, the queue in ``app/review``.
"""

from collections.abc import Iterator, Sequence

from indx_core.contracts.capability import CapabilityDescriptor, CapabilityKind
from indx_core.contracts.page import PageOutput, PageStatus
from indx_core.ports.document import OpenDocument

REASON = "a person has to read this page: no automatic reader of its route did"
REVIEWER = "reviewer"
"""Page metadata: who answered."""


class ManualReviewReader:
    """Answers each page from the lake's reviews of these very bytes, and accounts every other one as unreadable.

    Without answers it costs one listing of the lake per document that comes here. It fails only where the lake cannot
    be asked, so a route that ends here never loses a page.
    """

    descriptor = CapabilityDescriptor(
        id="manual-review", kind=CapabilityKind.MANUAL, distribution="indx-capability-manual-review"
    )

    def read(self, document: OpenDocument, pages: Sequence[int]) -> Iterator[PageOutput]:
        from indx_core.formats.any.answers import stored_answers
        from indx_core.kit.lake import Lake

        answers = stored_answers(Lake.open(), document.digest, pages)
        for number in pages:
            answer = answers.get(number)
            if answer is None:
                yield PageOutput(number, PageStatus.UNREADABLE, reason=REASON)
            else:
                reason = f"read by {answer.reviewer}"
                yield PageOutput(number, text=answer.text, reason=reason, metadata={REVIEWER: answer.reviewer})
