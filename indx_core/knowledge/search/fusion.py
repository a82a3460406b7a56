"""Fusion: one score out of a lexical and a vector score per text.

A convex combination of min-max scores, not reciprocal rank fusion. With a sentence encoder of nDCG@10 .787 (JSQuAD)
and .219 (Cranfield) beside BM25's .940 and .360, rank fusion with equal weights gives .895 and .337, worse than BM25
alone; the convex combination .944 and .371. Does not rank or filter.
"""

from math import inf

import numpy as np  # noqa: TID253 - this module is imported when something is searched, never before
import numpy.typing as npt  # noqa: TID253 - as above

from indx_core.knowledge.search.lexical import Matched

Scores = npt.NDArray[np.float64]

LEXICAL_WEIGHT = 0.7
"""Share of BM25. Results are flat between .5 and .9 on both sets with a sentence encoder."""

CONVINCING = 0.4
"""Share of the attainable BM25 from which the best text counts in full. Below it the words prove little: an English
question shares "per" or "for" with one English text and everything that matters with a Japanese one. The judged sets do
not mind (JSQuAD .9443 to .9444, Cranfield .3718 to .3714 with a sentence encoder): their best texts reach .32-.39."""

SPACE_LEXICAL_WEIGHTS = {"default-text": 0.95}
"""Spaces that deserve another share. Hashed trigrams say little that BM25 does not: at .95 they lift JSQuAD from .9478
to .9483 and Cranfield from .358 to .360; at .7 they lift Cranfield to .370 and cost JSQuAD .006."""


def lexical_weight_of(space: str | None) -> float:
    """The share of BM25 beside vectors of a space."""
    return SPACE_LEXICAL_WEIGHTS.get(space or "", LEXICAL_WEIGHT)


def fuse(lexical: Matched | None, vector: Scores | None, lexical_weight: float = LEXICAL_WEIGHT) -> Scores:
    """Scores of 0-1, higher is better; with one side only, that side's own.

    Args:
        lexical: How well each text matches the words; ``attainable`` counts beside a vector only.
        vector: Cosine of each text; NaN where it has no vector, which counts as the least similar.
        lexical_weight: 0-1.
    """
    if lexical is None:
        if vector is None:
            raise ValueError("nothing to fuse: neither a lexical nor a vector score")
        return _scaled(vector)
    if vector is None:
        return _scaled(lexical.scores, floor=0.0)
    words = _scaled(lexical.scores, floor=0.0, ceiling=CONVINCING * lexical.attainable)
    return lexical_weight * words + (1 - lexical_weight) * _scaled(vector)


def _scaled(scores: Scores, floor: float | None = None, ceiling: float = -inf) -> Scores:
    """Stretched so that the least is 0 and the most, if it reaches the ceiling, 1; all 0 where they are the floor."""
    known = scores[~np.isnan(scores)]
    if not len(known):
        return np.zeros(len(scores))
    low = float(known.min()) if floor is None else floor
    span = max(float(known.max()), ceiling) - low
    scaled: Scores = np.nan_to_num((scores - low) / span, nan=0.0) if span > 0 else np.zeros(len(scores))
    return scaled
