"""Ranking: what is searched, scored on both sides and fused. The lake and a space are ranked by the same function.

Does not read tables, embed queries or describe hits.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

from indx_core.contracts.errors import InvalidEmbeddingSpace, RequestInvalid

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from indx_core.knowledge.search.vectors import VectorPart
    from indx_core.knowledge.search.words import Words

LEXICAL = "lexical"
"""What the words are called among the components that found a hit; the others are embedding spaces."""


class Searched(Protocol):
    """Texts that are searched, numbered from 0."""

    @property
    def words(self) -> "Words":
        """Their inverted indexes."""
        ...

    def texts_at(self, numbers: Sequence[int]) -> Sequence[str]:
        """Some of the texts."""
        ...

    def texts(self) -> Iterable[str]:
        """All of them, in order."""
        ...

    def vectors(self, space: str) -> "Sequence[VectorPart]":
        """Their vectors in an embedding space, part by part; none where it has none."""
        ...


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked.

    Attributes:
        text: Words; matched whole (or by pairs of characters, in scripts without spaces), else as a part.
        vector: Its vector in ``space``.
        space: Embedding space to compare in; given with a vector.
        lexical_weight: Share of the words, 0-1, when both are given; by default ``fusion.LEXICAL_WEIGHT``.
        exact_up_to: Most vectors that are compared one by one.
    """

    text: str | None = None
    vector: "npt.NDArray[np.float32] | None" = None
    space: str | None = None
    lexical_weight: float | None = None
    exact_up_to: int = 1_000_000

    def __post_init__(self) -> None:
        if self.text is None and self.vector is None:
            raise RequestInvalid("a search needs a text or a vector", param="text")
        if (self.vector is None) != (self.space is None):
            raise RequestInvalid("a query vector and its embedding space go together", param="space")


class Ranked(NamedTuple):
    """A text that was found.

    Attributes:
        at: Its number.
        score: 0-1, the fused score; comparable within one answer only.
        found_by: What each component gave to the score, the largest part first: ``lexical``, or an embedding space.
        lexical: BM25; ``None`` when the query had no text.
        vector: Cosine, -1 to 1; ``None`` when the query had no vector, or it was not compared with the text's.
    """

    at: int
    score: float
    found_by: dict[str, float]
    lexical: float | None
    vector: float | None


def rank(searched: Searched, query: Query, admitted: "npt.NDArray[np.bool_]", k: int) -> list[Ranked]:
    """The best texts for a query, best first, equal ones in their order. Texts that score 0 are none.

    Args:
        searched: The texts.
        query: What is asked.
        admitted: Which texts may be found.
        k: How many at most.

    Raises:
        InvalidEmbeddingSpace: There are no vectors of the space, or they are of another length.
    """
    import numpy as np

    from indx_core.knowledge.search import fusion
    from indx_core.knowledge.search.words import leading

    lexical = None
    if query.text is not None:
        lexical = searched.words.match(query.text, admitted, searched.texts_at, searched.texts)
    cosine = _cosine(searched, query, admitted, np.empty(0) if lexical is None else lexical.scores)
    weight = fusion.LEXICAL_WEIGHT if query.lexical_weight is None else query.lexical_weight
    fused = fusion.fuse(lexical, cosine, weight)
    best = leading(np.where(admitted, fused.scores, 0.0), k)
    sides = [(LEXICAL, fused.words), (str(query.space), fused.vectors)]
    return [
        Ranked(
            at=int(at),
            score=float(fused.scores[at]),
            found_by=_parts((name, float(side[at])) for name, side in sides if side is not None),
            lexical=None if lexical is None else float(lexical.plain[at]),
            vector=None if cosine is None or np.isnan(cosine[at]) else float(cosine[at]),
        )
        for at in best
    ]


def _cosine(
    searched: Searched, query: Query, admitted: "npt.NDArray[np.bool_]", words: "npt.NDArray[np.float64]"
) -> "npt.NDArray[np.float64] | None":
    if query.vector is None or query.space is None:
        return None
    from indx_core.knowledge.search import vectors
    from indx_core.knowledge.search.words import leading

    parts = searched.vectors(query.space)
    if not parts:
        message = f"there are no vectors of embedding space {query.space!r}"
        raise InvalidEmbeddingSpace(message, param="space", remedy="name a space that was ingested with, or none")
    if any(query.vector.shape != (part.matrix.shape[1],) for part in parts):
        message = f"the query's vector has {query.vector.size} dimensions, embedding space {query.space!r} has others"
        raise InvalidEmbeddingSpace(message, param="vector")
    return vectors.compared(
        parts,
        query.vector,
        admitted,
        best_by_words=leading(words, vectors.CANDIDATES),
        exact_up_to=query.exact_up_to,
    )


def _parts(sides: Iterable[tuple[str, float]]) -> dict[str, float]:
    return dict(sorted(((name, round(part, 6)) for name, part in sides if part > 0), key=lambda each: -each[1]))
