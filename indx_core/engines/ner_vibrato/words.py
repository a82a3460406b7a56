"""A line's morphemes as the rules of names see them: what each may be a part of.

Belongs here: the questions about one word, and about the gap between two. Does not put anything together but the legal
forms and heads that the dictionary cuts up.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from indx_core.engines.ner_vibrato import lexicon
from indx_core.engines.ner_vibrato.tokens import Token

_DOTTED_KATAKANA = re.compile("[ァ-ヺー]{2,}(?:[・＝=][ァ-ヺー]{2,})+")
_KATAKANA = re.compile("[ァ-ヺー]+(?:[・＝][ァ-ヺー]+)*")
_KANJI = re.compile("[一-鿿々\U00020000-\U0003ffff]")
_LATIN = re.compile("[0-9０-９]*[A-Za-zＡ-Ｚａ-ｚ]+")
_NOUN, _PROPER, _SUFFIX = "名詞", "固有名詞", "接尾"
_NOT_NAMING = frozenset({"代名詞", "非自立", "副詞可能", "数"})


@dataclass(frozen=True, slots=True)
class Word:
    """One morpheme, or the several that spell a compound of the lexicon.

    Attributes:
        surface: The characters, without what white space stood between.
        start: First character in the text.
        end: One past the last character in the text.
        tags: The dictionary's. An unknown word keeps the broadest alone: the others are guessed from its letters.
        known: Whether the dictionary holds it.
        kind: ``company`` or ``body`` for a legal form, ``head`` for a long head, ``name`` for the whole name of an
            organisation, else empty.
    """

    surface: str
    start: int
    end: int
    tags: tuple[str, str, str, str]
    known: bool = True
    kind: str = ""

    @classmethod
    def of(cls, tokens: Sequence[Token], kind: str = "") -> "Word":
        """The word that some neighbouring morphemes make."""
        first, last = tokens[0], tokens[-1]
        surface = first.surface if first is last else "".join(token.surface for token in tokens)
        tags = first.tags if first.known and not kind else (first.tags[0], "*", "*", "*")
        return cls(surface, first.start, last.end, tags, first.known, kind)

    @property
    def legal_form(self) -> bool:
        """株式会社, 学校法人 and the like."""
        return self.kind in {"company", "body"}

    @property
    def ends_a_name(self) -> bool:
        """A legal form that may also stand behind the name."""
        return self.kind == "company"

    @property
    def noun(self) -> bool:
        """Any noun, names and suffixes included."""
        return self.tags[0] == _NOUN

    @property
    def proper(self) -> bool:
        """A name of any kind."""
        return self.tags[1] == _PROPER

    @property
    def organization(self) -> bool:
        """What the dictionary, or the lexicon, has for an organisation."""
        return self.kind == "name" or self.tags[1:3] == (_PROPER, "組織")

    @property
    def location(self) -> bool:
        """What the dictionary tags as a place."""
        return self.tags[1:3] == (_PROPER, "地域")

    @property
    def person(self) -> bool:
        """What the dictionary tags as a person's name."""
        return self.tags[1:3] == (_PROPER, "人名")

    @property
    def family(self) -> bool:
        """A family name."""
        return self.person and self.tags[3] == "姓"

    @property
    def given(self) -> bool:
        """A given name."""
        return self.person and self.tags[3] == "名"

    @property
    def country(self) -> bool:
        """A place that is a country."""
        return self.location and self.tags[3] == "国"

    @property
    def foreign(self) -> bool:
        """Latin letters, or katakana the dictionary does not know: mostly a name, though nothing tags it as one."""
        return bool(_LATIN.fullmatch(self.surface)) or (not self.known and self.katakana)

    @property
    def foreign_script(self) -> bool:
        """Latin letters or katakana, known or not."""
        return self.katakana or self.foreign

    @property
    def joiner(self) -> bool:
        """A sign that stands inside foreign names."""
        return self.surface in lexicon.JOINERS

    @property
    def makes_places(self) -> bool:
        """A suffix that makes a place of the name before it."""
        return self.tags[1:3] == (_SUFFIX, "地域") or self.surface in lexicon.PLACE_MAKERS

    @property
    def heads(self) -> bool:
        """A word that makes an organisation of the name before it."""
        ending = any(self.surface[at:] in lexicon.HEADS for at in range(1, len(self.surface) - 1))
        return self.surface in lexicon.HEADS or self.heads_common_nouns or (self.noun and ending)

    @property
    def heads_common_nouns(self) -> bool:
        """One that does so of common nouns too."""
        ending = any(self.surface[at:] in lexicon.HEADS_OF_COMMON_NOUNS for at in range(len(self.surface) - 1))
        return self.surface in lexicon.HEADS_OF_COMMON_NOUNS or (self.noun and ending)

    @property
    def honorific(self) -> bool:
        """様, 氏 and the like."""
        return self.surface in lexicon.HONORIFICS or self.tags[1:3] == (_SUFFIX, "人名")

    @property
    def title(self) -> bool:
        """A function or a part of an organisation, which is not part of its name."""
        return self.surface in lexicon.TITLES

    @property
    def middle_dot(self) -> bool:
        """What joins the parts of a foreign name."""
        return self.surface in {"・", "＝"}

    @property
    def katakana(self) -> bool:
        """Nothing but katakana."""
        return bool(_KATAKANA.fullmatch(self.surface))

    @property
    def dotted_katakana(self) -> bool:
        """A whole foreign name as one unknown word."""
        return bool(_DOTTED_KATAKANA.fullmatch(self.surface))

    @property
    def single_kanji(self) -> bool:
        """One kanji that is a noun or a prefix (大翔) and no honorific: perhaps the rest of a given name."""
        return self.tags[0] in {_NOUN, "接頭詞"} and not self.honorific and bool(_KANJI.fullmatch(self.surface))

    @property
    def in_a_name(self) -> bool:
        """Whether an organisation's name may go on with it."""
        if self.kind:
            return True
        if self.title or self.honorific or self.surface in lexicon.NOT_IN_A_NAME:
            return False
        if self.tags[0] == "接頭詞" or self.foreign:  # single Latin letters are symbols in the dictionary
            return True
        return self.noun and not self.joiner and self.tags[1] not in _NOT_NAMING and self.tags[2] != "助数詞"

    @property
    def may_begin_a_name(self) -> bool:
        """Whether an organisation's name may begin with it."""
        return self.in_a_name and self.tags[1] != _SUFFIX


