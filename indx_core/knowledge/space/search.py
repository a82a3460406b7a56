"""Search in a space: words and vectors of its own chunks, fused as over the lake, each hit with what stands around it.

Needs no server and no lake: a loaded archive is enough. Scores and fusion are in ``knowledge/search``.
"""

from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING

from indx_core.contracts.capability import EmbedderRole, Modality
from indx_core.contracts.errors import CapabilityUnavailable, InvalidEmbeddingSpace, RequestInvalid
from indx_core.contracts.knowledge import Chunk, SearchHit
from indx_core.kit.registry import Registry, discover
from indx_core.knowledge.space.filters import SpaceFilters
from indx_core.knowledge.space.vectors import SpaceVectors

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from indx_core.knowledge.space.space import KnowledgeSpace

    Scores = npt.NDArray[np.float64]

BASELINE = "default-text"
"""The space every installation has; any other one is preferred to it where a space holds several."""


def search_space(  # noqa: PLR0913 - all but two optional and by keyword
    space: "KnowledgeSpace",
    query: str,
    *,
    k: int = 5,
    embedding_space: str | None = None,
    vector: "Sequence[float] | None" = None,
    words_only: bool = False,
    filters: SpaceFilters | None = None,
    lexical_weight: float | None = None,
    registry: Registry | None = None,
) -> list[SearchHit]:
    """The best chunks for a question, best first. The same space and question give the same answer.

    Args:
        space: Where to look.
        query: The question's words.
        k: How many hits at most. Chunks that score 0 are none.
        embedding_space: Whose vectors to compare; by default the space's own, a model's before the hashed baseline.
        vector: The query's vector in ``embedding_space``; made here by an installed embedder when not given.
        words_only: Compare no vectors.
        filters: What the hits must be.
        lexical_weight: Share of the words, 0-1; by default what suits the embedding space.
        registry: What is installed; discovered when not given.

    Raises:
        RequestInvalid: The query is empty.
        InvalidEmbeddingSpace: The space has no such vectors, or ``vector`` has another length.
        CapabilityUnavailable: No installed embedder places queries in the embedding space.
    """
    if not query.strip():
        raise RequestInvalid("a search needs a question", param="query")
    import numpy as np

    from indx_core.knowledge.search import fusion

    vectors = None if words_only else _vectors(space, embedding_space)
    lexical = space.lexical_scores(query)
    cosine = None
    if vectors is not None:
        given = _encoded(query, vectors, registry or discover()) if vector is None else np.asarray(vector, np.float32)
        cosine = _cosine(space, vectors, given)
    weight = fusion.lexical_weight_of(vectors.space_id if vectors else None)
    weight = weight if lexical_weight is None else lexical_weight
    scores = fusion.fuse(lexical, cosine, weight)
    scores[~_admitted(space, filters or SpaceFilters())] = 0.0
    best = np.argsort(-scores, kind="stable")[:k]
    return [_hit(space, int(at), scores, lexical.scores, cosine) for at in best if scores[at] > 0]


def _vectors(space: "KnowledgeSpace", wanted: str | None) -> SpaceVectors | None:
    held = space.vectors
    if wanted is None:
        preferred = sorted(held, key=lambda each: (each == BASELINE, each))
        return held[preferred[0]] if preferred else None
    if wanted not in held:
        known = ", ".join(held) or "none"
        raise InvalidEmbeddingSpace(f"the space has no vectors of {wanted!r}; it has: {known}", param="embedding_space")
    return held[wanted]


def _encoded(query: str, vectors: SpaceVectors, registry: Registry) -> "npt.NDArray[np.float32]":
    """The query's vector by the first installed embedder of the space that takes text queries."""
    for embedder in registry.embedders:
        about = embedder.descriptor
        fits = about.embedding_space_id == vectors.space_id and EmbedderRole.QUERY in about.roles
        if fits and Modality.TEXT in about.modalities and about.available:
            placed: npt.NDArray[np.float32] = embedder.embed_texts([query], EmbedderRole.QUERY).vectors[0]
            return placed
    raise CapabilityUnavailable(
        f"no embedder installed here places queries in the embedding space {vectors.space_id!r}",
        remedy="install its embedder, give the query's vector, or search the words only",
    )


def _cosine(space: "KnowledgeSpace", vectors: SpaceVectors, query: "npt.NDArray[np.float32]") -> "Scores":
    """Cosine of every chunk; NaN for one without a vector."""
    import numpy as np

    from indx_core.knowledge.search.vectors import cosine

    if query.shape != (vectors.dimension,):
        message = f"the query's vector has {query.size} dimensions, {vectors.space_id!r} has {vectors.dimension}"
        raise InvalidEmbeddingSpace(message, param="vector")
    scores = np.full(len(space.chunks), np.nan)
    scores[vectors.rows] = cosine(vectors.matrix, query)
    return scores


def _admitted(space: "KnowledgeSpace", filters: SpaceFilters) -> "npt.NDArray[np.bool_]":
    import numpy as np

    if filters == SpaceFilters():
        return np.ones(len(space.chunks), bool)
    documents = {document.id: document for document in space.documents_ if filters.admits_document(document)}
    passes = (each.doc_id in documents and filters.admits_chunk(each, documents[each.doc_id]) for each in space.chunks)
    return np.fromiter(passes, bool, len(space.chunks))


def _hit(space: "KnowledgeSpace", at: int, scores: "Scores", lexical: "Scores", cosine: "Scores | None") -> SearchHit:
    chunk: Chunk = space.chunks[at]
    document = space.document(chunk.doc_id)
    return SearchHit(
        chunk=chunk,
        score=float(scores[at]),
        neighbors=[space.chunk(each) for each in chunk.neighbors],
        document=document,
        relations=[*chunk.relations, *document.references],
        lexical=float(lexical[at]),
        vector=None if cosine is None or isnan(cosine[at]) else float(cosine[at]),
    )
