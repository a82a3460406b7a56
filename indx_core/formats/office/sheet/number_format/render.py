"""A value through a format code: choose the section, then render it as a date, a number or text."""

from collections.abc import Callable
from functools import lru_cache

from indx_core.formats.office.sheet.number_format.calendars import in_script, spelled
from indx_core.formats.office.sheet.number_format.code import Kind, Section, parse_code
from indx_core.formats.office.sheet.number_format.dates import DAYS_FROM_1900_TO_1904, date_text
from indx_core.formats.office.sheet.number_format.general import general
from indx_core.formats.office.sheet.number_format.numbers import number_writer

_REMEMBERED = 4096

Formatter = Callable[[float], str]
"""A number as one format shows it, white space at its ends removed."""


class Renderer:
    """Renders the values of one workbook."""

    def __init__(self, *, from_1904: bool = False, japanese: bool = False) -> None:
        """Fix what the workbook decides.

        Args:
            from_1904: Whether its serials count from 1904.
            japanese: Whether it was made by a Japanese Excel, where a bare ``e`` counts the years of the era.
        """
        self._offset = DAYS_FROM_1900_TO_1904 if from_1904 else 0
        self._japanese = japanese

    def formatter(self, code: str) -> Formatter:
        """The formatter of a code, for use on many numbers."""
        if code.strip().lower() == "general":
            return general
        sections = parse_code(code)
        signed = [self._writer(section) for section in sections[:3]]

        @lru_cache(maxsize=_REMEMBERED)  # columns of dates and prices repeat themselves
        def write(value: float) -> str:
            index, unsigned = _choose(sections[:3], value)
            return general(value) if index is None else signed[index](abs(value) if unsigned else value).strip()

        return write

    def number(self, code: str, value: float) -> str:
        """A number as a code shows it."""
        return self.formatter(code)(value)

    def text(self, code: str, value: str) -> str:
        """Text as a code shows it: through the fourth section, or any single one that has an ``@``."""
        sections = parse_code(code)
        section = sections[3] if len(sections) == 4 else sections[-1]
        if len(sections) < 4 and not section.has(Kind.AT):
            return value
        return "".join(value if token.kind is Kind.AT else token.text for token in section.tokens).strip()

    def _writer(self, section: Section) -> Formatter:
        """Writes numbers through one section; a sign that no section of its own shows leads."""
        if section.is_date:
            return lambda value: self._date(section, value)
        if section.has(Kind.GENERAL) or section.has(Kind.AT):
            return lambda value: _general_within(section, value)
        if not section.has(Kind.DIGIT):
            fixed = "".join(token.text for token in section.tokens)
            return lambda _: fixed
        digits = number_writer(section.tokens)
        return lambda value: ("-" if value < 0 else "") + in_script(digits(abs(value)), section.numerals)

    def _date(self, section: Section, value: float) -> str:
        text = date_text(section, value + self._offset, japanese=self._japanese)
        return general(value) if text is None else text


def _general_within(section: Section, value: float) -> str:
    whole = section.numerals and value == int(value)
    shown = spelled(int(abs(value)), section.numerals) if whole else general(abs(value))
    parts = [shown if token.kind in (Kind.GENERAL, Kind.AT) else token.text for token in section.tokens]
    return ("-" if value < 0 else "") + "".join(parts)


def _choose(sections: tuple[Section, ...], value: float) -> tuple[int | None, bool]:
    """Index of the section for a number, and whether it shows the sign itself.

    Without conditions: positive; negative; zero. With them: the first that holds, else the last one that has none.
    A section that only negative numbers reach writes their sign, or leaves it out, itself.
    """
    if any(section.condition for section in sections[:2]):
        for index, section in enumerate(sections[:2]):
            if section.condition and section.condition[0](value, section.condition[1]):
                return index, _only_negative(section)
        rest = [index for index, section in enumerate(sections) if not section.condition]
        return (rest[-1], _is_rest_negative(sections)) if rest else (None, False)
    if len(sections) == 1 or value > 0 or (value == 0 and len(sections) == 2):
        return 0, len(sections) > 1
    return (1, True) if value < 0 else (2, True)


def _only_negative(section: Section) -> bool:
    if section.condition is None:
        return False
    test, bound = section.condition
    return bound <= 0 and not test(bound + 1, bound) and test(bound - 1, bound)


def _is_rest_negative(sections: tuple[Section, ...]) -> bool:
    """Whether the conditions leave nothing but negative numbers: ``[>=0]0;(0)``."""
    first = sections[0].condition
    return len(sections) == 2 and first is not None and first[1] == 0 and first[0](1.0, 0.0) and not first[0](-1.0, 0.0)