def words(text: str, tokens: Sequence[Token]) -> list[Word]:
    """The words of one line: white space dropped, compounds of the lexicon put together however they were cut."""
    found: list[Word] = []
    compounds = _compounds(text, tokens)
    at = 0
    while at < len(tokens):
        stop, kind = compounds.get(at, (at + 1, ""))
        if kind or tokens[at].surface.strip():
            found.append(Word.of(tokens[at:stop], kind))
        at = stop
    return found


def _compounds(text: str, tokens: Sequence[Token]) -> dict[int, tuple[int, str]]:
    """Index of a compound's first token: index behind its last, and its kind.

    Only where token boundaries fit: a compound inside a longer word of the dictionary stays that word.
    """
    if not tokens:
        return {}
    first = {token.start: index for index, token in enumerate(tokens)}
    last = {token.end: index for index, token in enumerate(tokens)}
    return {
        first[match.start()]: (last[match.end()] + 1, match.lastgroup or "")
        for match in lexicon.COMPOUNDS.finditer(text, tokens[0].start, tokens[-1].end)
        if match.start() in first and match.end() in last
    }


def joined(text: str, one: Word, other: Word) -> bool:
    """Whether two words touch, or are Latin words one space apart."""
    gap = text[one.end : other.start]
    return not gap or (gap == " " and one.surface.isascii() and other.surface.isascii())


def near(text: str, one: Word, other: Word) -> bool:
    """Whether two words touch or stand one space (of either width) apart."""
    return text[one.end : other.start] in {"", " ", "\u3000"}
