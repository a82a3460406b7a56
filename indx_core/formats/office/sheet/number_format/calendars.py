"""Names of months, weekdays and eras by language, and numerals in Japanese script.

Holds the languages whose formats meet in practice; any other language gets English names, as its own are not known.
"""

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class CalendarNames:
    """Names a date format writes out. Weekdays start with Sunday, as Excel counts them."""

    months: tuple[str, ...]
    short_months: tuple[str, ...]
    weekdays: tuple[str, ...]
    short_weekdays: tuple[str, ...]


def _named(months: str, short_months: str, weekdays: str, short_weekdays: str) -> CalendarNames:
    return CalendarNames(*(tuple(names.split()) for names in (months, short_months, weekdays, short_weekdays)))


_NUMBERED = " ".join(f"{month}月" for month in range(1, 13))
_KOREAN = " ".join(f"{month}월" for month in range(1, 13))

ENGLISH = _named(
    "January February March April May June July August September October November December",
    "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
    "Sunday Monday Tuesday Wednesday Thursday Friday Saturday",
    "Sun Mon Tue Wed Thu Fri Sat",
)
JAPANESE = _named(
    _NUMBERED, "1 2 3 4 5 6 7 8 9 10 11 12", "日曜日 月曜日 火曜日 水曜日 木曜日 金曜日 土曜日", "日 月 火 水 木 金 土"
)
_BY_PRIMARY_LANGUAGE = {
    0x04: _named(
        "一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月",
        _NUMBERED,
        "星期日 星期一 星期二 星期三 星期四 星期五 星期六",
        "周日 周一 周二 周三 周四 周五 周六",
    ),
    0x07: _named(
        "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
        "Jan Feb Mrz Apr Mai Jun Jul Aug Sep Okt Nov Dez",
        "Sonntag Montag Dienstag Mittwoch Donnerstag Freitag Samstag",
        "So Mo Di Mi Do Fr Sa",
    ),
    0x0A: _named(
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "ene feb mar abr may jun jul ago sep oct nov dic",
        "domingo lunes martes miércoles jueves viernes sábado",
        "do. lu. ma. mi. ju. vi. sá.",
    ),
    0x0C: _named(
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.",
        "dimanche lundi mardi mercredi jeudi vendredi samedi",
        "dim. lun. mar. mer. jeu. ven. sam.",
    ),
    0x10: _named(
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
        "gen feb mar apr mag giu lug ago set ott nov dic",
        "domenica lunedì martedì mercoledì giovedì venerdì sabato",
        "dom lun mar mer gio ven sab",
    ),
    0x11: JAPANESE,
    0x12: _named(
        _KOREAN,
        "1 2 3 4 5 6 7 8 9 10 11 12",
        "일요일 월요일 화요일 수요일 목요일 금요일 토요일",
        "일 월 화 수 목 금 토",
    ),
    0x16: _named(
        "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
        "jan fev mar abr mai jun jul ago set out nov dez",
        "domingo segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado",
        "dom seg ter qua qui sex sáb",
    ),
}

_ERAS = (
    (date(2019, 5, 1), "令和", "令", "R"),
    (date(1989, 1, 8), "平成", "平", "H"),
    (date(1926, 12, 25), "昭和", "昭", "S"),
    (date(1912, 7, 30), "大正", "大", "T"),
    (date(1868, 1, 1), "明治", "明", "M"),
)
_KANJI = "〇一二三四五六七八九"
_FORMAL_KANJI = "〇壱弐参四伍六七八九"
_FULL_WIDTH = "０１２３４５６７８９"
_UNITS = ("", "十", "百", "千")
_FORMAL_UNITS = ("", "拾", "百", "阡")
_MYRIADS = ("", "万", "億", "兆")


def calendar_names(locale: int | None) -> CalendarNames:
    """Names of a Windows language; its low ten bits are the primary language."""
    return _BY_PRIMARY_LANGUAGE.get((locale or 0) & 0x3FF, ENGLISH)


def era(day: date) -> tuple[tuple[str, str, str], int]:
    """Names (long, short, letter) of the Japanese era of a day and its year in it, from 1."""
    for start, *names in _ERAS:
        if day >= start:
            return (names[0], names[1], names[2]), day.year - start.year + 1
    return ("", "", ""), day.year


def in_script(digits: str, numerals: int) -> str:
    """Digits one by one in a script: 1 for kanji, 2 for the kanji of deeds, 3 for full-width."""
    script = {1: _KANJI, 2: _FORMAL_KANJI, 3: _FULL_WIDTH}.get(numerals)
    return digits.translate(str.maketrans("0123456789", script)) if script else digits


def spelled(number: int, numerals: int) -> str:
    """A whole number in words: 123 is 百二十三 with 1, 壱百弐拾参 with 2, 百２十３ with 3."""
    if number == 0:
        return in_script("0", numerals)
    groups = []
    for myriad in _MYRIADS:
        number, group = divmod(number, 10_000)
        if group:
            groups.append(_spelled_group(group, numerals) + myriad)
    return "".join(reversed(groups))


def _spelled_group(group: int, numerals: int) -> str:
    units = _FORMAL_UNITS if numerals == 2 else _UNITS
    written = []
    for power in (3, 2, 1, 0):
        digit = group // 10**power % 10
        if digit:
            bare = digit == 1 and power and numerals != 2
            written.append(("" if bare else in_script(str(digit), numerals)) + units[power])
    return "".join(written)
