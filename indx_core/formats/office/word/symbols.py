"""Characters of symbol fonts, which a file states by their place in the font (``w:sym``), as Unicode.

Only what documents commonly hold: Greek and operators of Symbol, boxes, ticks and bullets of Wingdings. Another place
in such a font reads as U+FFFD: something stands there, and nobody can say what without the font.
"""

_GREEK = dict(zip(range(0x61, 0x7B), "αβχδεφγηιϕκλμνοπθρστυϖωξψζ", strict=True)) | dict(
    zip(range(0x41, 0x5B), "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ", strict=True)
)
_SYMBOL = _GREEK | {
    0xA3: "≤", 0xA5: "∞", 0xAC: "←", 0xAD: "↑", 0xAE: "→", 0xAF: "↓", 0xB0: "°", 0xB1: "±", 0xB3: "≥", 0xB4: "×",
    0xB6: "∂", 0xB7: "•", 0xB8: "÷", 0xB9: "≠", 0xBA: "≡", 0xBB: "≈", 0xC5: "⊕", 0xCE: "∈", 0xD6: "√", 0xD7: "⋅",
    0xDE: "⇒", 0xE5: "∑", 0xF2: "∫",
}  # fmt: skip
_WINGDINGS = {
    0x22: "✂", 0x28: "☎", 0x2A: "✉", 0x6C: "●", 0x6E: "■", 0x6F: "□", 0x71: "❑", 0x72: "❒", 0x75: "◆", 0x76: "❖",
    0x9F: "•", 0xA7: "▪", 0xA8: "□", 0xD8: "➢", 0xDF: "←", 0xE0: "→", 0xE1: "↑", 0xE2: "↓", 0xE8: "➔", 0xF0: "⇨",
    0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
}  # fmt: skip
_WINGDINGS_2 = {0x50: "✓", 0x4F: "✗", 0x51: "☒", 0x52: "☑", 0xA3: "□"}
_FONTS = {"symbol": _SYMBOL, "wingdings": _WINGDINGS, "wingdings 2": _WINGDINGS_2}

_PRIVATE_USE = range(0xF000, 0xF100)
"""Where Word puts the 256 places of a symbol font (ECMA-376 part 1, 17.3.3.30)."""


def symbol_text(font: str, code: str) -> str:
    """The character at a place of a font.

    Args:
        font: Name of the font.
        code: Hexadecimal code point as ``w:char`` states it; private-use points stand for places in a symbol font.
    """
    try:
        point = int(code, 16)
    except ValueError:
        return ""
    places = _FONTS.get(font.lower())
    if point in _PRIVATE_USE or places:
        place = point & 0xFF
        return (places or {}).get(place, chr(place) if places is None and place >= 0x20 else "\ufffd")
    return chr(point) if 0x20 <= point <= 0x10FFFF and not 0xD800 <= point <= 0xDFFF else ""
