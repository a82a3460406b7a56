"""Lexical scores: Okapi BM25 over an inverted index of term hashes.

The index is three arrays and two numbers, so that it can be stored and memory-mapped as it is. Does not cut texts into
terms (``terms.py``) and does not mix scores (``fusion.py``).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np  # noqa: TID253 - this module is imported when something is searched, never before
import numpy.typing as npt  # noqa: TID253 - as above

from indx_core.knowledge.search.terms import TERM_BITS, Terms, cut, folded, query_terms

K1 = 1.2
"""How soon a term's further occurrences stop counting. Robertson and Zaragoza (2009), "The Probabilistic Relevance
Framework", section 3.3."""
B = 0.75
"""How much a long text is held back, 0-1; same source."""

_TEXT_BITS = 64 - TERM_BITS
_BATCH = 4096  # texts cut at a time: the arrays of a batch take some 100 MB at 500 characters a text


@dataclass(frozen=True, slots=True)
class LexicalIndex:
    """An inverted index.

    Attributes:
        postings: uint64, sorted: term hash in the upper 40 bits, index of the text in the lower 24.
        frequencies: uint16, of each posting: how often the term stands in the text, at most 65,535.
        lengths: int32, of each text: its terms, repetitions counted.
    """

    postings: npt.NDArray[np.uint64]
    frequencies: npt.NDArray[np.uint16]
    lengths: npt.NDArray[np.int32]

    @classmethod
    def build(cls, texts: Sequence[str]) -> "LexicalIndex":
        """Index texts, at most 16,777,216 of them (2**24)."""
        lengths = np.zeros(len(texts), np.int32)
        parts = [(np.empty(0, np.uint64), np.empty(0, np.int64))]
        for start, terms, owners in _batches(texts):
            pairs, counts = np.unique((terms << np.uint64(_TEXT_BITS)) | owners.astype(np.uint64), return_counts=True)
            parts.append((pairs, counts))
            lengths[start : start + _BATCH] = np.bincount(owners - start, minlength=min(_BATCH, len(texts) - start))
        postings = np.concatenate([pairs for pairs, _ in parts])
        frequencies = np.minimum(np.concatenate([counts for _, counts in parts]), 0xFFFF).astype(np.uint16)
        order = np.argsort(postings)  # all distinct
        return cls(postings[order], frequencies[order], lengths)

    def scores(self, terms: Terms) -> npt.NDArray[np.float64]:
        """BM25 of every text for the distinct terms of a query; 0 where none of them stands.

        The inverse document frequency is Lucene's, ``ln(1 + (N - n + 0.5) / (n + 0.5))``, which is never negative.
        """
        count = len(self.lengths)
        scores = np.zeros(count)
        mean = self.lengths.mean() if count else 1.0
        held_back = K1 * (1 - B + B * self.lengths / max(mean, 1.0))
        for term in terms:
            found = self._found(term)
            owners = (self.postings[found] & np.uint64((1 << _TEXT_BITS) - 1)).astype(np.int64)
            frequency = self.frequencies[found].astype(np.float64)
            scores[owners] += self._rarity(found) * frequency * (K1 + 1) / (frequency + held_back[owners])
        return scores

    def attainable(self, terms: Terms) -> float:
        """What no text's BM25 exceeds: every term of the query in it, over and over. Terms that stand nowhere count."""
        return sum((self._rarity(self._found(term)) * (K1 + 1) for term in terms), 0.0)

    def _found(self, term: np.uint64) -> slice:
        """Where a term's postings are."""
        low = np.uint64(term) << np.uint64(_TEXT_BITS)
        first = np.searchsorted(self.postings, low)
        last = np.searchsorted(self.postings, low | np.uint64((1 << _TEXT_BITS) - 1), side="right")
        return slice(int(first), int(last))

    def _rarity(self, found: slice) -> float:
        texts = found.stop - found.start
        return float(np.log1p((len(self.lengths) - texts + 0.5) / (texts + 0.5)))


class Matched(NamedTuple):
    """How well each text matches a query's words.

    Attributes:
        scores: Of each text, at least 0.
        attainable: What a text could score at most; 0 where that says nothing.
    """

    scores: npt.NDArray[np.float64]
    attainable: float


def match(index: LexicalIndex, texts: Sequence[str], query: str) -> Matched:
    """BM25; where no term of the query stands anywhere, how often the query stands inside the texts' words."""
    terms = query_terms(query)
    scores = index.scores(terms)
    return Matched(scores, index.attainable(terms)) if scores.any() else Matched(occurrences(texts, query), 0.0)


def _batches(texts: Sequence[str]) -> Iterator[tuple[int, Terms, npt.NDArray[np.int64]]]:
    for start in range(0, len(texts), _BATCH):
        terms, owners = cut(texts[start : start + _BATCH])
        yield start, terms, owners + start


def occurrences(texts: Sequence[str], query: str) -> npt.NDArray[np.float64]:
    """How often the query stands in each text as a part, words regarded or not: for 鉄 alone, or ``pars`` in parser."""
    wanted = folded(query).strip()
    return np.array([float(folded(text).count(wanted)) if wanted else 0.0 for text in texts])
