"""Values through number formats, as Excel shows them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_core.formats.office.sheet.iso_dates import serial_of
from indx_core.formats.office.sheet.number_format import Renderer
from indx_core.formats.office.sheet.number_format.builtin import builtin_code

V = 12345.6789


@pytest.mark.parametrize(
    ("code", "value", "text"),
    [
        ("0", V, "12346"), ("0.00", V, "12345.68"), ("#,##0", V, "12,346"), ("#,##0.00", -V, "-12,345.68"),
        ("#,###", 1234567, "1,234,567"), ("#.##", 5, "5."), ("#.##", 0.5, ".5"), ("#,##0.0#", 1234.5, "1,234.5"),
        ("00000", 12, "00012"), ("000-0000", 1234567, "123-4567"), ("(###) ###-####", 2125551234, "(212) 555-1234"),
        ("0%", 0.125, "13%"), ("0.0%", 0.1234, "12.3%"), ("0.00E+00", V, "1.23E+04"), ("0.000E-00", 1234, "1.234E03"),
        ("##0.0E+0", V, "12.3E+3"), ("0.0E+0", 99.99, "1.0E+2"), ('0.0,,"M"', 1234567, "1.2M"), ("#,##0,", 1234567, "1,235"),
        ("# ?/?", V, "12345 2/3"), ("# ??/??", V, "12345 55/81"), ("?/?", 0.5, "1/2"), ("# ?/4", 1.25, "1 1/4"),
        ("# ?/?", 3, "3"), ("# ?/?", -1.5, "-1 1/2"), ("# ?/?", 0.999, "1"),
    ],
)  # fmt: skip
def test_numbers_fill_their_placeholders(code: str, value: float, text: str) -> None:
    assert Renderer().number(code, value) == text


@pytest.mark.parametrize(
    ("code", "value", "text"),
    [
        ('"$"#,##0.00_);[Red]\\("$"#,##0.00\\)', -5, "($5.00)"), ("[$¥-411]#,##0", 1234.5, "¥1,235"),
        ("[$€-407] #,##0.00", 9.5, "€ 9.50"), ("#,##0.00\\ [$руб.-419]", 1, "1.00 руб."), ("[$-409]0", 1, "1"),
        ('_(* #,##0.00_);_(* \\(#,##0.00\\);_(* "-"??_);_(@_)', 0, "-"), ("_(* #,##0_)", 1234, "1,234"),
    ],
)  # fmt: skip
def test_currencies_and_accounting_padding_show_as_text(code: str, value: float, text: str) -> None:
    assert Renderer().number(code, value) == text


@pytest.mark.parametrize(
    ("code", "value", "text"),
    [
        ("0;(0)", -5, "(5)"), ('0;(0);"none"', 0, "none"), ("0;-0;;@", 0, ""), (";;;", 5, ""), ("0.0;0.0", -2, "2.0"),
        ('[<100]"lo";[<1000]"mid";"hi"', 500, "mid"), ('[<100]"lo";[<1000]"mid";"hi"', 5000, "hi"),
        ("[>=0]0;(0)", -3, "(3)"), ("[<100]0.0;0", -5, "-5.0"), ("[Red][<0]0.0;0", -5, "5.0"), ('[=1]"yes";"no"', 1, "yes"),
        ("0", -0.0, "0"),
    ],
)  # fmt: skip
def test_sections_and_conditions_choose_the_format_and_the_sign(code: str, value: float, text: str) -> None:
    assert Renderer().number(code, value) == text


@pytest.mark.parametrize(
    ("code", "serial", "text"),
    [
        ("m/d/yy", V, "10/18/33"), ("d-mmm-yy", V, "18-Oct-33"), ("yyyy-mm-dd", 45383, "2024-04-01"),
        ("dddd, mmmm d, yyyy", 45383, "Monday, April 1, 2024"), ("mmmmm", 45383, "A"), ("bbbb", 45383, "2567"),
        ("h:mm AM/PM", V, "4:17 PM"), ("h:mm:ss AM/PM", 0, "12:00:00 AM"), ("mm:ss", V, "17:37"), ("mmss.0", V, "1737.0"),
        ("hh:mm:ss.000", 0.5000001, "12:00:00.009"), ("yyyy/m/d h:mm", 45383.75, "2024/4/1 18:00"),
        ("m/d/yyyy", 0, "1/0/1900"), ("yyyy-mm-dd", 60, "1900-02-29"), ("yyyy-mm-dd", 59, "1900-02-28"),
        ("yyyy-mm-dd", 2958465, "9999-12-31"), ("e", 45383, "2024"),
    ],
)  # fmt: skip
def test_serial_numbers_show_as_dates_and_times(code: str, serial: float, text: str) -> None:
    assert Renderer().number(code, serial) == text


@pytest.mark.parametrize(
    ("code", "serial", "text"),
    [("[h]:mm:ss", V, "296296:17:37"), ("[mm]:ss", 1.5, "2160:00"), ("[s]", 1, "86400"), ("[h]:mm", -0.5, "-12:00")],
)
def test_elapsed_time_is_not_wrapped_at_a_day(code: str, serial: float, text: str) -> None:
    assert Renderer().number(code, serial) == text


def test_seconds_are_rounded_and_minutes_are_not() -> None:
    """23:59:59.1 is not midnight in h:mm, and 59.6 seconds carry in h:mm:ss."""
    assert Renderer().number("h:mm", 0.99999) == "23:59"
    assert Renderer().number("h:mm:ss", (3600 + 59.6) / 86400) == "1:01:00"


@pytest.mark.parametrize(
    ("code", "serial", "text"),
    [
        ('[$-411]ggge"年"m"月"d"日"', 45383, "令和6年4月1日"), ("[$-411]ge.m.d", 43585, "H31.4.30"),
        ("[$-411]ggge", 43586, "令和1"), ('[$-ja-JP-x-gannen]ggge"年"', 43586, "令和元年"), ("[$-411]gge", 9855, "大15"),
        ("[$-411]ggge", 9856, "昭和1"), ("[$-411]dddd", 45383, "月曜日"), ("yyyy/m/d(aaa)", 45383, "2024/4/1(月)"),
        ("aaaa", 45383, "月曜日"), ("[$-411]e", 45383, "6"), ("[$-804]aaaa", 45383, "月曜日"), ("[$-407]d. mmmm yyyy", 45383, "1. April 2024"),
        ("[$-40C]d mmmm yyyy", 45383, "1 avril 2024"),
    ],
)  # fmt: skip
def test_eras_and_names_follow_the_format_s_language(code: str, serial: float, text: str) -> None:
    assert Renderer().number(code, serial) == text


@pytest.mark.parametrize(
    ("code", "value", "text"),
    [
        ("[DBNum1]General", 123, "百二十三"),
        ("[DBNum1]General", 10020, "一万二十"),
        ("[DBNum3]0", 123, "１２３"),
        ("[DBNum1]yyyy", 45383, "二〇二四"),
    ],
)
def test_digits_can_be_japanese(code: str, value: float, text: str) -> None:
    assert Renderer().number(code, value) == text


def test_a_bare_e_counts_eras_in_a_japanese_workbook() -> None:
    assert Renderer(japanese=True).number("ee.mm.dd", 45383) == "06.04.01"


def test_the_1904_system_starts_four_years_later() -> None:
    assert Renderer(from_1904=True).number("yyyy-mm-dd", 0) == "1904-01-01"
    assert Renderer(from_1904=True).number("yyyy-mm-dd", 43921) == "2024-04-01"


@pytest.mark.parametrize("serial", [-1, 2958466, 1e300])
def test_a_serial_no_date_has_shows_as_a_number(serial: float) -> None:
    """Excel fills the cell with #; the number is what is known."""
    assert Renderer().number("yyyy-mm-dd", serial) == Renderer().number("General", serial)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"), (1 / 3, "0.333333333"), (1234567.891234, "1234567.891"), (12345678901, "12345678901"), (123456789012, "1.23457E+11"),
        (99999999999.6, "1E+11"), (0.00001, "0.00001"), (1e-10, "1E-10"), (0.000012345678, "1.23457E-05"), (-2.50, "-2.5"), (0.1 + 0.2, "0.3"),
        (1.23456789e22, "1.23457E+22"),
    ],
)  # fmt: skip
def test_general_gives_a_number_eleven_characters(value: float, text: str) -> None:
    assert Renderer().number("General", value) == text


