"""Names made of several morphemes: what a reader takes for one organisation, place or person.

IPADIC tags 任天堂 and 株式会社 as two nouns, 横浜 and 市役所, 東京, 都, 千代田 and 区, 山田 and 太郎; taken one by one
they are the wrong entities. The rules read a line's morphemes three times, organisations first, since a company may be
called after a person or a place, and each takes what the ones before left.
"""

from collections.abc import Callable, Sequence

from indx_core.contracts.annotation import EntitySpan
from indx_core.engines.ner_vibrato import lexicon, words
from indx_core.engines.ner_vibrato.labels import LOCATION, ORGANIZATION, PERSON
from indx_core.engines.ner_vibrato.words import Word

_TAGGED, _COMPOSED = 0.8, 0.7
"""Confidence of a name that the dictionary tags, and of one that a rule put together out of common nouns."""
_LONGEST = 24
"""Words of a name at most, so that the time of a line grows with its length however many nouns touch."""


def spans(text: str, line: Sequence[Word]) -> list[EntitySpan]:
    """Entity spans of one line's words, in text order, none overlapping another.

    Args:
        text: The whole text, which the words' offsets are of.
        line: Words of one line, in order.
    """
    free = [True] * len(line)
    found: list[EntitySpan] = []
    for rule in (_organization_at, _location_at, _person_at):
        found.extend(_apply(rule, text, line, free))
    return sorted(found, key=lambda span: span.start)


Rule = Callable[[str, Sequence[Word], int, int], tuple[int, str, float] | None]
"""Given a stretch of free words ``[at, end)``: where the name that begins at ``at`` ends, its label, its confidence."""


def _apply(rule: Rule, text: str, line: Sequence[Word], free: list[bool]) -> list[EntitySpan]:
    found = []
    at = end = 0
    while at < len(line):
        if at >= end:
            end = next((i for i in range(at, len(line)) if not free[i]), len(line))
        match = rule(text, line, at, min(end, at + _LONGEST)) if end > at else None
        if match is None:
            at += 1
            continue
        stop, label, confidence = match
        start, finish = line[at].start, line[stop - 1].end
        found.append(
            EntitySpan(label=label, surface=text[start:finish], start=start, end=finish, confidence=confidence)
        )
        free[at:stop] = [False] * (stop - at)
        at = stop
    return found


# -- organisations ----------------------------------------------------------------------------------------------------


def _organization_at(text: str, line: Sequence[Word], at: int, end: int) -> tuple[int, str, float] | None:
    if not line[at].may_begin_a_name:
        return None
    stop = _run_end(text, line, at, end)
    form = next((i for i in range(at, stop) if line[i].legal_form), None)
    if form == at:
        return _behind_its_form(text, line, at, end)
    if form is not None and line[form].ends_a_name:
        return form + 1, ORGANIZATION, _TAGGED
    return _by_its_head(line, at, stop if form is None else form)


def _behind_its_form(text: str, line: Sequence[Word], at: int, end: int) -> tuple[int, str, float] | None:
    """株式会社インデックス, also with one space between; not 株式会社の設立, where no name follows."""
    first = at + 1
    if first >= end or not (line[first].may_begin_a_name and words.near(text, line[at], line[first])):
        return None
    stop = _run_end(text, line, first, end)
    named = next((i for i in range(first, stop) if line[i].legal_form), stop)
    if not line[at].ends_a_name:  # 国立大学法人京都大学: the name behind it has a head of its own
        headed = _by_its_head(line, first, named)
        if headed is not None:
            return headed[0], ORGANIZATION, _TAGGED
    return (named, ORGANIZATION, _TAGGED) if named > first else None


def _by_its_head(line: Sequence[Word], at: int, stop: int) -> tuple[int, str, float] | None:
    """Up to the last head (横浜市役所, 経済産業省), else as far as the dictionary tags organisations."""
    last, named, confidence = -1, False, _COMPOSED
    for i in range(at, stop):
        if i > at and _is_headed(line, at, i, named=named):
            last, confidence = i, _TAGGED if named else _COMPOSED
        named = named or line[i].proper or line[i].foreign
    tagged = at
    while tagged < stop and (line[tagged].organization or (tagged > at and line[tagged].foreign)):
        tagged += 1
    if last >= tagged:
        return last + 1, ORGANIZATION, confidence
    if tagged > at and line[tagged - 1].end - line[at].start > 1:
        return tagged, ORGANIZATION, _TAGGED
    return None


