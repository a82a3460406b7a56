"""``indx-observer-email``: recognises a message by its header block and observes it without parsing the body."""

import re

from indx_core.contracts.observation import Finding, PageObservation, TextLayer
from indx_core.formats.email.charsets import Findings, unique
from indx_core.formats.email.headers import Headers, split_headers
from indx_core.formats.email.message import MEDIA_TYPE, head, plain_bytes
from indx_core.ports.document import OpenDocument
from indx_core.ports.observer import Observed

_SNIFFED_BYTES = 65_536
_FIRST_LINE = re.compile(rb"\s*(?:>?From |[!-9;-~]{1,80}:)")
# Written by mail programs and servers, hardly ever by a person at the top of a text file.
_TRANSPORT = {
    "message-id",
    "received",
    "return-path",
    "mime-version",
    "delivered-to",
    "dkim-signature",
    "x-mailer",
    "in-reply-to",
    "references",
}
_EVERYDAY = {"from", "to", "cc", "bcc", "subject", "date", "sender", "reply-to", "content-type"}
_PROPERTIES = {
    "title": "subject",
    "author": "from",
    "date": "date",
    "message_id": "message-id",
    "in_reply_to": "in-reply-to",
    "references": "references",
}
_TOP_TYPES = {
    "multipart/encrypted": "encrypted",
    "multipart/signed": "signed",
    "application/pkcs7-mime": "smime",
    "application/x-pkcs7-mime": "smime",
    "application/ms-tnef": "tnef",
    "text/html": "html",
}


class EmailObserver:
    """Observes message/rfc822: one page whose text layer is there, and the headers that relate messages."""

    distribution: str = "indx-observer-email"
    media_types: tuple[str, ...] = (MEDIA_TYPE,)

    def sniff(self, data: bytes) -> str | None:
        block = plain_bytes(data[:_SNIFFED_BYTES])
        if not _FIRST_LINE.match(block):
            return None
        headers, _ = split_headers(block, 0, len(block))
        return MEDIA_TYPE if _typical(headers) else None

    def observe(self, document: OpenDocument) -> Observed:
        headers = head(document.data)
        remarks: Findings = []
        properties = {key: headers.text(name, remarks) for key, name in _PROPERTIES.items()}
        signal = _TOP_TYPES.get(headers.keyword("content-type"))
        page = PageObservation(number=1, text_layer=TextLayer.PRESENT, signals=(signal,) if signal else ())
        findings = tuple(Finding(code=code, message=message) for code, message in unique(remarks))
        return Observed((page,), findings, {key: value for key, value in properties.items() if value})


def _typical(headers: Headers) -> bool:
    """Conservative, as a text file may begin ``Date: …``: a transport field and another, or three with an address."""
    names = {name for name, _ in headers.fields}
    transport, everyday = names & _TRANSPORT, names & _EVERYDAY
    if transport and len(transport | everyday) >= 2:
        return True
    return len(everyday) >= 3 and b"@" in (headers.raw("from") or b"")
