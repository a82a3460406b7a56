"""E-mail addresses, registration numbers of invoice issuers (登録番号) and invoice numbers.

Local parts and host names have the bounded lengths of RFC 5321, section 4.5.3.1, which also keeps the search linear.
"""

import re
from collections.abc import Iterator

from indx_core.engines.ner_patterns.labels import EMAIL, INVOICE, REGISTRATION
from indx_core.engines.ner_patterns.matches import Match

_EMAIL = re.compile(
    r"(?<![A-Za-z0-9._%+-])(?P<local>[A-Za-z0-9_%+][A-Za-z0-9._%+-]{0,63})@"
    r"(?P<host>(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,8}[A-Za-z]{2,24})(?![A-Za-z0-9-])"
)
_REGISTRATION = re.compile(r"(?<![A-Za-z0-9])T[ -]?(?P<digits>[0-9](?:[ -]?[0-9]){12})(?![0-9]|-[0-9])")
_INVOICE = re.compile(
    r"(?:請求書?(?:番号|[ ]?No\.?|[ ]?№)|インボイス(?:番号|[ ]?No\.?)|(?<![A-Za-z])(?:Tax[ ])?"
    r"Invoice[ ]?(?:Number|Nr\.?|No\.?|ID|#)|(?<![A-Za-z])INV[ ]?(?:No\.?|#))"
    r"[ \t]{0,8}[:#.]?[ \t]{0,8}\n?[ \t]{0,8}(?P<number>[A-Za-z0-9](?:[A-Za-z0-9_]|[-/.](?=[A-Za-z0-9])){0,39})",
    re.IGNORECASE,
)
_BARE_INVOICE = re.compile(r"(?<![A-Za-z0-9])INV[-_#]?(?:[0-9]|[-_/](?=[0-9])){3,30}(?![A-Za-z0-9])")


def find(folded: str) -> Iterator[Match]:
    """Every identifier of a folded text, overlaps included."""
    for match in _EMAIL.finditer(folded):
        yield Match(EMAIL, *match.span(), 1.0, f"{match['local']}@{match['host'].lower()}")
    yield from _registrations(folded)
    for match in _INVOICE.finditer(folded):
        if any(character.isdigit() for character in match["number"]):
            yield Match(INVOICE, *match.span("number"), 0.9)
    for match in _BARE_INVOICE.finditer(folded):
        yield Match(INVOICE, *match.span(), 0.8)


def _registrations(folded: str) -> Iterator[Match]:
    """With the right check digit certain and normalised; with a wrong one (misread, or an example) doubtful."""
    for match in _REGISTRATION.finditer(folded):
        digits = re.sub(r"[ -]", "", match["digits"])
        if check_digit(digits[1:]) == int(digits[0]):
            yield Match(REGISTRATION, *match.span(), 1.0, f"T{digits}")
        else:
            yield Match(REGISTRATION, *match.span(), 0.5)


def check_digit(base: str) -> int:
    """First digit of a corporate number, from the other twelve.

    9 - (sum of P(n) x Q(n) mod 9), where P(n) is the n-th digit from the right and Q(n) is 1 for odd n and 2 for even
    n: ministerial ordinance on the designation of corporate numbers (法人番号の指定等に関する省令), article 2.
    """
    weighted = (int(digit) * (1 if n % 2 else 2) for n, digit in enumerate(reversed(base), start=1))
    return 9 - sum(weighted) % 9
