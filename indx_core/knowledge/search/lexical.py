"""Lexical scores: Okapi BM25 over an inverted index of term hashes.

The index is three arrays and two numbers, so that it can be stored and memory-mapped as it is. Does not cut texts into
terms (``terms.py``) and does not mix scores (``fusion.py``).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np  # noqa: TID253 - this module is imported when something is searched, never before
import numpy.typing as npt  # noqa: TID253 - as above

from indx_core.knowledge.search.terms import TERM_BITS, Terms, cut, folded

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
            low = np.uint64(term) << np.uint64(_TEXT_BITS)
            first = np.searchsorted(self.postings, low)
            last = np.searchsorted(self.postings, low | np.uint64((1 << _TEXT_BITS) - 1), side="right")
            owners = (self.postings[first:last] & np.uint64((1 << _TEXT_BITS) - 1)).astype(np.int64)
            frequency = self.frequencies[first:last].astype(np.float64)
            rarity = np.log1p((count - len(owners) + 0.5) / (len(owners) + 0.5))
            scores[owners] += rarity * frequency * (K1 + 1) / (frequency + held_back[owners])
        return scores


def _batches(texts: Sequence[str]) -> Iterator[tuple[int, Terms, npt.NDArray[np.int64]]]:
    for start in range(0, len(texts), _BATCH):
        terms, owners = cut(texts[start : start + _BATCH])
        yield start, terms, owners + start


def occurrences(texts: Sequence[str], query: str) -> npt.NDArray[np.float64]:
    """How often the query stands in each text as a part, words regarded or not: for 鉄 alone, or ``pars`` in parser."""
    wanted = folded(query).strip()
    return np.array([float(folded(text).count(wanted)) if wanted else 0.0 for text in texts])
