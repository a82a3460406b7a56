"""Terms: what a text is matched by. Words where a script has spaces; pairs of characters, and ideographs, where not.

A term is a 40-bit hash, so that a whole corpus is cut in a few array operations: a million distinct terms collide in
one pair or none. Text and query are cut alike, after NFKC and case folding; a word of the letters a-z is its English
stem (``matches``, ``matching``: ``match``). Does not weigh or count terms.
"""

import threading
import unicodedata
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np  # noqa: TID253 - this module is imported when something is searched, never before
import numpy.typing as npt  # noqa: TID253 - as above

TERM_BITS = 40
ANALYSIS = "2"
"""Raised when the same text is cut into other terms: what was stored under another one is not read."""

_OTHER, _LETTER, _NUMBER, _UNSPACED = np.uint8(0), np.uint8(1), np.uint8(2), np.uint8(3)
# Scripts written without spaces: kana, Bopomofo, the CJK ideographs, their extensions; Thai, Lao, Myanmar, Khmer.
_UNSPACED_RANGES = (
    (0x3005, 0x3007),
    (0x3041, 0x309F),
    (0x30A1, 0x30FA),
    (0x30FC, 0x312F),
    (0x31A0, 0x31BF),
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x323AF),
    (0x0E01, 0x0EFF),
    (0x1000, 0x109F),
    (0x1780, 0x17FF),
)
_FIRST_IDEOGRAPH = 0x3400  # of the unspaced ranges: kana, Bopomofo and the others stand below
_TABLE_END = 0x323B0  # code points beyond are tags and private use: neither
_BASE = np.uint64(0x9E3779B97F4A7C15)  # odd, so that it has an inverse modulo 2**64
_INVERSE = np.uint64(pow(0x9E3779B97F4A7C15, -1, 1 << 64))
_MIX = np.uint64(0xD6E8FEB86659FD93)

Terms = npt.NDArray[np.uint64]
Characters = npt.NDArray[np.uint32]
Places = npt.NDArray[np.int64]
_FIRST_LETTER, _LAST_LETTER = ord("a"), ord("z")
_threads = threading.local()


class Cut(NamedTuple):
    """Terms, and the index of the text that each stands in; in no particular order."""

    terms: Terms
    owners: Places


def cut(texts: Sequence[str]) -> Cut:
    """Every term of every text."""
    characters, kinds, ends = _read(texts)
    pairs, pair_at = _pairs(characters, kinds)
    words, word_at = _words(characters, kinds)
    at = np.concatenate([pair_at, word_at])
    return Cut(np.concatenate([pairs, words]), np.searchsorted(ends, at, side="right"))


def cut_words(texts: Sequence[str]) -> Cut:
    """The terms that are words without a digit, of scripts with spaces."""
    characters, kinds, ends = _read(texts)
    words, at = _words(characters, kinds)
    runs = np.flatnonzero(np.diff(_in_words(kinds).astype(np.int8), prepend=0, append=0))
    digits = np.concatenate([[0], np.cumsum(kinds == _NUMBER)])
    pure = digits[runs[1::2]] == digits[runs[::2]]
    return Cut(words[pure], np.searchsorted(ends, at[pure], side="right"))


