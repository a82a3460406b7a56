"""Mentions in a text: what could name another document. Knows no document: ``directory.py`` says what a name means.

Five kinds, from the surest to the least: a link, a file name, a title in quotation marks, what stands before 「参照」
or after "see", and a numbered attachment such as 別紙1 or Annex A. Texts come in NFKC. Every repetition in a pattern is
bounded: texts are of unknown origin, and none may cost more than its length.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import unquote

LOOKBACK = 120
"""Longest file name or path looked for in running text, in characters."""
TITLE = 60
"""Longest title looked for without quotation marks around it, in characters."""

_LINK = re.compile(
    r"""\]\(\s{0,3}<?([^()\s>]{1,500})>?[^()\n]{0,200}\)|(?:href|src)\s{0,3}=\s{0,3}["']([^"'<>\n]{1,500})["']|((?:https?|file|s3|gs|az)://[^\s<>"'|)」』】]+)"""
)
_QUOTED = re.compile(
    r"「([^「」\n]{2,100})」|『([^『』\n]{2,100})』|“([^“”\n]{3,100})”|\"([^\"\n]{3,100})\"|《([^《》\n]{2,100})》"
)
_BEFORE = re.compile(r"(?:を|も|は|の項を|については)?\s{0,3}(?:ご|御)?(?:参照|覧ください|覧下さい)")
_AFTER = re.compile(r"\b(?:see(?: also)?|refer(?:s|red)? to|cf\.)\s{1,3}(?:the\s{1,3})?", re.IGNORECASE)
_NUMBER = r"(?:[ 　]{0,3}(?:第|no\.?[ ]{0,3})?([0-9]{1,3}|[一二三四五六七八九十]{1,3}|[A-Z](?![A-Za-z]))(?:号)?)?"
_ATTACHMENT = re.compile(
    rf"(別紙|別添|別表|添付資料|参考資料|配布資料|資料|様式|付属書|附属書|付録|(?<![A-Za-z])(?:appendix|annex|attachment|exhibit)"
    rf"(?![A-Za-z])){_NUMBER}",
    re.IGNORECASE,
)
_KANJI = {digit: value for value, digit in enumerate("一二三四五六七八九", start=1)}


class Label(NamedTuple):
    """An attachment's label: 別紙1 is ``("別紙", "1")``; the number is empty where there is none."""

    kind: str
    number: str


def links(text: str) -> Iterator[str]:
    """Targets of links, unescaped, without fragment and query."""
    for match in _LINK.finditer(text):
        target = address(next(group for group in match.groups() if group is not None)).rstrip(".,;、。")
        if target:
            yield target


def address(target: str) -> str:
    """A link's target unescaped, without fragment and query."""
    return unquote(re.split(r"[?#]", target, maxsplit=1)[0])


def without_links(text: str) -> str:
    """The text with its links blanked out, so that a file name inside the address of another site names nothing."""
    return _LINK.sub("\n", text)


def file_names(text: str, extension: re.Pattern[str]) -> Iterator[tuple[str, ...]]:
    """For each file extension in the text, what may be the name that ends there, the longest first.

    Japanese writes names into the sentence without a space, so every beginning is a candidate, but none inside a word
    of Latin letters or digits.
    """
    for match in extension.finditer(text):
        line = text.rfind("\n", max(0, match.end() - LOOKBACK), match.start()) + 1
        first = max(line, match.end() - LOOKBACK, 0)
        yield tuple(text[at : match.end()] for at in range(first, match.start()) if _begins(text, at))


def quoted(text: str) -> Iterator[str]:
    """What stands in quotation marks."""
    for match in _QUOTED.finditer(text):
        yield next(group for group in match.groups() if group is not None)


def pointed_at(text: str) -> Iterator[tuple[str, ...]]:
    """For each 「参照」 or "see", what may be the title it points at, the longest first."""
    for match in _BEFORE.finditer(text):
        line = text.rfind("\n", max(0, match.start() - TITLE), match.start()) + 1
        first = max(line, match.start() - TITLE)
        yield tuple(text[at : match.start()] for at in range(first, match.start() - 2) if _begins(text, at))
    for match in _AFTER.finditer(text):
        rest = text[match.end() : match.end() + TITLE].split("\n", maxsplit=1)[0]
        yield tuple(rest[:end] for end in range(len(rest), 2, -1) if _ends(rest, end))


def attachments(text: str) -> Iterator[tuple[str, Label]]:
    """Attachment labels in a text, as printed and normalised."""
    for match in _ATTACHMENT.finditer(text):
        yield match[0], Label(match[1].casefold(), _number(match[2] or ""))


def own_label(name: str) -> Label | None:
    """The attachment label a file's name or title opens with, numbering before it left out: ``02_別紙1 …``."""
    match = _ATTACHMENT.match(re.sub(r"^[\W\d_]+", "", name).replace("_", " "))
    return Label(match[1].casefold(), _number(match[2] or "")) if match else None


def _number(written: str) -> str:
    if not written or written[0] not in "一二三四五六七八九十":
        return written.upper().lstrip("0") or written
    tens, ten, ones = written.rpartition("十")
    return str((_KANJI.get(tens, 1) * 10 if ten else 0) + _KANJI.get(ones, 0))


def _begins(text: str, at: int) -> bool:
    if text[at].isspace():
        return False
    return at == 0 or not (_latin(text[at]) and _latin(text[at - 1]))


def _ends(text: str, at: int) -> bool:
    return at == len(text) or not (_latin(text[at]) and _latin(text[at - 1]))


def _latin(character: str) -> bool:
    return character.isascii() and (character.isalnum() or character in "_-")
