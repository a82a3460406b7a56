r"""The bytes of a drawing made safe to parse: one ASCII form for every code page, binary drawings included.

Characters beyond ASCII are written as ``\U+XXXX``, which every DXF version knows, so the parser's own idea of the code
page no longer matters. It would decode a Japanese R12 drawing without ``$DWGCODEPAGE`` as Western text without a word.
Which structure the tags form is ``loading``'s business.
"""

import re
from itertools import islice
from typing import Any

from indx_core.kit.japanese import decode_euc_jp, guess, japanese_share

BINARY_SENTINEL = b"AutoCAD Binary DXF\r\n\x1a\x00"

Findings = list[tuple[str, str]]
"""``(code, message)`` pairs, collected while a drawing is opened."""

_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
# In a binary drawing the value follows a group code of one byte (R12) or two.
_VERSION = re.compile(rb"\$ACADVER(?:\s+1\s+|\x00\x01\x00?)AC(\d{4})")
_CODE_PAGE = re.compile(rb"\$DWGCODEPAGE(?:\s+3\s+|\x00\x03\x00?)([\w-]{2,20})")
_UNICODE_SINCE = 1021  # AutoCAD 2007: drawings are UTF-8 whatever $DWGCODEPAGE says
_SAMPLE_LINES = 2_000
_BINARY_HEADER_BYTES = 1_024  # as far as ezdxf looks for the two variables; its choice has to be undone exactly
_JAPANESE = {"cp932", "euc_jp"}
_CODECS = {"utf-8": "utf-8", "shift_jis": "cp932", "euc-jp": "euc_jp"}


def ascii_form(data: bytes, findings: Findings) -> bytes:
    """An ASCII drawing with its text decoded and escaped.

    Args:
        data: The drawing, ASCII or binary.
        findings: Gets ``code_page_wrong`` where the text is not in the code page that the drawing declares, and
            ``undecodable_text`` where some of it is in none.

    Raises:
        ValueError, IndexError, struct.error, ezdxf.DXFError: A binary drawing is damaged.
    """
    if data.startswith(BINARY_SENTINEL):
        data = _binary_as_ascii(data)
    data = data.removeprefix(b"\xef\xbb\xbf")
    if b"\n" not in data:
        data = data.replace(b"\r", b"\n")
    if data.isascii():
        return data
    lines = data.split(b"\n")
    encoding = _encoding(data, lines, findings)
    return b"\n".join(line if line.isascii() else _escaped(_decoded(line, encoding, findings)) for line in lines)


def _encoding(data: bytes, lines: list[bytes], findings: Findings) -> str:
    """The declared encoding while the text can be in it, else the one the bytes show."""
    sample = b"\n".join(islice((line for line in lines if not line.isascii()), _SAMPLE_LINES))
    declared = declared_encoding(data)
    shown, _ = guess(sample)
    # Any bytes are text in a Western or Cyrillic code page, so there what the bytes show goes first.
    overruled = shown == "utf-8" or (bool(shown) and (declared or "").startswith("cp125"))
    if declared is not None and not overruled and _plausible(sample, declared):
        return declared
    chosen = _CODECS.get(shown) or declared or "cp1252"
    if declared not in (None, chosen):
        findings.append(("code_page_wrong", f"the drawing declares {declared}, its text is in {chosen}"))
    return chosen


def declared_encoding(data: bytes) -> str | None:
    """Python codec that the header names; ``None`` when it names none or one that is not known."""
    version = _VERSION.search(data)
    if version and int(version.group(1)) >= _UNICODE_SINCE:
        return "utf-8"
    page = _CODE_PAGE.search(data)
    name = page.group(1).decode("ascii").lower() if page else ""
    number = re.sub(r"\D", "", name)
    codec = {"936": "gbk", "874": "cp874"}.get(number, f"cp{number}" if number else "")
    try:
        "".encode(codec or "undefined")
    except (LookupError, UnicodeError):
        return None
    return codec


def _plausible(sample: bytes, encoding: str) -> bool:
    try:
        text = sample.decode(encoding)
    except UnicodeDecodeError:
        return False
    return encoding not in _JAPANESE or japanese_share(text) >= 0.5


def _decoded(line: bytes, encoding: str, findings: Findings) -> str:
    if encoding == "euc_jp":
        return decode_euc_jp(line)
    try:
        return line.decode(encoding)
    except UnicodeDecodeError:
        pass
    _, text = guess(line)
    if text:
        return text
    findings.append(("undecodable_text", f"some bytes are no {encoding} text and read as U+FFFD"))
    return line.decode(encoding, "replace")


def _escaped(text: str) -> bytes:
    units = _BEYOND_ASCII.sub(lambda found: _escape(found.group()), text)
    return units.encode("ascii")


def _escape(character: str) -> str:
    utf_16 = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\U+{utf_16[at : at + 2].hex().upper()}" for at in range(0, len(utf_16), 2))


def _binary_as_ascii(data: bytes) -> bytes:
    """The tags of a binary drawing as lines; its strings keep their bytes, since their code page is decided later."""
    from ezdxf.lldxf.tagger import binary_tags_loader

    encoding = declared_encoding(data[:_BINARY_HEADER_BYTES]) or "cp1252"
    return b"".join(_line(tag.code, tag.value, encoding) for tag in binary_tags_loader(data))


def _line(code: int, value: Any, encoding: str) -> bytes:
    if isinstance(value, bytes):
        written = value.hex().upper().encode()
    elif isinstance(value, str):
        written = value.encode(encoding, "surrogateescape").replace(b"\r", b"").replace(b"\n", b"")
    else:
        written = repr(value).encode()
    return b"%d\n%s\n" % (code, written)
