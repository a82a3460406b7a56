"""Text as a person would copy it off the page. Strings only; where the text stands is settled in ``lines``.

PDFium has resolved ligatures and put spaces where glyphs stand apart; what is left is what must not reach a reader:
control characters, lone surrogates, noncharacters, and the marks PDFium uses for itself.
"""

import re

HYPHEN = "\x02"
"""Stands for a hyphen at which PDFium ran two visual lines together. PDFium drops a real U+0002, so it is free."""

BLANKS = " \t\xa0"
"""What is cut off both ends of a line. The ideographic space stays: in Japanese it marks a paragraph."""

_CJK = "\u3000-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff01-\uff60\U00020000-\U0003ffff"
BETWEEN_CJK = re.compile(rf" (?<=[{_CJK}] )(?=[{_CJK}])")
IS_CJK = re.compile(rf"[{_CJK}]")

_CONTROL = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
_MEANINGLESS = re.compile(rf"[{_CONTROL}\ue000-\uf8ff\ufffe\uffff\ud800-\udfff\U000f0000-\U0010fffd]")
_UNWANTED = re.compile(rf"[{_CONTROL}\t\u2028\u2029\xad\ufeff\ufffe\uffff\ud800-\udfff]")
_DRAWN = {
    HYPHEN: "-",
    "\xad": "-",  # a soft hyphen that stands in a content stream is drawn
    "\t": " ",
    "\u2028": " ",
    "\u2029": " ",
    "\ufeff": "",
}
_LOST = "\ufffd"
"""For a glyph whose meaning the file does not state: leaving it out would make "Con?rmed" a word nobody questions."""


def clean(line: str) -> str:
    """One line without control characters, lone surrogates and noncharacters, hyphens as printed."""
    if line.isprintable():  # ten times faster than a search, and true of nearly every line
        return line
    return _UNWANTED.sub(_replacement, line).strip(BLANKS)


def meaningless(text: str) -> str:
    """The characters of a page's text that say nothing: control, replacement, private use, lone surrogates."""
    replaced = "\ufffd" * text.count("\ufffd")
    lines = text.replace("\r\n", "")
    if lines.isprintable():
        return replaced
    return "".join(_MEANINGLESS.findall(lines)).replace(HYPHEN, "") + replaced


def _replacement(match: re.Match[str]) -> str:
    return _DRAWN.get(match.group(), _LOST)
