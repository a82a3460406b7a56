"""The grammar of a format code: sections, their conditions, and the tokens of each. Renders nothing."""

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple


class Kind(StrEnum):
    """What a token of a section is."""

    TEXT = "text"
    DIGIT = "digit"
    """``0``, ``#`` or ``?``."""
    POINT = "point"
    COMMA = "comma"
    PERCENT = "percent"
    EXPONENT = "exponent"
    SLASH = "slash"
    NUMERAL = "numeral"
    """A fixed denominator, such as the 16 of ``# ??/16``."""
    DATE = "date"
    """A run of one date letter: ``yyyy``, ``mm``."""
    ELAPSED = "elapsed"
    """``[h]``, ``[mm]``: time not wrapped at 24 hours."""
    HALF_DAY = "half day"
    """``AM/PM`` or ``A/P``."""
    SUBSECOND = "subsecond"
    AT = "at"
    GENERAL = "general"


class Token(NamedTuple):
    """A kind and the characters it stands for."""

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """One of the up to four parts of a code.

    Attributes:
        tokens: In order; quotes, escapes, colours and fill characters are resolved.
        condition: Test and bound of ``[>=100]``; ``None`` without one.
        locale: Windows language of ``[$-411]``, its low 16 bits; ``None`` when not stated.
        gannen: Whether the first year of an era is written 元 (``[$-ja-JP-x-gannen]``).
        numerals: Digits' script of ``[DBNum1]`` to ``[DBNum3]``; 0 for ordinary ones.
    """

    tokens: tuple[Token, ...]
    condition: tuple[Callable[[float, float], bool], float] | None = None
    locale: int | None = None
    gannen: bool = False
    numerals: int = 0

    @property
    def is_date(self) -> bool:
        """Whether it shows a date or a time."""
        return any(token.kind in (Kind.DATE, Kind.ELAPSED, Kind.HALF_DAY) for token in self.tokens)

    def has(self, kind: Kind) -> bool:
        """Whether a token of the kind is in it."""
        return any(token.kind is kind for token in self.tokens)


_COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "<=": operator.le, ">=": operator.ge, "<>": operator.ne, "<": operator.lt, ">": operator.gt, "=": operator.eq,
}  # fmt: skip
_CONDITION = re.compile(r"(<=|>=|<>|<|>|=)\s*(-?[0-9.]+(?:E[+-]?[0-9]+)?)$", re.IGNORECASE)
_ELAPSED = re.compile(r"(h+|m+|s+)$", re.IGNORECASE)
_CURRENCY = re.compile(r"\$([^-]*)(?:-(.*))?$", re.DOTALL)
_NUMERALS = re.compile(r"DBNum([1-3])$", re.IGNORECASE)
_LANGUAGE_NAMES = {"ja-jp": 0x411, "zh-cn": 0x804, "zh-tw": 0x404, "ko-kr": 0x412, "en-us": 0x409}
_TOKEN = re.compile(
    r"""(?P<quoted>"[^"]*"?)
    | \\(?P<escaped>.) | _(?P<padding>.) | \*(?P<fill>.) | \[(?P<bracket>[^\]]*)\]
    | (?P<general>General) | (?P<half_day>AM/PM|A/P|上午/下午)
    | (?P<exponent>E[+-]) | (?P<date>y+|m+|d+|h+|s+|e+|g+|b+|aaa+)
    | (?P<digit>[0\#?]) | (?P<point>\.) | (?P<comma>,) | (?P<percent>%) | (?P<slash>/) | (?P<at>@)
    | (?P<numeral>[1-9][0-9]*) | (?P<text>.)""",
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_SIMPLE = {
    "general": Kind.GENERAL, "half_day": Kind.HALF_DAY, "exponent": Kind.EXPONENT, "date": Kind.DATE,
    "digit": Kind.DIGIT, "point": Kind.POINT, "comma": Kind.COMMA, "percent": Kind.PERCENT, "slash": Kind.SLASH,
    "at": Kind.AT, "numeral": Kind.NUMERAL, "text": Kind.TEXT, "escaped": Kind.TEXT,
}  # fmt: skip


@lru_cache(maxsize=4096)
def parse_code(code: str) -> tuple[Section, ...]:
    """The sections of a format code, at most four. Never fails: what is not understood is text."""
    sections = [_Reading()]
    for match in _TOKEN.finditer(code):
        kind, text = match.lastgroup or "text", match.group(match.lastgroup or "text")
        if kind == "text" and text == ";":
            sections.append(_Reading())
        else:
            sections[-1].take(kind, text)
    return tuple(reading.section() for reading in sections[:4])


class _Reading:
    """A section while it is read."""

    def __init__(self) -> None:
        self._tokens: list[Token] = []
        self._condition: tuple[Callable[[float, float], bool], float] | None = None
        self._locale: int | None = None
        self._gannen = False
        self._numerals = 0

    def take(self, kind: str, text: str) -> None:
        if kind == "quoted":
            self._tokens.append(Token(Kind.TEXT, text.strip('"')))
        elif kind == "padding":
            self._tokens.append(Token(Kind.TEXT, " "))
        elif kind == "bracket":
            self._bracket(text)
        elif kind in _SIMPLE:  # a fill character repeats to the cell's width, of which there is none
            self._tokens.append(Token(_SIMPLE[kind], text))

    def section(self) -> Section:
        tokens = tuple(self._tokens)
        section = Section(tokens, self._condition, self._locale, self._gannen, self._numerals)
        if section.is_date:
            return Section(tuple(_as_date_tokens(tokens)), self._condition, self._locale, self._gannen, self._numerals)
        return section

    def _bracket(self, text: str) -> None:
        if found := _CONDITION.match(text):
            try:
                self._condition = (_COMPARISONS[found[1]], float(found[2]))
            except ValueError:
                self._condition = None
        elif _ELAPSED.match(text):
            self._tokens.append(Token(Kind.ELAPSED, text.lower()))
        elif found := _CURRENCY.match(text):
            if found[1]:
                self._tokens.append(Token(Kind.TEXT, found[1]))
            self._language(found[2] or "")
        elif found := _NUMERALS.match(text):
            self._numerals = int(found[1])
        # What is left is a colour, which is not text.

    def _language(self, stated: str) -> None:
        """``411``, ``80411`` (with a calendar before the language) or ``ja-JP-x-gannen``."""
        name = stated.lower().partition(",")[0]
        self._gannen = self._gannen or "gannen" in name
        try:
            self._locale = int(name, 16) & 0xFFFF
        except ValueError:
            known = [number for language, number in _LANGUAGE_NAMES.items() if name.startswith(language)]
            self._locale = known[0] if known else self._locale


def _as_date_tokens(tokens: tuple[Token, ...]) -> list[Token]:
    """In a date, digits after a point are parts of a second and all other number signs are themselves."""
    found: list[Token] = []
    for token in tokens:
        previous = found[-1] if found else None
        if token.kind is Kind.DIGIT and token.text == "0" and previous and _opens_subsecond(found):
            found[-1] = Token(Kind.SUBSECOND, previous.text + "0")
        elif token.kind in (Kind.DIGIT, Kind.POINT, Kind.COMMA, Kind.PERCENT, Kind.SLASH, Kind.NUMERAL, Kind.EXPONENT):
            found.append(Token(Kind.TEXT, token.text))
        elif token.kind is Kind.DATE:
            found.append(Token(Kind.DATE, token.text.lower()))
        else:
            found.append(token)
    return found


def _opens_subsecond(tokens: list[Token]) -> bool:
    if tokens[-1].kind is Kind.SUBSECOND:
        return True
    seconds = tokens[-2] if len(tokens) > 1 else None
    return tokens[-1] == Token(Kind.TEXT, ".") and seconds is not None and seconds.text.strip("s") == ""
