"""What a workbook's styles say about values: the number format of every cell style, and the language of its author."""

import unicodedata

from indx_core.formats.office.sheet.number_format.builtin import builtin_code
from indx_core.kit.ooxml.markup import find, whole
from indx_core.kit.ooxml.xml import Element

_MAX_FORMAT_ID = 2**31
_JAPANESE_CHARSET = "128"
_JAPANESE_SHORT_DATE = "yyyy/m/d"
_DEFAULT_SHORT_DATE = "m/d/yy"


def is_japanese(styles: Element | None) -> bool:
    """Whether the default font is a Japanese one, which tells the language of the Excel that made the workbook."""
    font = find(styles, "s:fonts", "s:font")
    if font is None:
        return False
    name, charset = font.find("s:name"), font.find("s:charset")
    letters = name.get("val", "") if name is not None else ""
    return (charset is not None and charset.get("val") == _JAPANESE_CHARSET) or any(
        unicodedata.name(letter, "").startswith(("CJK", "HIRAGANA", "KATAKANA", "FULLWIDTH")) for letter in letters
    )


def format_codes(styles: Element | None, short_date: str) -> list[str]:
    """The format code of every cell style (``s:cellXfs``), by its index.

    Args:
        styles: Root of the styles part; ``None`` when there is none.
        short_date: Code of format 14, or ``""`` to take the one usual in the workbook's language.
    """
    if styles is None:
        return []
    usual = short_date or (_JAPANESE_SHORT_DATE if is_japanese(styles) else _DEFAULT_SHORT_DATE)
    own = {item.get("numFmtId", ""): item.get("formatCode", "General") for item in _items(styles, "s:numFmts")}
    codes = []
    for style in _items(styles, "s:cellXfs"):
        stated = style.get("numFmtId", "0")
        codes.append(own.get(stated) or builtin_code(whole(stated, 0, low=0, high=_MAX_FORMAT_ID), usual))
    return codes


def _items(styles: Element, tag: str) -> list[Element]:
    parent = styles.find(tag)
    return [] if parent is None else list(parent)
