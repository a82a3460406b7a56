"""What invoices print beside their values, in English and Japanese, and the patterns of a label with its value.

A label names a role; the value follows on its line, or on the next where its line ends. Patterns run on folded text and
are bounded like those of ``values``.
"""

import re
from collections.abc import Mapping

from indx_core.signatures.invoice.values import BARE, DATE, MONEY, NUMBER, PLAIN_NUMBER

DATE_LABELS: Mapping[str, str] = {
    "due": r"(?:Payment )?Due (?:Date|on|by)|Date due|Payment due(?: date)?|Pay(?:able)? by|Due(?=[ ]?:)"
    r"|お?支払い?(?:期限|期日)|お?振込み?(?:期限|期日)|ご?入金(?:期限|期日)|納付期限",
    "issued": r"(?:Invoice|Issue|Billing) date|Date(?: of)? (?:issued?|invoice)|Issued(?: on)?|Date(?=[ ]?:)"
    r"|ご?請求(?:書発行)?日|発行(?:年月)?日|作成日|日付",
    "supplied": r"Date of supply|(?:Delivery|Service) date|取引(?:年月)?日|納品日",
}
AMOUNT_LABELS: Mapping[str, str] = {
    "due": r"(?:Amount|Balance|Total) (?:due|payable)|差引請求額"
    r"|(?:ご|御)?請求(?:金額|額|合計)(?:合計)?(?:金額|額)?|お?支払い?(?:金額|額)",
    "subtotal": r"Sub[- ]?total|Total excluding tax|小[ ]{0,4}計|税抜き?(?:合計|金額)(?:金額|額)?",
    "tax": r"(?:Sales |Consumption )?Tax|VAT|GST|内?消費税(?:額)?(?:等)?",
    "total": r"(?:Grand |Invoice )?Total(?: amount)?|総合計"
    r"|(?:税込み?)?合[ ]{0,4}計(?:金額|額)?(?:\(税込\))?|税込金額|総額",
}
_NUMBER_LABELS = (
    r"(?:Tax )?Invoice[ ]?(?:Number|Nr\.?|No\.?|ID|#)|(?<![A-Za-z])INV[ ]?(?:No\.?|#)"
    r"|請求書?(?:番号|[ ]?No\.?|[ ]?№)|インボイス(?:番号|[ ]?No\.?)"
)

_ALONE = r"(?<![A-Za-z一-鿿])"
"""A label starts a word: ``Subtotal`` holds no total, 部門合計 none of the whole."""
_END = r"(?![A-Za-z])"
_BETWEEN = r"[ \t:|=は]{0,40}"
_NEXT_LINE = r"(?:\r?\n[ \t]{0,8})?"
_REMARK = rf"(?:\([^()\n]{{0,20}}\){_BETWEEN})?(?:@?[ ]?[0-9]{{1,2}}(?:\.[0-9]{{1,2}})?[ ]?%{_BETWEEN})?"
"""``(10%)``, ``8%``: a rate or a remark between a label and its amount."""
_COUNTS = rf"(?:{PLAIN_NUMBER}[ \t]{{1,40}}){{0,2}}?"
"""Quantities that a row of totals prints before its amount."""


def _labelled(labels: Mapping[str, str], value: str) -> re.Pattern[str]:
    roles = "|".join(f"(?P<{role}>{pattern})" for role, pattern in labels.items())
    return re.compile(rf"{_ALONE}(?P<label>{roles}){_END}{value}", re.IGNORECASE | re.MULTILINE)


LABELLED_DATE = _labelled(DATE_LABELS, rf"{_BETWEEN}{_NEXT_LINE}(?P<date>{DATE})")
LABELLED_AMOUNT = _labelled(
    AMOUNT_LABELS,
    rf"{_BETWEEN}{_REMARK}{_NEXT_LINE}{_COUNTS}(?:{MONEY}|{BARE}(?=[ \t]{{0,40}}(?:\r?$|\Z)))",
)
LABELLED_NUMBER = re.compile(
    rf"(?:{_NUMBER_LABELS})[.:#]{{0,2}}{_BETWEEN}{_NEXT_LINE}(?P<number>{NUMBER})", re.IGNORECASE
)
HEADED_NUMBER = re.compile(
    r"^[ ]{0,80}(?:Tax |TAX )?(?:Invoice|INVOICE)[ ]{1,4}(?P<number>[A-Z0-9](?:[A-Z0-9]|[-/.](?=[A-Z0-9])){2,39})"
    r"(?![A-Za-z0-9])",
    re.MULTILINE,
)
"""``INVOICE 2020-10``: the number behind the heading, without a label."""
BARE_NUMBER = re.compile(r"(?<![A-Za-z0-9])(?P<number>INV[-_#]?(?:[0-9]|[-_/](?=[0-9])){3,30})(?![A-Za-z0-9])")
"""``INV-2026-0417`` says by itself what it is."""

TITLE = re.compile(
    r"^[ ]{0,80}(?:(?:Tax|Sales|Commercial|Service|VAT|TAX|SALES|COMMERCIAL|SERVICE) )?(?:Invoice|INVOICE)"
    r"(?![A-Za-z])(?![ ]{0,2}(?:(?i:number|nr|no|id|date|total|amount|to|for)(?![A-Za-z])|#))[^a-z\n]{0,40}$"
    r"|^[ ]{0,80}INVOICE[ ]{1,4}(?=[^ ]{0,40}[0-9])[^\n.]{0,60}$|(?<![A-Za-z])INVOICE[ ]{0,80}$"
    r"|^[^\n。、]{0,12}請[ ]{0,4}求[ ]{0,4}(?:明[ ]{0,4}細[ ]{0,4})?書(?!番号|[ ]?No|[のをにはがと等])[^\n。、]{0,12}$",
    re.MULTILINE,
)
"""The word as the heading of a line or a cell. In a sentence it makes contracts and manuals invoices."""