def _is_headed(line: Sequence[Word], at: int, head: int, *, named: bool) -> bool:
    """Whether the words from ``at`` on are a name with this head.

    A ministry is one with any noun before it (経済産業省), a commission with two (公正取引委員会), a bank only with a
    name (地方銀行 is none). What the dictionary tags as an organisation goes on from a place alone (日本共産党), not
    from a person (小池参院). 雲南省 is a province.
    """
    word = line[head]
    if word.surface in lexicon.MINISTRIES:
        return not line[head - 1].location
    if word.heads_common_nouns:
        return named or head - at > 1
    if word.heads:
        return named
    return word.organization and all(before.location or before.foreign for before in line[at:head])


def _run_end(text: str, line: Sequence[Word], at: int, end: int) -> int:
    """Where the touching nouns that begin at ``at`` end. One space inside a Latin name does not end them.

    A joiner goes on only between foreign words: セブン＆アイ, not 中国・雲南省.
    """
    stop = at + 1
    while stop < end and words.joined(text, line[stop - 1], line[stop]):
        if line[stop].joiner:
            if stop + 1 >= end or not (line[stop - 1].foreign_script and line[stop + 1].foreign_script):
                break
        elif not line[stop].in_a_name:
            break
        stop += 1
    return stop


# -- places -----------------------------------------------------------------------------------------------------------


def _location_at(text: str, line: Sequence[Word], at: int, end: int) -> tuple[int, str, float] | None:
    """A chain of places and of what makes one of a name (都, 市, 駅): 東京都千代田区丸の内 is one place.

    Countries do not chain (日米, フランス日本大使), and one character is too little to tell a place by (日, 露).
    """
    stop = at
    while stop < end and (stop == at or words.joined(text, line[stop - 1], line[stop])):
        country = stop > at and (line[stop].country or line[stop - 1].country)
        if (line[stop].location and not country) or (stop > at and line[stop].makes_places):
            stop += 1
        elif stop + 1 < end and line[stop].proper and line[stop + 1].makes_places and _touching(line, stop):
            stop += 2
        else:
            break
    return (stop, LOCATION, _TAGGED) if stop > at and line[stop - 1].end - line[at].start > 1 else None


def _touching(line: Sequence[Word], at: int) -> bool:
    return line[at].end == line[at + 1].start


# -- people -----------------------------------------------------------------------------------------------------------


def _person_at(text: str, line: Sequence[Word], at: int, end: int) -> tuple[int, str, float] | None:
    """Family and given name, touching or one space apart (山田　太郎); either alone; foreign names joined by ・."""
    if not line[at].person:
        return _titled_foreigner(line, at, end)
    stop = at + 1
    if line[at].family and stop < end and line[stop].given and words.near(text, line[at], line[stop]):
        stop += 1
    while stop < end and line[stop].person and not line[stop].family and _touching(line, stop - 1):
        stop += 1
    stop = _rest_of_the_given_name(line, at, stop, end)
    while stop + 1 < end and line[stop].middle_dot and line[stop - 1].katakana and line[stop + 1].katakana:
        stop += 2
    if line[stop - 1].end - line[at].start == 1 and not _addressed(line, stop):
        return None  # 江, 荒, 夏: mostly the noun
    return stop, PERSON, _TAGGED


def _addressed(line: Sequence[Word], at: int) -> bool:
    """Whether an honorific or a title follows."""
    return at < len(line) and (line[at].honorific or line[at].title)


def _rest_of_the_given_name(line: Sequence[Word], at: int, stop: int, end: int) -> int:
    """Where a name ends whose kanji the dictionary knows only in part: 高橋 + 陽 + 斗, 原 + 辰 + 徳.

    One kanji behind a given name, two behind a family name alone, or one before an honorific; nothing where another
    noun follows, since 林 + 道 + 工事 is none.
    """
    rest = stop
    while rest < end and rest - stop < 2 and line[rest].single_kanji and _touching(line, rest - 1):
        rest += 1
    follows = line[rest] if rest < len(line) and _touching(line, rest - 1) else None
    addressed = follows is not None and follows.honorific
    ended = addressed or follows is None or not follows.noun
    needed = 1 if addressed or stop > at + 1 else 2
    return rest if line[at].family and ended and rest - stop >= needed else stop


def _titled_foreigner(line: Sequence[Word], at: int, end: int) -> tuple[int, str, float] | None:
    """バラク・オバマ大統領: an unknown katakana name of two parts counts where a title or an honorific follows."""
    if at < end and line[at].dotted_katakana and _addressed(line, at + 1):
        return at + 1, PERSON, _COMPOSED
    return None
