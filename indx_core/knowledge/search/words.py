"""Lexical scores: Okapi BM25 over several indexes as if they were one, and feedback from the texts it finds best.

Does not hold texts or filters, and mixes no scores (``fusion.py``).
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np  # noqa: TID253 - this module is imported when something is searched, never before
import numpy.typing as npt  # noqa: TID253 - as above

from indx_core.knowledge.search.lexical import LexicalIndex
from indx_core.knowledge.search.terms import Terms, cut_words, folded, query_terms

K1 = 1.2
"""How soon a term's further occurrences stop counting. Robertson and Zaragoza (2009), "The Probabilistic Relevance
Framework", section 3.3."""
B = 0.75
"""How much a long text is held back, 0-1; same source."""

FEEDBACK_TEXTS = 5
FEEDBACK_TERMS = 10
FEEDBACK_SHARE = 0.4
"""The best five texts lend their ten most telling words, which together weigh at most .4 of the query: relevance
feedback as in RM3 (Abdul-Jaleel et al. 2004, "UMass at TREC 2004"). On Cranfield nDCG@10 rises from .382 to .42.
Words only: with pairs of characters as words, JSQuAD fell from .948 to .91."""

Scores = npt.NDArray[np.float64]
Admitted = npt.NDArray[np.bool_]
TextsAt = Callable[[Sequence[int]], Sequence[str]]


class Matched(NamedTuple):
    """How well each text matches a query's words.

    Attributes:
        scores: BM25 of each text with the query and what feedback added, at least 0; 0 without a word of the query.
        plain: BM25 of each text with the query alone.
        conviction: Share of what a text could score at most that the best one reaches, 0-1; 1 where nothing is known.
    """

    scores: Scores
    plain: Scores
    conviction: float


class Words:
    """Indexes of consecutive texts, scored as one. Statistics are exact: how texts are divided changes no score."""

    def __init__(self, indexes: Sequence[LexicalIndex]) -> None:
        self._indexes = indexes
        self._starts = np.cumsum([0, *(len(index.lengths) for index in indexes)])
        self.count = int(self._starts[-1])
        total = sum(int(index.lengths.sum(dtype=np.int64)) for index in indexes)
        self._mean = max(total / self.count, 1.0) if self.count else 1.0

    def match(self, query: str, admitted: Admitted, texts_at: TextsAt, texts: Callable[[], Iterable[str]]) -> Matched:
        """Score every text. Where no term of the query stands in an admitted one, its occurrences inside words count.

        Args:
            query: The words.
            admitted: Which texts may be found; the others score 0 and lend no feedback.
            texts_at: The texts of some numbers.
            texts: All texts, in order.
        """
        terms = query_terms(query)
        weights = np.array([self.rarity(term) for term in terms])
        plain = np.where(admitted, self.weighted(terms, weights), 0.0)
        if not plain.any():
            found = np.where(admitted, occurrences(texts(), query), 0.0)
            return Matched(found, found, 1.0)
        conviction = float(plain.max() / (weights.sum() * (K1 + 1)))
        more, more_weights = self._feedback(query, plain, texts_at)
        if not len(more):
            return Matched(plain, plain, conviction)
        scores = (1 - more_weights.share) * plain + np.where(plain > 0, self.weighted(more, more_weights.each), 0.0)
        return Matched(scores, plain, conviction)

    def weighted(self, terms: Terms, weights: Sequence[float] | Scores) -> Scores:
        """BM25 of every text for distinct terms, each with a weight in the place of its rarity."""
        scores = np.zeros(self.count)
        for index, start in zip(self._indexes, self._starts, strict=False):
            held_back = K1 * (1 - B + B * index.lengths / self._mean)
            within = scores[start : start + len(index.lengths)]
            for term, weight in zip(terms, weights, strict=True):
                found = index.postings(term)
                owners, frequency = index.owners[found], index.frequencies[found].astype(np.float64)
                within[owners] += weight * frequency * (K1 + 1) / (frequency + held_back[owners])
        return scores

    def rarity(self, term: np.uint64) -> float:
        """Inverse document frequency as Lucene has it, ``ln(1 + (N - n + 0.5) / (n + 0.5))``, never negative."""
        found = (index.postings(term) for index in self._indexes)
        texts = sum(each.stop - each.start for each in found)
        return float(np.log1p((self.count - texts + 0.5) / (texts + 0.5)))

    def _feedback(self, query: str, plain: Scores, texts_at: TextsAt) -> tuple[Terms, "_Weights"]:
        """Telling words of the best texts, and what they weigh beside those of the query."""
        asked = self._weight(np.unique(cut_words([query]).terms))
        best = leading(plain, FEEDBACK_TEXTS)
        if not asked or len(best) < 2:
            return np.empty(0, np.uint64), _Weights(0.0, np.empty(0))
        trust = (plain[best] / plain[best[0]]) ** 2
        trust /= trust.sum()
        # One text that stands out is what was looked for, and says nothing new; five alike say what all are about.
        share = FEEDBACK_SHARE * (1 / float(trust @ trust) - 1) / (FEEDBACK_TEXTS - 1)
        terms, told = _telling(texts_at([int(at) for at in best]), trust, self._lengths(best))
        told *= [self.rarity(term) for term in terms]
        order = np.argsort(-told, kind="stable")[:FEEDBACK_TERMS]
        terms, told = terms[order], told[order]
        if not len(terms):
            return terms, _Weights(0.0, told)
        share *= asked / self._weight(query_terms(query))  # of the whole query, as far as it is words
        return terms, _Weights(share, share * self._weight(query_terms(query)) * told / told.sum())

    def _weight(self, terms: Terms) -> float:
        """What terms weigh together, as far as they stand anywhere."""
        return sum((self.rarity(term) for term in terms if self._stands(term)), 0.0)

    def _stands(self, term: np.uint64) -> bool:
        return any(found.stop > found.start for found in (index.postings(term) for index in self._indexes))

    def _lengths(self, texts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        segments = np.searchsorted(self._starts, texts, side="right") - 1
        return np.array(
            [self._indexes[at].lengths[text - self._starts[at]] for at, text in zip(segments, texts, strict=True)]
        )


class _Weights(NamedTuple):
    """What feedback weighs: its share of the query, 0-1, and the weight of each of its terms."""

    share: float
    each: Scores


def _telling(texts: Sequence[str], trust: Scores, lengths: npt.NDArray[np.int64]) -> tuple[Terms, Scores]:
    """Words that two texts or more share, and how much of them the texts are, each text by its trust."""
    terms, owners = cut_words(texts)
    distinct, which = np.unique(terms, return_inverse=True)
    counts = np.zeros((len(distinct), len(texts)))
    np.add.at(counts, (which, owners), 1.0)
    shared = (counts > 0).sum(axis=1) >= 2
    return distinct[shared], (counts[shared] / np.maximum(lengths, 1)) @ trust


def leading(scores: Scores, count: int) -> npt.NDArray[np.int64]:
    """Numbers of the best scores above 0, best first, equal ones in their order. Sorts only what can be among them."""
    found = np.flatnonzero(scores > 0)
    if count < len(found):
        least = np.partition(scores[found], len(found) - count)[len(found) - count]
        found = found[scores[found] >= least]
    return found[np.argsort(-scores[found], kind="stable")][:count]


def occurrences(texts: Iterable[str], query: str) -> Scores:
    """How often the query stands in each text as a part, words regarded or not: for か alone, or ``pars`` in parser."""
    wanted = folded(query).strip()
    return np.array([float(folded(text).count(wanted)) if wanted else 0.0 for text in texts])
