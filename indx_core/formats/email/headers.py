"""Header fields: the block at the head of a message or part, encoded words (RFC 2047) and parameters (RFC 2231).

Values are kept as bytes until they are asked for: a header may hold raw Shift_JIS. The header objects of the standard
library's ``policy.default`` are not used: they decode every encoded word alone, so a kanji split between two words is
lost, and raise untyped errors on real mail (``LookupError`` for ``X-UNKNOWN``, ``AttributeError`` for an address
group; 2 of 277 messages measured).
"""

import binascii
import quopri
import re
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes

from indx_core.formats.email.charsets import Findings, decode

_FIELD = re.compile(rb"([!-9;-~]+)[ \t]*:")
_MBOX = re.compile(rb">?From [^:\r\n]*(?:\d\d:\d\d|@)[^\r\n]*")
_ENCODED_WORD = re.compile(rb"=\?([^?\s]{1,60})\?([bBqQ])\?([^?]*)\?=")
# A semicolon separates; white space does where a writer forgot it.
_PARAMETER = re.compile(rb"[;\s]\s*([^\s=;\"]+)\s*=\s*(\"(?:[^\"\\]|\\.)*\"?|[^;]*)")
_LISTS = frozenset({"from", "to", "cc", "references"})
_QUOTED = re.compile(r"\"((?:[^\"\\]|\\.)*)\"")
_SPECIALS = re.compile(r"[,;<>@:()\"\\]")


@dataclass(frozen=True, slots=True)
class Headers:
    """The fields of one header block, in order. Names are lower case, values raw and folded.

    Attributes:
        fields: ``(name, value)`` pairs.
    """

    fields: tuple[tuple[str, bytes], ...]

    def __contains__(self, name: str) -> bool:
        return any(field == name for field, _ in self.fields)

    def raw(self, name: str) -> bytes | None:
        """The first value of that name, unfolded."""
        return next((_unfolded(value) for field, value in self.fields if field == name), None)

    def text(self, name: str, findings: Findings) -> str:
        """The value of that name on one line, as a reader of the message sees it; ``""`` when there is none.

        A field that may occur once counts as first written; repeated address fields are one list.
        """
        values = [decode_value(_unfolded(value), findings) for field, value in self.fields if field == name]
        given = [value for value in values if value]
        separator = " " if name == "references" else ", "
        return separator.join(given if name in _LISTS else given[:1])

    def keyword(self, name: str) -> str:
        """The first word of a structured field in lower case (``text/plain``, ``base64``), or ``""``."""
        return re.split(rb"[;\s]", self.raw(name) or b"", maxsplit=1)[0].lower().decode("latin-1")

    def parameter(self, field: str, name: str, findings: Findings) -> str | None:
        """A parameter of a structured field (``charset`` of ``content-type``), continuations and charsets resolved."""
        raw = self.raw(field)
        return _parameter(raw, name, findings) if raw else None


def split_headers(data: bytes, start: int, end: int) -> tuple[Headers, int]:
    """The header block that begins at ``start``, and where the body begins.

    The block ends at an empty line, which belongs to neither, or at the first line that is no field: a body without its
    separator. The ``From `` line of a mailbox file is skipped.
    """
    fields: list[tuple[str, list[bytes]]] = []
    at = start
    while at < end:
        stop = data.find(b"\n", at, end)
        after = end if stop < 0 else stop + 1
        line = data[at:after]
        if not line.strip(b"\r\n"):
            at = after
            break
        if line[:1] in b" \t" and fields:
            fields[-1][1].append(line)
        elif field := _FIELD.match(line):
            fields.append((field.group(1).decode("ascii").lower(), [line[field.end() :]]))
        elif fields or not _MBOX.match(line):
            break
        at = after
    return Headers(tuple((name, b"".join(lines)) for name, lines in fields)), at


def decode_value(raw: bytes, findings: Findings) -> str:
    """A header value as text: encoded words decoded, needless quotes of display names dropped, white space single."""
    return " ".join(_QUOTED.sub(_unquoted, decode_words(raw, findings)).split())


def decode_words(raw: bytes, findings: Findings) -> str:
    """The text of a value with its encoded words replaced; bytes outside of them are looked at.

    Neighbours of one charset are joined as bytes before they are decoded, so a character that a careless writer split
    between two words comes out whole; the white space between neighbours is dropped (RFC 2047, section 6.2).
    """
    pieces: list[str] = []
    charset, pending, position = "", b"", 0
    for word in _ENCODED_WORD.finditer(raw):
        gap = raw[position : word.start()]
        label, content = word.group(1).decode("latin-1"), _word_bytes(word.group(2), word.group(3))
        if charset and not gap.strip() and label.lower() == charset.lower():
            pending += content
        else:
            pieces.append(decode(pending, charset, findings))
            pieces.append("" if charset and not gap.strip() else decode(gap, None, findings))
            charset, pending = label, content
        position = word.end()
    pieces.append(decode(pending, charset, findings))
    pieces.append(decode(raw[position:], None, findings))
    return "".join(pieces)


def base64_bytes(text: bytes) -> bytes:
    """What can be decoded of a Base64 text up to its padding: foreign characters are skipped, missing padding added."""
    kept = re.sub(rb"[^A-Za-z0-9+/=]", b"", text).split(b"=", 1)[0]
    if len(kept) % 4 == 1:
        kept = kept[:-1]
    return binascii.a2b_base64(kept + b"=" * (-len(kept) % 4))


def _word_bytes(encoding: bytes, content: bytes) -> bytes:
    return base64_bytes(content) if encoding in b"bB" else quopri.decodestring(content, header=True)


def _unfolded(value: bytes) -> bytes:
    return re.sub(rb"\r?\n(?=[ \t])", b"", value).strip()


def _unquoted(quoted: re.Match[str]) -> str:
    name = re.sub(r"\\(.)", r"\1", quoted.group(1))
    return quoted.group() if _SPECIALS.search(name) or not name.strip() else name


def _parameter(raw: bytes, name: str, findings: Findings) -> str | None:
    """Plain, or in numbered and percent-encoded sections (RFC 2231), which win where a writer sends both."""
    plain: str | None = None
    sections: dict[int, tuple[bytes, bool]] = {}
    for found in _PARAMETER.finditer(raw):
        key, value = found.group(1).decode("latin-1").lower(), _value(found.group(2))
        if key == name:
            plain = decode_value(value, findings) if plain is None else plain
        elif section := re.fullmatch(re.escape(name) + r"(?:\*(\d{1,4}))?(\*?)", key):
            sections.setdefault(int(section.group(1) or 0), (value, bool(section.group(2))))
    if not sections:
        return plain
    label, joined = None, b""
    for index, number in enumerate(sorted(sections)):
        value, encoded = sections[number]
        if encoded and index == 0 and value.count(b"'") >= 2:
            charset, _, value = value.split(b"'", 2)
            label = charset.decode("latin-1") or None
        joined += unquote_to_bytes(value) if encoded else value
    if label is None:
        return decode_value(joined, findings)
    return " ".join(decode(joined, label, findings).split())


def _value(token: bytes) -> bytes:
    token = token.strip()
    return re.sub(rb"\\(.)", rb"\1", token.strip(b'"')) if token[:1] == b'"' else token
