"""Strings of a workbook: rich text joined, phonetic readings left out, escapes resolved."""

import re

from indx_core.kit.ooxml.package import Package
from indx_core.kit.ooxml.xml import Element, shorten, stream

_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")


def shared_strings(package: Package, part: str | None) -> list[str]:
    """Every shared string by its index; empty without such a part.

    Raises:
        PartDamaged: The part is not well-formed.
    """
    if part is None or not package.has(part):
        return []
    found = []
    with package.open(part) as source:
        root: Element | None = None
        for event, element in stream(source, part):
            if event == "start":
                root = element if root is None else root
                continue
            shorten(element)
            if element.tag == "s:si":
                found.append(rich_text(element))
                if root is not None:
                    root.clear()
    return found


def rich_text(item: Element) -> str:
    """Text of ``s:si``, ``s:is`` or a comment's ``s:text``: plain text or runs, never ``s:rPh`` (ふりがな)."""
    parts = []
    for child in item:
        if child.tag == "s:t":
            parts.append(child.text or "")
        elif child.tag == "s:r":
            parts.append(child.findtext("s:t") or "")
    return unescape("".join(parts))


def unescape(text: str) -> str:
    """Resolve ``_x000D_``, in which Excel writes characters XML cannot hold; carriage returns are dropped."""
    if "_x" not in text:
        return text
    return _ESCAPE.sub(_character, text)


def _character(match: re.Match[str]) -> str:
    code = int(match[1], 16)
    if code in (0x09, 0x0A):
        return chr(code)
    if code < 0x20 or 0xD800 <= code <= 0xDFFF:
        return ""
    return chr(code)
