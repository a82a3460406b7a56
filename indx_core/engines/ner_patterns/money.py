"""Amounts of money, as printed, with currency and value in the form ``JPY 1200``.

``¥1,200``, ``1,200千円``, ``3億5,000万円``, ``金百万円也``, ``US$1.5 million``, ``EUR 1,200.50``. A yen sign is read as
JPY and a bare dollar as USD. A number without a currency is no amount.
"""

import re
from collections.abc import Iterator
from decimal import Decimal

from indx_core.engines.ner_patterns.labels import MONEY
from indx_core.engines.ner_patterns.matches import Match
from indx_core.engines.ner_patterns.numerals import KANJI, LARGE, SMALL, number

_CONFIDENCE = 0.95

_SIGNS = {"¥": "JPY", "€": "EUR", "£": "GBP", "₩": "KRW", "₹": "INR", "$": "USD"}
_DOLLARS = {
    "US": "USD",
    "U.S.": "USD",
    "A": "AUD",
    "AU": "AUD",
    "C": "CAD",
    "CA": "CAD",
    "HK": "HKD",
    "NT": "TWD",
    "S": "SGD",
}
_CODES = ("JPY", "USD", "EUR", "GBP", "CNY", "KRW", "AUD", "CAD", "CHF", "HKD", "SGD", "TWD", "INR", "THB", "NZD")
_WORDS = {
    "円": "JPY",
    "ドル": "USD",
    "米ドル": "USD",
    "豪ドル": "AUD",
    "香港ドル": "HKD",
    "ユーロ": "EUR",
    "英ポンド": "GBP",
    "人民元": "CNY",
    "yen": "JPY",
    "dollars": "USD",
    "euros": "EUR",
}
_SCALES = {
    "thousand": 3,
    "million": 6,
    "billion": 9,
    "trillion": 12,
    "mn": 6,
    "bn": 9,
    "tn": 12,
    "k": 3,
    "m": 6,
    "b": 9,
}
_UNITS = {"千万": 10**7, "百万": 10**6, "十万": 10**5, "千億": 10**11, "百億": 10**10, "十億": 10**9} | LARGE | SMALL

_BEFORE = r"(?<![0-9A-Za-z.,])"
_MINUS = r"(?:(?<!円)(?P<minus>[-△▲]))?"  # behind a number, or 円, a hyphen is that of a range
_PLAIN = r"(?:[0-9]{1,3}(?:,[0-9]{3}){1,6}|[0-9]{1,18})(?:\.[0-9]{1,6})?"
_UNIT = "|".join(_UNITS)
_COUNTED = rf"{_PLAIN}(?:[ ]?(?:{_UNIT})(?:[0-9]{{1,4}}(?:,[0-9]{{3}})?(?:{_UNIT}|(?=[円ド]))){{0,4}})?"
_SCALE = rf"(?:[ -]?(?P<scale>{'|'.join(sorted(_SCALES, key=len, reverse=True))})(?![A-Za-z]))?"

_LEADING = re.compile(
    rf"{_BEFORE}{_MINUS}(?:(?P<dollar>{'|'.join(re.escape(each) for each in _DOLLARS)})?(?P<sign>[{''.join(_SIGNS)}])"
    rf"|(?P<code>{'|'.join(_CODES)}))[ ]?(?P<inner>[-△▲])?(?P<amount>{_PLAIN})(?P<unit>(?:{_UNIT})(?![0-9]))?"
    rf"{_SCALE}(?![0-9]|[.,][0-9])",
    re.IGNORECASE,
)
_WORD = "|".join(sorted(_WORDS, key=len, reverse=True))
_TRAILING = re.compile(
    rf"{_BEFORE}{_MINUS}(?P<amount>{_COUNTED}){_SCALE}[ ]?"
    rf"(?:(?P<word>{_WORD})|(?P<code>{'|'.join(_CODES)}))(?![A-Za-z])",
    re.IGNORECASE,
)
_WRITTEN = re.compile(rf"金(?P<amount>[{KANJI}]{{1,20}})円(?:也)?")
_STEP = re.compile(rf"({_PLAIN})[ ]?({_UNIT})?")


def find(folded: str) -> Iterator[Match]:
    """Every amount of a folded text, overlaps included."""
    for match in _LEADING.finditer(folded):
        currency = (match["code"] or _DOLLARS.get((match["dollar"] or "").upper()) or _SIGNS[match["sign"]]).upper()
        yield _amount(match, currency, minus=bool(match["minus"] or match["inner"]), unit=match["unit"])
    for match in _TRAILING.finditer(folded):
        currency = match["code"].upper() if match["code"] else _WORDS[match["word"].lower()]
        yield _amount(match, currency, minus=bool(match["minus"]))
    for match in _WRITTEN.finditer(folded):
        value = number(match["amount"])
        yield Match(MONEY, *match.span(), _CONFIDENCE, None if value is None else f"JPY {value}")


def _amount(match: re.Match[str], currency: str, *, minus: bool, unit: str | None = None) -> Match:
    value = _value(match["amount"]) * _UNITS.get(unit or "", 1)
    value = value.scaleb(_SCALES.get((match["scale"] or "").lower(), 0)) * (-1 if minus else 1)
    return Match(MONEY, *match.span(), _CONFIDENCE, f"{currency} {_canonical(value)}")


def _value(written: str) -> Decimal:
    """The sum of its steps: ``3億5,000万`` is 3 x 10^8 + 5000 x 10^4."""
    total = Decimal(0)
    for step in _STEP.finditer(written):
        total += Decimal(step[1].replace(",", "")) * _UNITS.get(step[2] or "", 1)
    return total


def _canonical(value: Decimal) -> str:
    """Plain digits without an exponent, grouping or trailing zeros, so that equal amounts are equal texts."""
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
