"""What an invoice prints, as fields: numbers and dates as printed, money as digit strings, nothing invented."""

import pytest
from signatures.invoice.invoices import ENGLISH, JAPANESE, LETTER

from indx_core.signatures.invoice.fields import has_title, invoice_fields
from indx_core.signatures.invoice.signature import SIGNALS, signals_of
from indx_core.signatures.invoice.values import digit_string


def amounts(text: str) -> list[tuple[str, str, str | None]]:
    return [(each["role"], each["amount"], each.get("currency")) for each in invoice_fields(text).amounts]


def dates(text: str) -> list[tuple[str, str]]:
    return [(each["role"], each["date"]) for each in invoice_fields(text).dates]


def test_an_english_invoice() -> None:
    assert invoice_fields(ENGLISH).to_metadata() == {
        "number": "MRFL4LVY-0006",
        "dates": [
            {"role": "issued", "label": "Date of issue", "date": "April 1, 2026"},
            {"role": "due", "label": "Date due", "date": "April 20, 2026"},
        ],
        "amounts": [
            {"role": "subtotal", "label": "Subtotal", "amount": "100.00", "currency": "USD"},
            {"role": "tax", "label": "Sales tax", "amount": "10.00", "currency": "USD"},
            {"role": "due", "label": "Amount due", "amount": "110.00", "currency": "USD"},
        ],
    }


def test_a_japanese_invoice_in_full_width_characters_stays_as_printed_but_for_its_money() -> None:
    assert invoice_fields(JAPANESE).to_metadata() == {
        "number": "ＫＴ－２０２６－００４２",
        "dates": [
            {"role": "issued", "label": "発行日", "date": "２０２６年４月１日"},
            {"role": "due", "label": "お支払期限", "date": "令和8年4月30日"},
        ],
        "amounts": [
            {"role": "subtotal", "label": "小計", "amount": "100000"},
            {"role": "tax", "label": "消費税", "amount": "10000", "currency": "JPY"},
            {"role": "total", "label": "合計金額", "amount": "110000", "currency": "JPY"},
        ],
    }


def test_a_page_that_states_nothing_has_no_fields() -> None:
    assert invoice_fields("nothing of the kind").to_metadata() == {}


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Invoice No. 2026/17", "2026/17"),
        ("INVOICE #A-1", "A-1"),
        ("Invoice Number:\n  INV.3", "INV.3"),
        ("Tax Invoice ID: 00017", "00017"),
        ("請求番号 INV-2026-0417 発行日 2026年9月30日", "INV-2026-0417"),
        ("請求書No.123", "123"),
        ("INVOICE 2020-10 January 8, 2020", "2020-10"),
        ("your reference INV-20417", "INV-20417"),
        ("Invoice number Invoice date", None),
        ("Invoice 12 of 30", None),
        ("invoice number to follow", None),
    ],
)
def test_numbers(text: str, number: str | None) -> None:
    assert invoice_fields(text).number == number


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Due Date: 5/8/2026", [("due", "5/8/2026")]),
        ("Invoice date 2026-04-01", [("issued", "2026-04-01")]),
        ("Date: 1 April 2026", [("issued", "1 April 2026")]),
        ("Pay by 1st May, 2026", [("due", "1st May, 2026")]),
        ("Date of supply\n01.04.26", [("supplied", "01.04.26")]),
        ("お支払期限は2026年5月31日です", [("due", "2026年5月31日")]),
        ("ご請求日：R8.4.1", [("issued", "R8.4.1")]),
        ("取引年月日 2026/4/1", [("supplied", "2026/4/1")]),
        ("Due in 30 days", []),
        ("Payment due within 30 days", []),
        ("Update: 2026-04-01", []),
        ("Due date: upon receipt", []),
    ],
)
def test_dates(text: str, expected: list[tuple[str, str]]) -> None:
    assert dates(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Total: $1,234.50", [("total", "1234.50", "USD")]),
        ("TOTAL DUE US$ 5", [("due", "5", "USD")]),
        ("Total 1.234,50 €", [("total", "1234.50", "EUR")]),
        ("Grand total\n¥1,000", [("total", "1000", "JPY")]),
        ("Total 3 $30.00", [("total", "30.00", "USD")]),
        ("Total EUR 12", [("total", "12", "EUR")]),
        ("Total -$5.00", [("total", "-5.00", "USD")]),
        ("合計 △1,200円", [("total", "-1200", "JPY")]),
        ("合　計　１２，０００", [("total", "12000", None)]),
        ("ご請求金額　￥110,000-（税込）", [("due", "110000", "JPY")]),
        ("消費税（10％） 48,340", [("tax", "48340", None)]),
        ("VAT 20% £4.00", [("tax", "4.00", "GBP")]),
        ("Subtotal $1.00\nTotal $2.00", [("subtotal", "1.00", "USD"), ("total", "2.00", "USD")]),
        ("合計\t\t531,740", [("total", "531740", None)]),
        ("Total 5 pages", []),
        ("VAT: 123456789", []),
        ("Tax ID 12-345", []),
        ("Total 2026-04-01", []),
        ("合計 5千円", []),
        ("Total 20%", []),
        ("部門合計 100円", []),
        ("Totally 5", []),
    ],
)
def test_amounts(text: str, expected: list[tuple[str, str, str | None]]) -> None:
    assert amounts(text) == expected


@pytest.mark.parametrize(
    ("written", "digits"),
    [
        ("1", "1"),
        ("1,234", "1234"),
        ("1.234", "1234"),
        ("1,234.5", "1234.5"),
        ("1.234,50", "1234.50"),
        ("1'000'000", "1000000"),
        ("12.00", "12.00"),
        ("0,5", "0.5"),
    ],
)
def test_money_is_a_string_of_digits(written: str, digits: str) -> None:
    assert digit_string(written) == digits


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("Invoice", True),
        ("TAX INVOICE", True),
        ("Acme Corp            INVOICE", True),
        ("INVOICE 2020-10 January 8, 2020", True),
        ("請 求 書", True),
        ("ご請求書（控）", True),
        ("a\t御請求書\tb", True),
        ("Invoice number 17", False),
        ("Invoice date 2026-04-01", False),
        ("Please find our invoice attached", False),
        ("Invoice processing and its automation", False),
        ("請求書の発行について", False),
        ("請求書番号 17", False),
        ("毎月末日に、請求書を発行する。", False),
    ],
)
def test_a_heading_is_told_from_a_sentence(line: str, title: bool) -> None:
    assert has_title(f"before\n{line}\nafter") is title


@pytest.mark.parametrize(
    ("text", "signals"), [(ENGLISH, set(SIGNALS)), (JAPANESE, set(SIGNALS)), (LETTER, set()), ("", set())]
)
def test_signals(text: str, signals: set[str]) -> None:
    assert signals_of(text) == signals


@pytest.mark.parametrize(
    "unit",
    ["Total ", "Total 1 2 ", "合計 (10%) ", "Due: ", "Invoice ", "INVOICE ", "1,", "請 ", "\t", " ", "\n ", "INV-1-"],
)
def test_a_long_page_of_one_thing_over_and_over_shows_one_sign_of_an_invoice_at_most(unit: str) -> None:
    """And is searched at once: a quadratic pattern would take minutes for a tenth of a megabyte."""
    assert len(signals_of(unit * (100_000 // len(unit)))) <= 1
