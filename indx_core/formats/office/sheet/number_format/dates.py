"""Serial numbers as dates and times.

A serial counts days from the last day of 1899; Excel takes 1900 for a leap year, so serial 60 is 29 February 1900 and
those before it are a day late (ECMA-376 part 1, 18.17.4.1). Workbooks of the 1904 system start 1,462 days later.
"""

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from indx_core.formats.office.sheet.number_format.calendars import calendar_names, era, in_script
from indx_core.formats.office.sheet.number_format.code import Kind, Section, Token
from indx_core.formats.office.sheet.number_format.general import rounded

DAYS_FROM_1900_TO_1904 = 1462
LAST_SERIAL = 2_958_465
"""31 December 9999."""

_LEAP_DAY = 60
_JAPANESE = 0x411
_BUDDHIST_YEARS = 543


@dataclass(frozen=True, slots=True)
class _Moment:
    """A serial taken apart. ``day`` is 0 on serial 0 and 29 on Excel's own 29 February 1900."""

    year: int
    month: int
    day: int
    weekday: int
    """0 for Sunday."""
    seconds: Decimal
    """Since midnight, rounded to what the format shows."""
    elapsed: Decimal
    """Since serial 0, likewise."""

    @property
    def calendar_day(self) -> date:
        return date(self.year, self.month, max(1, min(self.day, 28 if self.year == 1900 else 31)))


def date_text(section: Section, serial: float, *, japanese: bool) -> str | None:
    """A serial through a section that shows dates.

    Args:
        section: The section.
        serial: Days in the 1900 system.
        japanese: Whether ``e`` counts the years of the era where the section names no language.

    Returns:
        The text, or ``None`` for a serial that no date has (Excel fills the cell with ``#``).
    """
    only_elapsed = all(token.kind is not Kind.DATE or token.text[0] in "hms" for token in section.tokens)
    if abs(serial) > LAST_SERIAL + 1 or (serial < 0 and not (only_elapsed and section.has(Kind.ELAPSED))):
        return None
    decimals = max((len(token.text) - 1 for token in section.tokens if token.kind is Kind.SUBSECOND), default=0)
    moment = _moment(abs(serial), decimals)
    if moment is None:
        return None
    writer = _Writer(section, moment, japanese=japanese)
    text = "".join(writer.token(index) for index in range(len(section.tokens)))
    return f"-{text}" if serial < 0 else text


def _moment(serial: float, decimals: int) -> _Moment | None:
    elapsed = rounded(Decimal(repr(serial)) * 86_400, decimals)
    days, seconds = divmod(elapsed, 86_400)
    number = int(days)
    if number > LAST_SERIAL:
        return None
    weekday = (number + 6) % 7
    if number == 0:
        return _Moment(1900, 1, 0, weekday, seconds, elapsed)
    if number == _LEAP_DAY:
        return _Moment(1900, 2, 29, weekday, seconds, elapsed)
    day = date(1899, 12, 31 if number < _LEAP_DAY else 30) + timedelta(days=number)
    return _Moment(day.year, day.month, day.day, weekday, seconds, elapsed)


class _Writer:
    def __init__(self, section: Section, moment: _Moment, *, japanese: bool) -> None:
        self._section = section
        self._moment = moment
        self._names = calendar_names(section.locale)
        self._twelve_hours = section.has(Kind.HALF_DAY)
        has_era = any(token.kind is Kind.DATE and token.text[0] == "g" for token in section.tokens)
        self._counts_eras = has_era or section.locale == _JAPANESE or (section.locale is None and japanese)

    def token(self, index: int) -> str:
        token = self._section.tokens[index]
        match token.kind:
            case Kind.DATE:
                return in_script(self._date(index, token.text), self._section.numerals)
            case Kind.ELAPSED:
                return self._elapsed(token.text)
            case Kind.HALF_DAY:
                return self._half_day(token.text)
            case Kind.SUBSECOND:
                return "." + f"{self._moment.seconds % 1:f}".partition(".")[2].ljust(len(token.text) - 1, "0")
            case Kind.AT | Kind.GENERAL:
                return ""
            case _:
                return token.text

    def _date(self, index: int, letters: str) -> str:  # noqa: PLR0911 - one answer per letter
        moment, length = self._moment, len(letters)
        seconds = int(moment.seconds)
        match letters[0]:
            case "y":
                return f"{moment.year:04d}" if length > 2 else f"{moment.year % 100:02d}"
            case "m":
                return self._padded(seconds // 60 % 60, length) if self._means_minutes(index) else self._month(length)
            case "d":
                return self._day(length)
            case "h":
                hour = seconds // 3600
                return self._padded((hour % 12 or 12) if self._twelve_hours else hour, length)
            case "s":
                return self._padded(seconds % 60, length)
            case "b":
                year = moment.year + _BUDDHIST_YEARS
                return f"{year:04d}" if length > 2 else f"{year % 100:02d}"
            case "a":
                return calendar_names(_JAPANESE).weekdays[moment.weekday][: None if length > 3 else 1]
            case _:
                return self._era(letters)

    def _month(self, length: int) -> str:
        index = self._moment.month - 1
        match length:
            case 1 | 2:
                return self._padded(self._moment.month, length)
            case 3:
                return self._names.short_months[index]
            case 5:
                return self._names.months[index][0]
            case _:
                return self._names.months[index]

    def _day(self, length: int) -> str:
        if length <= 2:
            return self._padded(self._moment.day, length)
        names = self._names.short_weekdays if length == 3 else self._names.weekdays
        return names[self._moment.weekday]

    def _era(self, letters: str) -> str:
        names, year = era(self._moment.calendar_day)
        if letters[0] == "g":
            return names[max(0, 3 - len(letters))]
        if not self._counts_eras:
            return f"{self._moment.year:04d}"
        if year == 1 and self._section.gannen:
            return "元"
        return self._padded(year, len(letters))

    def _elapsed(self, letters: str) -> str:
        unit = {"h": 3600, "m": 60, "s": 1}[letters[0]]
        return f"{int(self._moment.elapsed // unit):0{len(letters)}d}"

    def _half_day(self, text: str) -> str:
        late = self._moment.seconds >= 12 * 3600
        return text.split("/")[late]

    def _means_minutes(self, index: int) -> bool:
        """``m`` is a minute straight after an hour or straight before a second, else a month."""
        tokens = self._section.tokens
        before = next((token for token in reversed(tokens[:index]) if _is_time_or_date(token)), None)
        after = next((token for token in tokens[index + 1 :] if _is_time_or_date(token)), None)
        if len(tokens[index].text) > 2:
            return False
        return bool((before and before.text[0] == "h") or (after and after.text[0] == "s"))

    @staticmethod
    def _padded(number: int, length: int) -> str:
        return f"{number:02d}" if length >= 2 else str(number)


def _is_time_or_date(token: Token) -> bool:
    return token.kind in (Kind.DATE, Kind.ELAPSED)
