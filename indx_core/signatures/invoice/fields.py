"""What one page of an invoice states: its number, its dates, its amounts, each as printed and with the label beside it.

Nothing is computed, chosen or carried from page to page: two totals are two amounts, and the caller sees which label
each stood behind.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from indx_core.signatures.invoice.labels import (
    AMOUNT_LABELS,
    BARE_NUMBER,
    DATE_LABELS,
    HEADED_NUMBER,
    LABELLED_AMOUNT,
    LABELLED_DATE,
    LABELLED_NUMBER,
    TITLE,
)
from indx_core.signatures.invoice.values import fold, money_of


@dataclass(frozen=True, slots=True)
class InvoiceFields:
    """The fields of one page, in the order of its text.

    Attributes:
        number: What the invoice is numbered with.
        dates: ``{"role", "label", "date"}``; role is ``issued``, ``due`` or ``supplied``, the others are as printed.
        amounts: ``{"role", "label", "amount", "currency"}``; role is ``total``, ``due``, ``subtotal`` or ``tax``, the
            amount a digit string; no currency where none is printed.
    """

    number: str | None = None
    dates: tuple[dict[str, str], ...] = ()
    amounts: tuple[dict[str, str], ...] = ()

    def to_metadata(self) -> dict[str, Any]:
        """JSON-ready, what the page does not state left out."""
        fields = {"number": self.number, "dates": list(self.dates), "amounts": list(self.amounts)}
        return {name: value for name, value in fields.items() if value}


def invoice_fields(text: str) -> InvoiceFields:
    """The fields that a page's text states."""
    folded = fold(text)
    dates = tuple(
        {
            "role": _role(match, DATE_LABELS),
            "label": _printed(text, match, "label"),
            "date": _printed(text, match, "date"),
        }
        for match in LABELLED_DATE.finditer(folded)
    )
    amounts = tuple(
        {"role": _role(match, AMOUNT_LABELS), "label": _printed(text, match, "label"), **money_of(match)}
        for match in LABELLED_AMOUNT.finditer(folded)
    )
    return InvoiceFields(_number(text, folded), dates, amounts)


def has_title(text: str) -> bool:
    """Whether a line, or a cell, is headed as an invoice."""
    return TITLE.search(fold(text).replace("\t", "\n")) is not None


def _number(text: str, folded: str) -> str | None:
    """The first there is of: labelled, behind the heading, telling by its own form."""
    for pattern in (LABELLED_NUMBER, HEADED_NUMBER, BARE_NUMBER):
        for match in pattern.finditer(folded):
            if any(character.isdigit() for character in match["number"]):
                return _printed(text, match, "number")
    return None


def _role(match: re.Match[str], labels: Mapping[str, str]) -> str:
    return next(role for role in labels if match[role] is not None)


def _printed(text: str, match: re.Match[str], group: str) -> str:
    return text[match.start(group) : match.end(group)]
