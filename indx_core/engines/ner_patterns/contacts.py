"""Postal codes and telephone numbers, with their usual written form: ``100-0001``, and E.164 (``+81312345678``)."""

import re
from collections.abc import Iterator

from indx_core.engines.ner_patterns.labels import PHONE, POSTAL_CODE
from indx_core.engines.ner_patterns.matches import Match

_PREFECTURE = "北海道|東京都|京都府|大阪府|[^\\s0-9]{2,3}県"
_POSTAL = re.compile(
    rf"(?<![0-9-])(?:(?:〒|郵便番号)[ :]{{0,3}}(?P<marked>[0-9]{{3}}[-ー]?[0-9]{{4}})"
    rf"|(?P<bare>[0-9]{{3}}-[0-9]{{4}})(?=\s{{0,3}}(?:{_PREFECTURE})))(?![0-9]|[-ー][0-9])"
)

_GAP = "[-ー. ]"
_ALONE = r"(?<![0-9A-Za-z+])(?<![0-9][-.])"
_JAPANESE = re.compile(
    rf"{_ALONE}(?:0[0-9]{{1,4}}(?:{_GAP}[0-9]{{1,4}}{_GAP}|\([0-9]{{1,4}}\)[ ]?)"
    rf"|\(0[0-9]{{1,4}}\)[ ]?[0-9]{{1,4}}{_GAP})[0-9]{{3,4}}(?![0-9]|[-ー.][0-9])"
)
_LABELLED = re.compile(
    r"(?:(?<![A-Za-z])(?:TEL|FAX|Phone|Telephone)|電話(?:番号)?|携帯)[ .:]{0,4}(?P<digits>0[0-9]{9,10})(?![0-9])",
    re.IGNORECASE,
)
_INTERNATIONAL = re.compile(
    r"(?<![0-9A-Za-z+])\+(?P<country>[1-9][0-9]{0,2})(?:[-. ]?\(0?(?P<area>[0-9]{0,4})\))?"
    r"(?P<rest>(?:[-. ]?[0-9]){6,12})(?![0-9])"
)
_AMERICAN = re.compile(
    rf"{_ALONE}(?:\([2-9][0-9]{{2}}\)[ ]?|[2-9][0-9]{{2}}[-.])[2-9][0-9]{{2}}[-.][0-9]{{4}}(?![0-9]|[-.][0-9])"
)

_LENGTHS = (10, 11)
"""Digits of a Japanese number with its trunk zero: fixed lines and free dials 10, mobile and IP telephones 11."""


def find(folded: str) -> Iterator[Match]:
    """Every postal code and telephone number of a folded text, overlaps included."""
    for match in _POSTAL.finditer(folded):
        digits = _digits(match["marked"] or match["bare"])
        yield Match(POSTAL_CODE, *match.span(), 0.95, f"{digits[:3]}-{digits[3:]}")
    for match in _JAPANESE.finditer(folded):
        digits = _digits(match.group())
        if len(digits) in _LENGTHS:
            yield Match(PHONE, *match.span(), 0.9, _e164(digits))
    for match in _LABELLED.finditer(folded):
        yield Match(PHONE, *match.span("digits"), 0.9, _e164(match["digits"]))
    for match in _INTERNATIONAL.finditer(folded):
        # +81 (0)3 1234 5678 shows the trunk zero for callers at home; it is not part of the number.
        number = match["country"] + (match["area"] or "") + match["rest"]
        yield Match(PHONE, *match.span(), 0.95, f"+{_digits(number)}")
    for match in _AMERICAN.finditer(folded):
        yield Match(PHONE, *match.span(), 0.8, f"+1{_digits(match.group())}")


def _e164(national: str) -> str | None:
    """A Japanese number without its trunk zero; free dials (0120, 0800) cannot be called from abroad and stay.

    ``None`` behind 010, which Japan dials abroad with and Korea's mobile numbers begin with.
    """
    if national.startswith("010"):
        return None
    return national if national.startswith(("0120", "0800", "0570")) else f"+81{national[1:]}"


def _digits(printed: str) -> str:
    return re.sub("[^0-9]", "", printed)
