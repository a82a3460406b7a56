"""Which parts of a message are its body, and what is named as an attachment.

The rules are those of JMAP (RFC 8621, section 4.1.4), with plain text preferred to HTML and one reading of each
alternative. Attachments are named, never opened: recursing would turn one source into many.
"""

import re
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from indx_core.formats.email.charsets import Findings, decode
from indx_core.formats.email.headers import split_headers
from indx_core.formats.email.message import Part
from indx_core.formats.email.visible import declared_charset, visible_text

_READABLE = ("text/plain", "text/html")
_ENCRYPTED = {"application/pkcs7-mime", "application/x-pkcs7-mime", "application/pgp-encrypted"}
_TNEF = {"application/ms-tnef", "application/vnd.ms-tnef"}
_QUOTES = re.compile(r">*")


@dataclass(slots=True)
class Content:
    """What a message holds: body texts in order, and a line for every part that is none of them.

    Attributes:
        texts: Decoded bodies, HTML already turned into lines.
        attachments: ``name (type)`` of each part not read.
    """

    texts: list[str] = field(default_factory=list)
    attachments: list[str] = field(default_factory=list)

    @property
    def body(self) -> str:
        """The bodies, one empty line between two."""
        return "\n\n".join(text for text in self.texts if text)


def content_of(message: Part, findings: Findings) -> Content:
    """Body and attachments of a message."""
    content = _collect(message, findings, first=True, related=False)
    if not content.body:
        _explain_missing_body(message, findings)
    return content


def _collect(part: Part, findings: Findings, *, first: bool, related: bool) -> Content:
    if not part.multipart:
        return _leaf(part, findings, first=first, related=related)
    if part.media_type == "multipart/alternative":
        return _alternative(part, findings)
    whole = Content()
    related = part.media_type == "multipart/related"
    for index, child in enumerate(part.children):
        inner = _collect(child, findings, first=index == 0, related=related)
        whole.texts += inner.texts
        whole.attachments += inner.attachments
    return whole


def _alternative(part: Part, findings: Findings) -> Content:
    """One of several versions of the same text: plain before HTML. What hangs on the others is still named."""
    whole = Content()
    versions: list[tuple[bool, list[str]]] = []
    for child in part.children:
        inner = _collect(child, findings, first=True, related=False)
        whole.attachments += inner.attachments
        if inner.body:
            versions.append((_holds(child, "text/plain"), inner.texts))
    plain = [text for is_plain, texts in versions if is_plain for text in texts]
    whole.texts = plain or (versions[-1][1] if versions else [])
    return whole


def _holds(part: Part, media_type: str) -> bool:
    return part.media_type == media_type or any(_holds(child, media_type) for child in part.children)


def _leaf(part: Part, findings: Findings, *, first: bool, related: bool) -> Content:
    name = _name(part, findings)
    inline = part.disposition() != "attachment" and part.media_type in _READABLE
    if inline and (first or (not related and not name)):
        return Content(texts=[_text(part, findings)])
    return Content(attachments=[f"{name or _unnamed(part, findings)} ({part.media_type})"])


def _text(part: Part, findings: Findings) -> str:
    data = part.content(findings)
    charset = part.parameter("charset", findings)
    if part.media_type == "text/html":
        return visible_text(decode(data, charset or declared_charset(data), findings))
    text = decode(data, charset, findings).replace("\r\n", "\n").replace("\r", "\n")
    if (part.parameter("format", findings) or "").lower() == "flowed":
        text = unflowed(text, delete_space=(part.parameter("delsp", findings) or "").lower() == "yes")
    return text.strip("\n").rstrip()


def unflowed(text: str, *, delete_space: bool) -> str:
    """Paragraphs of ``format=flowed`` text on one line each (RFC 3676, section 4).

    Args:
        text: Lines as sent.
        delete_space: Whether the space that marks a flowed line is no part of the text (``delsp=yes``, which Japanese
            writers send because their text has no spaces).
    """
    lines: list[str] = []
    flowing: int | None = None
    for line in text.split("\n"):
        depth = len(_QUOTES.match(line).group())  # type: ignore[union-attr]  # matches the empty string too
        content = line[depth:].removeprefix(" ")
        flows = content.endswith(" ") and content != "-- "
        if flows and delete_space:
            content = content[:-1]
        if flowing == depth and content != "-- ":
            lines[-1] += content
        else:
            lines.append("> " * bool(depth) * depth + content if depth else content)
        flowing = depth if flows else None
    return "\n".join(line if line == "-- " else line.rstrip() for line in lines)


def _name(part: Part, findings: Findings) -> str:
    """The name of an attachment, without the path some writers put in front."""
    stated = (
        part.headers.parameter("content-disposition", "filename", findings) or part.parameter("name", findings) or ""
    )
    return PurePosixPath(stated.replace("\\", "/")).name


def _unnamed(part: Part, findings: Findings) -> str:
    if part.media_type == "message/rfc822":
        headers, _ = split_headers(part.raw, 0, len(part.raw))
        if subject := headers.text("subject", findings):
            return subject
    return part.headers.text("content-description", findings) or "unnamed"


def _explain_missing_body(message: Part, findings: Findings) -> None:
    types = set(_types(message))
    if types & _ENCRYPTED:
        findings.append(("body_encrypted", "the body is inside an S/MIME or PGP envelope, which is not opened"))
    elif types & _TNEF:
        findings.append(("body_in_tnef", "the body may be inside winmail.dat (TNEF), which is not opened"))
    elif "message/partial" in types:
        findings.append(("partial_message", "this is one part of a message that was sent in several"))


def _types(part: Part) -> list[str]:
    return [part.media_type, *(name for child in part.children for name in _types(child))]
