"""Fusion: one score out of a lexical and a vector score per text.

A convex combination, not reciprocal rank fusion, which with equal weights is worse than BM25 alone where the vectors
are the weaker side (docs/benchmarks.md). Words count relative to the best text of the answer, a cosine as it is, so no
score depends on texts that are nowhere near. Does not rank or filter.
"""

from typing import NamedTuple

import numpy as np  # noqa: TID253 - this module is imported when something is searched, never before
import numpy.typing as npt  # noqa: TID253 - as above

from indx_core.knowledge.search.words import Matched

Scores = npt.NDArray[np.float64]

LEXICAL_WEIGHT = 0.95
"""Share of words that convince. nDCG@10 with a sentence encoder at .9 and .95: JSQuAD .948 and .949, Cranfield .426 and
.424; with hashed trigrams, which say little that words do not, JSQuAD .946 and .948. So vectors decide between texts
that words hardly tell apart, and take over where words say little."""

UNCONVINCING, CONVINCING = 0.1, 0.19
"""Conviction up to which words have no share, and from which they have their whole one. Words that match little prove
little: an English question shares "per" with one English text (.12 in the sample corpus) and everything that matters
with a Japanese one. What they lose the vectors gain. Of a hundred judged questions one has a best text under .15."""


class Fused(NamedTuple):
    """Fused scores, 0-1, and what each side gave to each of them. A side that was not asked is ``None``."""

    scores: Scores
    words: Scores | None
    vectors: Scores | None


def fuse(lexical: Matched | None, cosine: Scores | None, lexical_weight: float = LEXICAL_WEIGHT) -> Fused:
    """Scores of 0-1, higher is better; with one side only, that side's own.

    Args:
        lexical: How well each text matches the words.
        cosine: Of each text; NaN where it has no vector. What points away from the query counts 0.
        lexical_weight: 0-1, for words that convince.
    """
    if lexical is None and cosine is None:
        raise ValueError("nothing to fuse: neither a lexical nor a vector score")
    words = None if lexical is None else _relative(lexical.scores)
    vectors = None if cosine is None else np.fmin(np.fmax(cosine, 0.0), 1.0)  # of NaN and 0, fmax takes 0
    if words is not None and vectors is not None and lexical is not None:
        convinced = (lexical.conviction - UNCONVINCING) / (CONVINCING - UNCONVINCING)
        share = lexical_weight * min(1.0, max(0.0, convinced))
        words, vectors = share * words, (1 - share) * vectors
    given = [side for side in (words, vectors) if side is not None]
    # Sums in another order differ in the last bits: equal texts stay equal, whatever the index is divided into.
    return Fused(np.round(given[0] if len(given) == 1 else given[0] + given[1], 6), words, vectors)


def _relative(scores: Scores) -> Scores:
    most = scores.max(initial=0.0)
    return scores / most if most > 0 else scores
