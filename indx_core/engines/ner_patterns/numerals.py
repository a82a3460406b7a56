"""Numbers as they are written in Japanese: digits, 二〇二六, 三十一, 壱百万. Does not know units of money or dates."""

DIGITS = "〇一二三四五六七八九"
FORMAL = {"零": "〇", "壱": "一", "壹": "一", "弐": "二", "貳": "二", "参": "三", "參": "三", "伍": "五", "拾": "十"}
SMALL = {"十": 10, "百": 100, "千": 1000}
LARGE = {"万": 10**4, "億": 10**8, "兆": 10**12}
KANJI = "".join((DIGITS, *FORMAL, *SMALL, *LARGE, "萬"))
"""Every character a written number may hold, for character classes."""

_FORMAL = str.maketrans(FORMAL | {"萬": "万"})


def number(written: str) -> int | None:
    """The value of ASCII digits or of kanji, positional (二〇二六) or with units (二千二十六); ``None`` if neither."""
    if written.isascii():
        return int(written) if written.isdigit() else None
    plain = written.translate(_FORMAL)
    if all(character in DIGITS for character in plain):
        return int("".join(str(DIGITS.index(character)) for character in plain))
    return _with_units(plain)


def _with_units(written: str) -> int | None:
    total = section = 0
    digit: int | None = None
    for character in written:
        if character in DIGITS:
            if digit is not None:
                return None
            digit = DIGITS.index(character)
        elif character in SMALL:
            section += (1 if digit is None else digit) * SMALL[character]
            digit = None
        elif character in LARGE:
            total += (section + (digit or 0) or 1) * LARGE[character]
            section, digit = 0, None
        else:
            return None
    return total + section + (digit or 0)
