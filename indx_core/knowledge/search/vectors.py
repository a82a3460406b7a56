"""Vector scores: exact cosine of a query with every vector of a space, or with the nearest ones where there are many.

Exact is one matrix product. Beyond ``exact_up_to`` vectors the nearest are looked up in approximate indexes
(``near.py``), and their cosines, too, are exact. Does not fuse or filter by documents.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np  # noqa: TID253 - this module is imported when something is searched, never before
import numpy.typing as npt  # noqa: TID253 - as above

if TYPE_CHECKING:
    from indx_core.knowledge.search.near import Near

CANDIDATES = 400
"""Texts whose cosines are computed where the nearest are looked up, from each side: the best by words, the nearest."""


@dataclass(frozen=True, slots=True, eq=False)
class VectorPart:
    """Vectors of some consecutive texts in one embedding space.

    Attributes:
        matrix: float32, shape ``(vectors, dimension)``; may be memory-mapped.
        norms: float32, of each vector.
        rows: Number of the text of each vector, ascending.
        near: Opens its approximate index; ``None`` where there is none to open.
    """

    matrix: npt.NDArray[np.float32]
    norms: npt.NDArray[np.float32]
    rows: npt.NDArray[np.int64]
    near: "Callable[[], Near] | None" = None

    @property
    def span(self) -> "slice | npt.NDArray[np.int64]":
        """The numbers of its texts; as a slice where every one from the first to the last has a vector."""
        rows = self.rows
        if len(rows) and rows[-1] - rows[0] + 1 == len(rows):
            return slice(int(rows[0]), int(rows[-1]) + 1)
        return rows

    def cosines(self, query: npt.NDArray[np.float32], at: npt.NDArray[np.int64] | None = None) -> "Scores":
        """Cosine of the query with every vector, or with some; 0 where either is all zeros."""
        matrix, norms = (self.matrix, self.norms) if at is None else (self.matrix[at], self.norms[at])
        return cosine(matrix, query, norms)


Scores = npt.NDArray[np.float64]


def norms_of(matrix: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Length of each vector."""
    lengths: npt.NDArray[np.float32] = np.sqrt(np.einsum("ij,ij->i", matrix, matrix))
    return lengths


def cosine(
    matrix: npt.NDArray[np.float32], query: npt.NDArray[np.float32], norms: npt.NDArray[np.float32] | None = None
) -> Scores:
    """Cosine of each row with the query; 0 where either is all zeros.

    Args:
        matrix: Shape ``(vectors, dimension)``.
        query: Shape ``(dimension,)``.
        norms: Lengths of the rows, where they are known.
    """
    lengths = (norms_of(matrix) if norms is None else norms) * np.linalg.norm(query)
    products = matrix @ query
    scores: Scores = np.divide(products, lengths, out=np.zeros(len(matrix)), where=lengths > 0)
    return scores


def compared(
    parts: Sequence[VectorPart],
    query: npt.NDArray[np.float32],
    admitted: npt.NDArray[np.bool_],
    *,
    best_by_words: npt.NDArray[np.int64],
    exact_up_to: int,
) -> Scores:
    """Cosine of each text with the query; NaN where it has no vector, or where it is not among the nearest.

    Args:
        parts: The vectors, part by part in the order of the texts.
        query: The query's vector.
        admitted: Which texts may be found. Few of them are compared exactly however many there are in all.
        best_by_words: Texts to compare in any case.
        exact_up_to: Most vectors that are compared one by one.
    """
    scores = np.full(len(admitted), np.nan)
    everything = bool(admitted.all())
    wanted = [np.ones(len(part.rows), bool) if everything else admitted[part.rows] for part in parts]
    count = sum(int(each.sum()) for each in wanted)
    exact = count <= exact_up_to or any(part.near is None for part in parts)
    for part, mask in zip(parts, wanted, strict=True):
        if not exact:
            at = _candidates(part, query, admitted, best_by_words)
            scores[part.rows[at]] = part.cosines(query, at)
        elif mask.all():
            scores[part.span] = part.cosines(query)
        else:
            at = np.flatnonzero(mask)
            scores[part.rows[at]] = part.cosines(query, at)
    return scores


def _candidates(
    part: VectorPart,
    query: npt.NDArray[np.float32],
    admitted: npt.NDArray[np.bool_],
    best_by_words: npt.NDArray[np.int64],
) -> npt.NDArray[np.int64]:
    """Vectors of a part worth comparing: the nearest, and those of the best texts by words."""
    assert part.near is not None
    nearest = part.near().nearest(query, min(CANDIDATES, len(part.rows)))
    known = np.flatnonzero(np.isin(part.rows, best_by_words))
    at = np.union1d(nearest, known)
    return at[admitted[part.rows[at]]]
