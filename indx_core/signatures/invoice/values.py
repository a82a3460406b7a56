"""How dates, amounts and numbers of invoices are printed: patterns of the values alone, and money as a digit string.

Every repetition is bounded, so a search is linear in the text. Patterns run on folded text (``fold``).
"""

import re
import unicodedata

_FOLD = {
    code: folded
    for code in (*range(0xFF01, 0xFF5F), 0x3000, 0xFFE5, 0xA0)
    if len(folded := unicodedata.normalize("NFKC", chr(code))) == 1
} | dict.fromkeys(map(ord, "‐‑‒–—−"), "-")


def fold(text: str) -> str:
    """Full-width letters, digits and signs as ASCII; one character for one, so an offset holds in both texts."""
    return text.translate(_FOLD)


_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?"
DATE = "|".join(
    (
        r"(?:令和|平成|昭和|[RHS])?[ ]?(?:[0-9]{1,4}|元)[ ]?年[ ]?[0-9]{1,2}[ ]?月[ ]?[0-9]{1,2}[ ]?日",
        r"[RHS][0-9]{1,2}[./][0-9]{1,2}[./][0-9]{1,2}(?![0-9])",
        r"[12][0-9]{3}[-/.][0-9]{1,2}[-/.][0-9]{1,2}(?![0-9])",
        r"[0-9]{1,2}[-/.][0-9]{1,2}[-/.](?:[12][0-9]{3}|[0-9]{2})(?![0-9])",
        rf"{_MONTH}[ ]{{1,2}}[0-9]{{1,2}}(?:st|nd|rd|th)?,?[ ]{{1,2}}[12][0-9]{{3}}(?![0-9])",
        rf"[0-9]{{1,2}}(?:st|nd|rd|th)?(?:[ ]{{1,2}}|-){_MONTH}(?:,?[ ]{{1,2}}|-)[12][0-9]{{3}}(?![0-9])",
    )
)
"""A whole date of either calendar. Which of 5 and 8 is the month in 5/8/2026 is not asked: dates stay as printed."""

NUMBER = r"[A-Za-z0-9](?:[A-Za-z0-9_]|[-/.](?=[A-Za-z0-9])){0,39}"
"""What an invoice is numbered with; at least one of its characters has to be a digit."""

_SIGNS = {"US$": "USD", "A$": "AUD", "C$": "CAD", "HK$": "HKD", "NT$": "TWD", "S$": "SGD"} | {
    "$": "USD",
    "€": "EUR",
    "£": "GBP",
    "¥": "JPY",
    "\\": "JPY",
    "₩": "KRW",
    "₹": "INR",
    "円": "JPY",
    "ドル": "USD",
    "ユーロ": "EUR",
}
"""A bare dollar is read as USD and a yen sign as JPY. Japanese fonts and encodings draw the backslash as a yen sign."""
_CODES = ("JPY", "USD", "EUR", "GBP", "CNY", "KRW", "AUD", "CAD", "CHF", "HKD", "SGD", "TWD", "INR")
_CURRENCY = "|".join((*(re.escape(sign) for sign in _SIGNS), *_CODES))
_DIGITS = r"(?:[0-9]{1,3}(?:[,.'][0-9]{3}){1,5}|[0-9]{1,12})(?:[.,][0-9]{1,2})?"
_COMPLETE = r"(?![0-9]|[.,'/:-][0-9]|[ ]?[%年月日千百万億])"
"""Behind an amount there is no more of a number, no date and no rate; 千円 and 万円 count other than in single yen."""

PLAIN_NUMBER = rf"-?{_DIGITS}{_COMPLETE}"
_MINUS = "[-△▲]"
MONEY = (
    rf"(?P<minus>{_MINUS})?(?:(?P<before>{_CURRENCY})[ ]{{0,3}}(?P<inner>-)?(?P<digits>{_DIGITS}){_COMPLETE}"
    rf"|(?P<counted>{_DIGITS})[ ]{{0,2}}(?P<after>{_CURRENCY})(?![ ]{{0,3}}[0-9]))"
)
"""An amount with its currency, before or behind; in ``3 $30.00`` the sign is that of the second number."""
BARE = rf"(?P<bare>{_MINUS}?(?:[0-9]{{1,3}}(?:[,.'][0-9]{{3}}){{1,5}}|[0-9]{{1,7}})(?:[.,][0-9]{{1,2}})?){_COMPLETE}"
"""An amount without one. Nobody writes eight digits of money ungrouped; tax registration numbers have as many."""


def money_of(match: re.Match[str]) -> dict[str, str]:
    """``{"amount": "1200.50", "currency": "USD"}``; the currency is left out where none is printed.

    Money in a float is a rounding waiting to happen, so an amount is a string of digits with a point and a minus sign
    where it has them.
    """
    written = match["digits"] or match["counted"] or match["bare"]
    negative = match["minus"] or match["inner"] or written[0] in "-△▲"
    found = {"amount": ("-" if negative else "") + digit_string(written.lstrip("-△▲"))}
    if currency := match["before"] or match["after"]:
        found["currency"] = _SIGNS.get(currency, currency)
    return found


def digit_string(written: str) -> str:
    """Digits without grouping: ``1,234.5`` and ``1.234,5`` are ``1234.5``.

    A last group of one or two digits is a fraction, one of three is grouped: no currency here has thousandths.
    """
    groups = re.split(r"[,.']", written)
    if len(groups) > 1 and len(groups[-1]) < 3:
        return f"{''.join(groups[:-1])}.{groups[-1]}"
    return "".join(groups)