def _read(texts: Sequence[str]) -> tuple[Characters, npt.NDArray[np.uint8], Places]:
    """The characters of all texts, what each is, and where each text ends."""
    # A text never runs into the next one: the separator belongs to no term.
    closed = [folded(text) + "\0" for text in texts]
    characters = np.frombuffer("".join(closed).encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    ends = np.cumsum([len(text) for text in closed], dtype=np.int64)
    return characters, _kinds()[np.minimum(characters, _TABLE_END - 1)], ends


def folded(text: str) -> str:
    """The form texts are compared in: NFKC, case folded."""
    return unicodedata.normalize("NFKC", text).casefold()


def query_terms(text: str) -> Terms:
    """The distinct terms of a query, sorted."""
    return np.unique(cut([text])[0])


def _pairs(characters: Characters, kinds: npt.NDArray[np.uint8]) -> tuple[Terms, Places]:
    """Neighbouring characters of unspaced scripts, a character that stands alone (か in ``Aか``), and every ideograph.

    An ideograph is a word's stem by itself, so a query of one finds something, and beside the pairs it lifts JSQuAD's
    nDCG@10 from .938 to .948. Kana by themselves mean nothing.
    """
    unspaced = np.pad(kinds == _UNSPACED, 1)
    here, before, after = unspaced[1:-1], unspaced[:-2], unspaced[2:]
    first = np.flatnonzero(here & after)
    alone = np.flatnonzero(here & ((characters >= _FIRST_IDEOGRAPH) | (~before & ~after)))
    wide = characters.astype(np.uint64)
    codes = np.concatenate([(wide[first] << np.uint64(21)) | wide[first + 1], wide[alone]]) if len(wide) else wide
    return _mixed(codes), np.concatenate([first, alone])


def _words(characters: Characters, kinds: npt.NDArray[np.uint8]) -> tuple[Terms, Places]:
    """Runs of word characters, those of English letters by their stem."""
    edges = np.flatnonzero(np.diff(_in_words(kinds).astype(np.int8), prepend=0, append=0))
    starts, ends = edges[::2], edges[1::2]
    codes, first, which = np.unique(_codes(characters, starts, ends), return_index=True, return_inverse=True)
    letters = np.concatenate([[0], np.cumsum((characters >= _FIRST_LETTER) & (characters <= _LAST_LETTER))])
    english = np.flatnonzero((letters[ends] - letters[starts] == ends - starts)[first])
    codes[english] = _stemmed([characters[starts[at] : ends[at]] for at in first[english]])
    return _mixed(codes[which]), starts


def _in_words(kinds: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
    within: npt.NDArray[np.bool_] = (kinds == _LETTER) | (kinds == _NUMBER)
    return within


def _stemmed(words: Sequence[Characters]) -> Terms:
    """Codes of the stems of English words (Porter's second stemmer, snowballstem.org).

    Cranfield's nDCG@10 rises from .358 to .382 by it, the largest gain of all that was tried on it.
    """
    if not words:
        return np.empty(0, np.uint64)
    import Stemmer

    stemmer = getattr(_threads, "english", None)  # one a thread: it is not safe to share
    if stemmer is None:
        stemmer = _threads.english = Stemmer.Stemmer("english")
    stems: list[bytes] = stemmer.stemWords([word.astype(np.uint8).tobytes() for word in words])
    ends = np.cumsum([len(stem) for stem in stems])
    characters = np.frombuffer(b"".join(stems), np.uint8).astype(np.uint32)
    return _codes(characters, ends - [len(stem) for stem in stems], ends)


def _codes(characters: Characters, starts: Places, ends: Places) -> Terms:
    """A polynomial in ``_BASE`` of each run of characters (Rabin-Karp), by differences of one sum."""
    sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(characters * _powers(_BASE, len(characters)))])
    codes: Terms = (sums[ends] - sums[starts]) * _powers(_INVERSE, len(characters) + 1)[starts]
    return codes


def _powers(base: np.uint64, count: int) -> Terms:
    """``base**0, base**1, …``; arithmetic wraps at 64 bits, as everywhere here."""
    powers = np.full(count, base)
    powers[:1] = 1
    return np.cumprod(powers, dtype=np.uint64)


def _mixed(codes: Terms) -> Terms:
    """Hashes of ``TERM_BITS`` bits, each of which depends on every bit of the code (a 64-bit finaliser)."""
    mixed = codes ^ (codes >> np.uint64(32))
    mixed *= _MIX
    mixed ^= mixed >> np.uint64(32)
    mixed *= _MIX
    return mixed >> np.uint64(64 - TERM_BITS)


@cache
def _kinds() -> npt.NDArray[np.uint8]:
    """What each code point is: a letter or number of a script with spaces, part of one without, or neither.

    Letters and marks (Unicode categories L and M) and numbers (N) make words.
    """
    parts = {"L": _LETTER, "M": _LETTER, "N": _NUMBER}
    kinds = np.array(
        [parts.get(unicodedata.category(chr(code))[0], _OTHER) for code in range(_TABLE_END)], dtype=np.uint8
    )
    for first, last in _UNSPACED_RANGES:
        kinds[first : last + 1] = _UNSPACED
    return kinds
