"""Dates of both calendars, as printed, with their ISO 8601 form where the print is unambiguous.

``2026年3月31日``, ``令和8年3月31日``, ``R8.3.31``, ``2026-03-31``, ``March 31, 2026``; months are ``2026-03``, years
``2026``. Which of 5 and 8 is the month in 5/8/2026 is not guessed: the span stays and has no normalised form. Times of
day and fiscal years (年度) are no dates.
"""

import re
from collections.abc import Iterator
from datetime import date

from indx_core.engines.ner_patterns.labels import DATE
from indx_core.engines.ner_patterns.matches import Match
from indx_core.engines.ner_patterns.numerals import DIGITS, number

_CERTAIN, _AMBIGUOUS = 0.95, 0.6

ERAS = {"明治": 1867, "大正": 1911, "昭和": 1925, "平成": 1988, "令和": 2018}
"""Western year before the first of each era. An era is counted on past its end, as contracts do: 平成35年 is 2023."""
_SQUARE = {"㍾": "明治", "㍽": "大正", "㍼": "昭和", "㍻": "平成", "㋿": "令和"}
_LETTERS = {"M": "明治", "T": "大正", "S": "昭和", "H": "平成", "R": "令和"}
_SOLAR_SINCE = 1873
"""Japan's calendar was lunar before: 明治5年 has months that no ISO date can name."""

_N = f"(?:[0-9]{{1,2}}|[{DIGITS}十]{{1,3}})"
_YEAR = f"(?:[12][0-9]{{3}}|[{DIGITS[1:3]}][{DIGITS}]{{3}})"
_SEP = r"[ ]{0,2}"

_KANJI = re.compile(
    rf"(?<![0-9{DIGITS}])"
    rf"(?:(?P<era>{'|'.join((*ERAS, *_SQUARE))}){_SEP}(?P<in_era>元|{_N})|(?<![A-Za-z0-9])(?P<letter>[MTSHR])"
    rf"{_SEP}(?P<in_letter>[0-9]{{1,2}})|(?P<year>{_YEAR})){_SEP}年"
    rf"(?:{_SEP}(?P<month>{_N}){_SEP}月(?:{_SEP}(?P<day>{_N}){_SEP}日)?)?(?![度間代])"
)
_DAY_ONLY = re.compile(rf"(?<![0-9{DIGITS}年])(?P<month>{_N})月{_SEP}(?P<day>{_N})日(?!間)")
_ERA_SHORT = re.compile(
    r"(?:(?<![A-Za-z0-9])(?P<letter>[MTSHR])|(?P<era>" + "|".join((*ERAS, *_SQUARE)) + r"))[. ]?(?P<year>[0-9]{1,2})"
    r"(?P<sep>[./-])(?P<month>[0-9]{1,2})(?P=sep)(?P<day>[0-9]{1,2})(?![0-9]|[./-][0-9])"
)
_YEAR_FIRST = re.compile(
    r"(?<![0-9A-Za-z])(?<![0-9][./-])(?P<year>(?:1[6-9]|2[01])[0-9]{2})(?P<sep>[./-])(?P<month>[0-9]{1,2})(?P=sep)(?P<day>[0-9]{1,2})"
    r"(?![0-9]|[./-][0-9])"
)
_YEAR_LAST = re.compile(
    r"(?<![0-9A-Za-z])(?<![0-9][./-])(?P<one>[0-9]{1,2})(?P<sep>[./-])(?P<two>[0-9]{1,2})(?P=sep)(?P<year>[12][0-9]{3})"
    r"(?![0-9A-Za-z]|[./-][0-9])"
)
_SHORT_YEAR = re.compile(
    r"(?<![0-9A-Za-z])(?<![0-9]/)(?P<one>[0-9]{1,2})/(?P<two>[0-9]{1,2})/(?P<three>[0-9]{2})(?![0-9A-Za-z/])"
)

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH_NAME = (
    r"(?P<name>January|February|March|April|May|June|July|August|September|October|November|December"
    r"|JANUARY|FEBRUARY|MARCH|APRIL|MAY|JUNE|JULY|AUGUST|SEPTEMBER|OCTOBER|NOVEMBER|DECEMBER"
    r"|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|JAN|FEB|MAR|APR|JUN|JUL|AUG|SEP|OCT|NOV|DEC)\.?)"
)
_S = r"[ \t]{1,3}"
_MONTH_FIRST = re.compile(
    rf"(?<![A-Za-z0-9]){_MONTH_NAME}(?:{_S}(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?(?![0-9]))?"
    rf"(?:,?{_S}(?P<year>[12][0-9]{{3}}))?(?![A-Za-z0-9]|-[0-9])"
)
_DAY_FIRST = re.compile(
    rf"(?<![A-Za-z0-9])(?<![0-9][.,-])(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?(?:{_S}of)?(?:{_S}|-){_MONTH_NAME}"
    rf"(?:(?:,?{_S}|-)(?P<year>[12][0-9]{{3}})|(?!{_S}[0-9]))(?![A-Za-z0-9]|-[0-9])"
)


