"""What the patterns find, in which normalised form, and what they leave alone."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indx_core.engines.ner_patterns import CONTRIBUTION
from indx_core.engines.ner_patterns.extractor import PatternsExtractor
from indx_core.engines.ner_patterns.identifiers import check_digit
from indx_core.engines.ner_patterns.labels import LABELS
from indx_core.testing.conformance import TRICKY_TEXTS, check_extractor

EXTRACTOR = PatternsExtractor()


def found(text: str) -> list[tuple[str, str, str | None]]:
    return [(span.label, span.surface, span.normalized) for span in EXTRACTOR.extract([text])[0].spans]


def only(text: str, label: str) -> list[tuple[str, str | None]]:
    return [(surface, normalized) for each, surface, normalized in found(text) if each == label]


def test_it_conforms() -> None:
    check_extractor(EXTRACTOR, ["請求日 2026年3月31日 合計 ¥1,200", "Invoice No. A-1 of March 31, 2026"])


def test_every_installation_has_it_for_pages_and_chunks() -> None:
    (extractor,) = CONTRIBUTION.extractors
    assert extractor.descriptor.id == "patterns"
    assert extractor.descriptor.units == ("page", "chunk")
    assert extractor.descriptor.provides == LABELS


@pytest.mark.parametrize(
    ("printed", "iso"),
    [
        ("2026年3月31日", "2026-03-31"),
        ("２０２６年３月３１日", "2026-03-31"),
        ("2026 年 3 月 31 日", "2026-03-31"),
        ("二〇二六年三月三十一日", "2026-03-31"),
        ("令和8年3月31日", "2026-03-31"),
        ("令和元年5月1日", "2019-05-01"),
        ("令和８年３月", "2026-03"),
        ("令和8年", "2026"),
        ("平成31年4月30日", "2019-04-30"),
        ("平成35年3月31日", "2023-03-31"),
        ("昭和五十年十月一日", "1975-10-01"),
        ("大正15年12月25日", "1926-12-25"),
        ("明治6年1月1日", "1873-01-01"),
        ("明治5年12月2日", None),
        ("㍻三十一年", "2019"),
        ("㋿8年3月31日", "2026-03-31"),
        ("R8.3.31", "2026-03-31"),
        ("Ｒ８．３．３１", "2026-03-31"),
        ("R8年3月31日", "2026-03-31"),
        ("令和8.3.31", "2026-03-31"),
        ("H31/4/30", "2019-04-30"),
        ("S50-10-1", "1975-10-01"),
        ("3月31日", None),
        ("2026年2月30日", None),
        ("2026-03-31", "2026-03-31"),
        ("2026/3/1", "2026-03-01"),
        ("2026.03.31", "2026-03-31"),
        ("2026‐03‐31", "2026-03-31"),
        ("5/8/2026", None),
        ("05.08.2026", None),
        ("5/5/2026", "2026-05-05"),
        ("31/12/2026", "2026-12-31"),
        ("12-31-2026", "2026-12-31"),
        ("03/31/26", None),
        ("March 31, 2026", "2026-03-31"),
        ("MARCH 31 2026", "2026-03-31"),
        ("Mar. 31, 2026", "2026-03-31"),
        ("31 March 2026", "2026-03-31"),
        ("31st of March 2026", "2026-03-31"),
        ("31-Mar-2026", "2026-03-31"),
        ("March 2026", "2026-03"),
        ("February 29", None),
    ],
)
def test_a_date_keeps_its_print_and_gets_its_iso_form(printed: str, iso: str | None) -> None:
    """None where the print does not say which day: a missing year, an ambiguous order, a lunar month, no such day."""
    assert found(f"日付：{printed}。") == [("date", printed, iso)]


@pytest.mark.parametrize(
    "text",
    [
        "2026年度",
        "2000年間",
        "創業100年",
        "2026-13-01",
        "2026-02-30",
        "T1.2.40",
        "RFC 1.2.3.4",
        "May we march on",
        "version 2026.3.31.1",
        "比 1/2/3/4",
        "February 30",
        "8. Jan Min",
        "1403/09/19",
        "13/13/2026",
    ],
)
def test_what_only_looks_like_a_date_is_none(text: str) -> None:
    assert only(text, "date") == []


@pytest.mark.parametrize(
    ("printed", "value"),
    [
        ("¥1,200", "JPY 1200"),
        ("￥１，２００", "JPY 1200"),
        ("1,200円", "JPY 1200"),
        ("１，２００円", "JPY 1200"),
        ("1200 円", "JPY 1200"),
        ("1,200千円", "JPY 1200000"),
        ("12百万円", "JPY 12000000"),
        ("1.5億円", "JPY 150000000"),
        ("3億5,000万円", "JPY 350000000"),
        ("1兆2,000億円", "JPY 1200000000000"),
        ("5千万円", "JPY 50000000"),
        ("2千5百円", "JPY 2500"),
        ("△1,200円", "JPY -1200"),
        ("▲3百万円", "JPY -3000000"),
        ("¥-300", "JPY -300"),
        ("-¥300", "JPY -300"),
        ("¥3億", "JPY 300000000"),
        ("金壱百万円也", "JPY 1000000"),
        ("金二千三百円", "JPY 2300"),
        ("JPY 1200", "JPY 1200"),
        ("5,000 yen", "JPY 5000"),
        ("$1,200.50", "USD 1200.5"),
        ("$1,200.00", "USD 1200"),
        ("US$1.5 million", "USD 1500000"),
        ("$3bn", "USD 3000000000"),
        ("USD 1,200", "USD 1200"),
        ("1,200 USD", "USD 1200"),
        ("HK$20", "HKD 20"),
        ("100万ドル", "USD 1000000"),
        ("€99.95", "EUR 99.95"),
        ("20ユーロ", "EUR 20"),
        ("£5", "GBP 5"),
        ("1,000人民元", "CNY 1000"),
    ],
)
def test_an_amount_keeps_its_print_and_gets_its_value(printed: str, value: str) -> None:
    assert found(f"計 {printed} です") == [("money", printed, value)]


@pytest.mark.parametrize("text", ["1,200", "1,200人", "100%", "百円ショップ", "第3条", "A$AP", "1.2.3円周率の3"])
def test_a_number_without_a_currency_is_no_amount(text: str) -> None:
    assert only(text, "money") == []


def test_the_hyphen_of_a_range_is_not_a_minus() -> None:
    assert only("100円-200円", "money") == [("100円", "JPY 100"), ("200円", "JPY 200")]
    assert only("¥100-¥200", "money") == [("¥100", "JPY 100"), ("¥200", "JPY 200")]


@pytest.mark.parametrize(
    ("text", "label", "surface", "normalized"),
    [
        ("mail: Taro.Yamada+x@Example.CO.JP.", "email", "Taro.Yamada+x@Example.CO.JP", "Taro.Yamada+x@example.co.jp"),
        ("ｉｎｆｏ＠ｅｘａｍｐｌｅ．ｊｐ", "email", "ｉｎｆｏ＠ｅｘａｍｐｌｅ．ｊｐ", "info@example.jp"),
        ("登録番号:T7000012050002", "registration_number", "T7000012050002", "T7000012050002"),
        (
            "Ｔ７０００－０１２０－５０００２",
            "registration_number",
            "Ｔ７０００－０１２０－５０００２",
            "T7000012050002",
        ),
        ("T7000012050003", "registration_number", "T7000012050003", None),
        ("請求書番号：2026-0031", "invoice_number", "2026-0031", None),
        ("請求番号 第A12号", "invoice_number", None, None),
        ("Invoice No. A-123/4.", "invoice_number", "A-123/4", None),
        ("INVOICE NUMBER\nINV0042", "invoice_number", "INV0042", None),
        ("ref INV-2026-03-31-001", "invoice_number", "INV-2026-03-31-001", None),
        ("Invoice number: see below", "invoice_number", None, None),
        ("〒100-0001", "postal_code", "〒100-0001", "100-0001"),
        ("〒　１００－０００１", "postal_code", "〒　１００－０００１", "100-0001"),
        ("郵便番号：1000001", "postal_code", "郵便番号：1000001", "100-0001"),
        ("100-8111 東京都千代田区", "postal_code", "100-8111", "100-8111"),
        ("品番 100-8111", "postal_code", None, None),
        ("TEL 03-1234-5678", "phone", "03-1234-5678", "+81312345678"),
        ("０３（１２３４）５６７８", "phone", "０３（１２３４）５６７８", "+81312345678"),
        ("(03) 1234-5678", "phone", "(03) 1234-5678", "+81312345678"),
        ("090-1234-5678", "phone", "090-1234-5678", "+819012345678"),
        ("03ー1234ー5678", "phone", "03ー1234ー5678", "+81312345678"),
        ("0120-123-456", "phone", "0120-123-456", "0120123456"),
        ("電話番号：0312345678", "phone", "0312345678", "+81312345678"),
        ("+81 (0)3 1234 5678", "phone", "+81 (0)3 1234 5678", "+81312345678"),
        ("010-1234-5678", "phone", "010-1234-5678", None),
        ("+44 20 7946 0958", "phone", "+44 20 7946 0958", "+442079460958"),
        ("(415) 555-0132", "phone", "(415) 555-0132", "+14155550132"),
        ("03-12-2026", "phone", None, None),
        ("品番 0312345678", "phone", None, None),
        ("012-345-678-901", "phone", None, None),
    ],
)
def test_numbers_and_addresses(text: str, label: str, surface: str | None, normalized: str | None) -> None:
    assert only(text, label) == ([] if surface is None else [(surface, normalized)])


def test_a_wrong_check_digit_makes_a_registration_number_doubtful() -> None:
    """An example number (T1234567890123) or a misread digit: shown as printed, and not passed off as the real one."""
    right, wrong = (EXTRACTOR.extract([text])[0].spans[0] for text in ("T7000012050002", "T1234567890123"))
    assert (right.confidence, wrong.confidence) == (1.0, 0.5)
    assert wrong.normalized is None


def test_the_check_digit_is_that_of_the_ordinance() -> None:
    """National Tax Agency 7000012050002, National Diet 1000012010003, Toyota 1180301018771."""
    assert [check_digit(n[1:]) for n in ("7000012050002", "1000012010003", "1180301018771")] == [7, 1, 1]


def test_the_leftmost_then_the_longest_of_overlapping_finds_stays() -> None:
    assert found("請求書番号: 2026-03-31-7") == [("invoice_number", "2026-03-31-7", None)]
    assert found("INVOICE 2020-10 January 8, 2020") == [("date", "January 8, 2020", "2020-01-08")]
    assert found("Mar 2026-03-31") == [("date", "2026-03-31", "2026-03-31")]
    assert found("登録番号 T7000012050002") == [("registration_number", "T7000012050002", "T7000012050002")]


@settings(max_examples=60, deadline=None)
@given(
    st.text(
        st.sampled_from("令和昭元年月日〒ー-−/.,:@ \n　０1２3９¥￥$円万億千TRINVａbか\u3099🧾𠮷㍻\u200d"), max_size=60
    )
)
def test_spans_are_those_of_the_text_and_never_overlap(text: str) -> None:
    spans = EXTRACTOR.extract([text])[0].spans
    assert all(text[span.start : span.end] == span.surface for span in spans)
    assert all(one.end <= other.start for one, other in pairwise(spans))


@pytest.mark.parametrize("text", TRICKY_TEXTS)
def test_the_place_of_a_find_counts_characters_of_the_text_as_it_stands(text: str) -> None:
    (span,) = (s for s in EXTRACTOR.extract([f"{text} 2026-03-31"])[0].spans if s.end == len(text) + 11)
    assert span.surface == "2026-03-31"
    assert span.start == len(text) + 1


ADVERSARIAL = ["a", "a.", "a@", "a@a.", "1", "1,", "1-", "1/", "1万", "0 ", "T1 ", "+1", "〒1", "一", "令和", "R8.", "Mar ", " ", "金", "¥", "Invoice No ", "(03", "\n", "-"]  # fmt: skip


@pytest.mark.parametrize("piece", ADVERSARIAL)
def test_a_text_that_never_completes_a_pattern_costs_no_more_than_its_length(piece: str) -> None:
    """With a pattern that looks back, 50,000 characters take minutes instead of a tenth of a second."""
    assert EXTRACTOR.extract([piece * (50_000 // len(piece))])


@pytest.mark.slow
@pytest.mark.parametrize("piece", ADVERSARIAL)
def test_a_megabyte_that_never_completes_a_pattern_is_read_to_its_end(piece: str) -> None:
    text = piece * (1_000_000 // len(piece)) + "\n。2026-03-31"
    assert EXTRACTOR.extract([text])[0].spans[-1].surface == "2026-03-31"
