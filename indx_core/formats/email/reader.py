"""``email-extraction``: the text of a message, five headers and the body, and the names of what is attached."""

from collections.abc import Iterator, Sequence

from indx_core.contracts.capability import CapabilityDescriptor, CapabilityKind
from indx_core.contracts.page import PageOutput
from indx_core.formats.email.charsets import Findings, unique
from indx_core.formats.email.message import MEDIA_TYPE, parse
from indx_core.ports.document import OpenDocument

SHOWN_HEADERS = ("From", "To", "Cc", "Date", "Subject")
"""Everything else a mail server stamps on the way past is transport, and would bury the subject line."""


class EmailReader:
    """Reads message/rfc822 on the free rung. Knows no positions, so it states no lines."""

    @property
    def descriptor(self) -> CapabilityDescriptor:
        return CapabilityDescriptor(
            id="email-extraction",
            kind=CapabilityKind.NATIVE,
            media_types=(MEDIA_TYPE,),
            distribution="indx-capability-email-extraction",
        )

    def read(self, document: OpenDocument, pages: Sequence[int]) -> Iterator[PageOutput]:
        if 1 in pages:
            yield _page(document.data)


def _page(data: bytes) -> PageOutput:
    from indx_core.formats.email.body import content_of

    findings: Findings = []
    message = parse(data, findings)
    content = content_of(message, findings)
    headers = [(name, message.headers.text(name.lower(), findings)) for name in SHOWN_HEADERS]
    attachments = ["Attachments:", *(f"- {name}" for name in content.attachments)] if content.attachments else []
    blocks = ["\n".join(f"{name}: {value}" for name, value in headers if value), content.body, "\n".join(attachments)]
    return PageOutput(number=1, text="\n\n".join(block for block in blocks if block), findings=unique(findings))