def test_text_goes_through_the_section_for_text() -> None:
    assert Renderer().text('0;0;0;"Dear "@', "Ms Sato") == "Dear Ms Sato"
    assert Renderer().text("0.00", "NA") == "NA"
    assert Renderer().number("@", 12.5) == "12.5"


@pytest.mark.parametrize(
    ("number", "code"),
    [(0, "General"), (9, "0%"), (14, "m/d/yy"), (22, "m/d/yy h:mm"), (31, 'yyyy"年"m"月"d"日"'), (163, "General")],
)
def test_formats_named_by_number_have_their_codes(number: int, code: str) -> None:
    assert builtin_code(number, "m/d/yy") == code


@pytest.mark.parametrize(
    ("text", "serial"),
    [
        ("2024-04-01", 45383),
        ("2024-04-01T12:00:00", 45383.5),
        ("1900-01-01", 1),
        ("12:00:00", 0.5),
        ("2024-04-01T00:00:00Z", 45383),
        ("soon", None),
    ],
)
def test_iso_dates_are_serials(text: str, serial: float | None) -> None:
    assert serial_of(text, from_1904=False) == serial


@given(
    st.text(alphabet='0#?.,%/E+-;@"\\_*[]$hmsyde gGAMP/:<>=1', max_size=20),
    st.floats(allow_nan=False, allow_infinity=False),
)
def test_no_format_code_can_crash_a_reader(code: str, value: float) -> None:
    assert isinstance(Renderer().number(code, value), str)
    assert isinstance(Renderer().text(code, "x"), str)
