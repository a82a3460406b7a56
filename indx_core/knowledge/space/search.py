"""Search in a space: words and vectors of its own chunks, fused as over the lake, each hit with what stands around it.

Needs no server and no lake: a loaded archive is enough. Scores and fusion are in ``knowledge/search``.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING
from unicodedata import normalize

from indx_core.contracts.capability import EmbedderRole, Modality
from indx_core.contracts.errors import CapabilityUnavailable, InvalidEmbeddingSpace, RequestInvalid
from indx_core.contracts.knowledge import Chunk, Document, SearchHit
from indx_core.kit.registry import Registry, discover
from indx_core.knowledge.search.filters import Described, SearchFilters
from indx_core.knowledge.search.rank import Query, Ranked, rank
from indx_core.knowledge.search.settings import SearchSettings
from indx_core.knowledge.space.vectors import SpaceVectors

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from indx_core.knowledge.search.vectors import VectorPart
    from indx_core.knowledge.search.words import Words
    from indx_core.knowledge.space.space import KnowledgeSpace

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
    filters: SearchFilters | None = None,
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
        lexical_weight: Share of the words, 0-1; by default .95.
        registry: What is installed; discovered when not given.

    Raises:
        RequestInvalid: The query is empty.
        InvalidEmbeddingSpace: The space has no such vectors, or ``vector`` has another length.
        CapabilityUnavailable: No installed embedder places queries in the embedding space.
    """
    if not query.strip():
        raise RequestInvalid("a search needs a question", param="query")
    import numpy as np

    vectors = None if words_only else _vectors(space, embedding_space)
    given = None
    if vectors is not None:
        given = _encoded(query, vectors, registry or discover()) if vector is None else np.asarray(vector, np.float32)
    asked = Query(
        query,
        given,
        None if vectors is None else vectors.space_id,
        lexical_weight,
        SearchSettings.load().search_exact_vectors,
    )
    found = rank(_Searched(space), asked, _admitted(space, filters or SearchFilters()), k)
    return [_hit(space, each) for each in found]


class _Searched:
    """A space's chunks as texts that are ranked."""

    def __init__(self, space: "KnowledgeSpace") -> None:
        self._space = space

    @property
    def words(self) -> "Words":
        from indx_core.knowledge.search.words import Words

        return Words([self._space.lexical])

    def texts_at(self, numbers: Sequence[int]) -> list[str]:
        return [self._space.chunks[number].text for number in numbers]

    def texts(self) -> Iterator[str]:
        return (chunk.text for chunk in self._space.chunks)

    def vectors(self, space: str) -> "list[VectorPart]":
        import numpy as np

        from indx_core.knowledge.search.vectors import VectorPart, norms_of

        held = self._space.vectors[space]
        return [VectorPart(held.matrix, norms_of(held.matrix), held.rows.astype(np.int64))]


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


def _admitted(space: "KnowledgeSpace", filters: SearchFilters) -> "npt.NDArray[np.bool_]":
    import numpy as np

    if filters == SearchFilters():
        return np.ones(len(space.chunks), bool)
    corpus = space.metadata.get("corpus")
    documents = {each.id: each for each in space.documents_ if filters.admits(_described(each, corpus))}
    passes = (each.doc_id in documents and _fits(filters, each, documents[each.doc_id]) for each in space.chunks)
    return np.fromiter(passes, bool, len(space.chunks))


def _described(document: Document, corpus: str | None) -> Described:
    about = document.metadata
    return Described(
        key=about.get("key", ""),
        corpus=corpus,
        path=normalize("NFC", document.path),
        type=document.type,
        media_type=about.get("media_type"),
        language=about.get("language"),
        date=about.get("date"),
    )


def _fits(filters: SearchFilters, chunk: Chunk, document: Document) -> bool:
    labels = (each.get("labels", {}).values() for each in (chunk.metadata, document.metadata))
    names = chunk.metadata.get("entities", {}).values()
    return filters.labelled({label for given in labels for label in given}) and filters.named(
        {name for found in names for name in found}
    )


def _hit(space: "KnowledgeSpace", found: Ranked) -> SearchHit:
    chunk = space.chunks[found.at]
    document = space.document(chunk.doc_id)
    return SearchHit(
        chunk=chunk,
        score=found.score,
        found_by=found.found_by,
        neighbors=[space.chunk(each) for each in chunk.neighbors],
        document=document,
        relations=[*chunk.relations, *document.references],
        lexical=found.lexical,
        vector=found.vector,
    )