def find(folded: str) -> Iterator[Match]:
    """Every date of a folded text, overlaps included."""
    yield from _kanji(folded)
    yield from _day_only(folded)
    yield from _era_short(folded)
    yield from _numeric(folded)
    yield from _english(folded)


def _kanji(folded: str) -> Iterator[Match]:
    """What 年, 月 and 日 mark is a date even where the calendar has no such day; it then has no normalised form."""
    for match in _KANJI.finditer(folded):
        year = _western(match)
        month, day = (None if match[part] is None else number(match[part]) for part in ("month", "day"))
        yield Match(DATE, *match.span(), _CERTAIN, _iso(year, month, day))


def _western(match: re.Match[str]) -> int | None:
    if match["year"]:
        return number(match["year"])
    era = match["era"] or match["letter"]
    counted = 1 if match["in_era"] == "元" else number(match["in_era"] or match["in_letter"])
    return None if counted is None else _era_year(era, counted)


def _era_year(era: str, counted: int) -> int | None:
    name = _SQUARE.get(era) or _LETTERS.get(era) or era
    year = ERAS[name] + counted
    return year if counted >= 1 and year >= _SOLAR_SINCE else None


def _day_only(folded: str) -> Iterator[Match]:
    for match in _DAY_ONLY.finditer(folded):
        yield Match(DATE, *match.span(), _CERTAIN)


def _era_short(folded: str) -> Iterator[Match]:
    for match in _ERA_SHORT.finditer(folded):
        year = _era_year(match["era"] or match["letter"], int(match["year"]))
        iso = _iso(year, int(match["month"]), int(match["day"]))
        if iso is not None:  # T1.2.40 is a clause or a part number
            yield Match(DATE, *match.span(), _CERTAIN, iso)


def _numeric(folded: str) -> Iterator[Match]:
    for match in _YEAR_FIRST.finditer(folded):
        iso = _iso(int(match["year"]), int(match["month"]), int(match["day"]))
        if iso is not None:
            yield Match(DATE, *match.span(), _CERTAIN, iso)
    for match in _YEAR_LAST.finditer(folded):
        year, one, two = (int(match[part]) for part in ("year", "one", "two"))
        readings = {iso for iso in (_iso(year, one, two), _iso(year, two, one)) if iso is not None}
        if len(readings) == 1:
            yield Match(DATE, *match.span(), _CERTAIN, readings.pop())
        elif readings:
            yield Match(DATE, *match.span(), _AMBIGUOUS)
    for match in _SHORT_YEAR.finditer(folded):
        one, two, three = (int(match[part]) for part in ("one", "two", "three"))
        orders = ((three, one, two), (three, two, one), (one, two, three))
        if any(_iso(2000 + year, month, day) for year, month, day in orders):
            yield Match(DATE, *match.span(), _AMBIGUOUS)


def _english(folded: str) -> Iterator[Match]:
    for pattern in (_MONTH_FIRST, _DAY_FIRST):
        for match in pattern.finditer(folded):
            year, day = (None if match[part] is None else int(match[part]) for part in ("year", "day"))
            if year is None and day is None:  # "May", "March" alone
                continue
            month = _MONTHS.index(match["name"][:3].lower()) + 1
            if day is not None and _iso(year or 2000, month, day) is None:  # 2000: a leap year, so 29 February counts
                continue
            yield Match(DATE, *match.span(), _CERTAIN, _iso(year, month, day))


def _iso(year: int | None, month: int | None, day: int | None) -> str | None:
    """``YYYY``, ``YYYY-MM`` or ``YYYY-MM-DD``; ``None`` without a year or where the calendar has no such day."""
    if year is None:
        return None
    try:
        whole = date(year, 1 if month is None else month, 1 if day is None else day).isoformat()
    except ValueError:
        return None
    return whole[: 4 if month is None else 7 if day is None else 10]
