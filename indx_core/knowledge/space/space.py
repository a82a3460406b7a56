"""``KnowledgeSpace``: the result of processing a corpus, as one object that can be counted, filtered, searched, kept.

Holds the data and delegates: search to ``knowledge/search``, load and save to ``knowledge/archive``.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from pydantic import ConfigDict, Field, PrivateAttr, field_validator, model_validator

from indx_core.contracts.errors import ArchiveInvalid
from indx_core.contracts.knowledge import (
    SCHEMA_VERSION,
    Chunk,
    Document,
    Relation,
    SpaceStats,
    SpaceValue,
    known_relations,
)
from indx_core.knowledge.space.vectors import SpaceVectors

if TYPE_CHECKING:
    from indx_core.contracts.knowledge import SearchHit
    from indx_core.knowledge.search.lexical import LexicalIndex


class KnowledgeSpace(SpaceValue):
    """Documents, chunks and edges of a corpus, with the vectors beside them.

    Attributes:
        version: Version of the schema.
        root: What was walked: a folder, a ZIP file or a bucket.
        documents_: All documents; ``documents()`` filters them, and ``documents`` is their key in ``index.json``.
        chunks: All chunks, in the order of their ids.
        relations: Edges between documents and folders, each with its source.
        metadata: ``tool`` and its version, ``config``, ``errors`` (``about.py``). Holds no time.
    """

    model_config = ConfigDict(populate_by_name=True)

    version: str = SCHEMA_VERSION
    root: str
    documents_: list[Document] = Field(default=[], alias="documents")
    chunks: list[Chunk] = []
    relations: list[Relation] = []
    metadata: dict[str, Any] = {}
    _vectors: dict[str, SpaceVectors] = PrivateAttr(default_factory=dict)

    @field_validator("version")
    @classmethod
    def _readable(cls, version: str) -> str:
        if version.partition(".")[0] != SCHEMA_VERSION.partition(".")[0]:
            raise ValueError(f"schema version {version} cannot be read here, which knows {SCHEMA_VERSION}")
        return version

    @model_validator(mode="before")
    @classmethod
    def _known_relations(cls, given: Any) -> Any:
        if not isinstance(given, Mapping) or "relations" not in given:
            return given
        return {**given, "relations": known_relations(given["relations"])}

    @classmethod
    def load(cls, archive: str | Path) -> Self:
        """The space of an ``.indx`` archive, or of a folder it was unpacked to. Matrices are memory-mapped.

        Raises:
            ArchiveInvalid: It fails a check: digests, limits, names, schema version.
        """
        from indx_core.knowledge.archive import load

        space = load(Path(archive))
        if not isinstance(space, cls):
            raise ArchiveInvalid(f"the archive holds no {cls.__name__}")
        return space

    def save(self, archive: str | Path) -> None:
        """Write the space as one ``.indx`` file, whole or not at all. The same space gives the same bytes."""
        from indx_core.knowledge.archive import save

        save(self, Path(archive))

    def with_vectors(self, vectors: Sequence[SpaceVectors]) -> Self:
        """The same space with these matrices beside it."""
        space = self.model_copy()
        space._vectors = {each.space_id: each for each in sorted(vectors, key=lambda each: each.space_id)}  # noqa: SLF001
        return space

    @property
    def vectors(self) -> Mapping[str, SpaceVectors]:
        """Matrices by embedding space, sorted."""
        return self._vectors

    def with_lexical(self, index: "LexicalIndex") -> Self:
        """The same space with the inverted index of its chunks' texts, which spares the first search to build it."""
        space = self.model_copy()
        vars(space)["lexical"] = index  # where the cached property keeps it: equality compares private attributes
        return space

    @cached_property
    def lexical(self) -> "LexicalIndex":
        """The inverted index of the chunks' texts; built when first asked for, unless it came with the archive."""
        from indx_core.knowledge.search.lexical import LexicalIndex

        return LexicalIndex.build([chunk.text for chunk in self.chunks])

    @property
    def stats(self) -> SpaceStats:
        """Counts of everything. An edge that stands on its object and in ``relations`` counts once."""
        dimensions = {each.dimension for each in self._vectors.values()}
        return SpaceStats(
            documents=len(self.documents_),
            chunks=len(self.chunks),
            relations=len(set(self._edges())),
            embeddings=sum(len(each.rows) for each in self._vectors.values()),
            embed_dim=dimensions.pop() if len(dimensions) == 1 else None,
            types=dict(sorted(Counter(document.type for document in self.documents_).items())),
            bytes_source=sum(document.metadata.get("byte_count", 0) for document in self.documents_),
        )

    def relation_counts(self) -> dict[str, int]:
        """Edges by type, each counted once, sorted by type."""
        return dict(sorted(Counter(kind for _, kind, _ in set(self._edges())).items()))

    @property
    def errors(self) -> list[dict[str, Any]]:
        """Files that could not be processed, as ``StageError`` fields."""
        found: list[dict[str, Any]] = self.metadata.get("errors", [])
        return found

    def documents(self, type: str | None = None) -> list[Document]:  # noqa: A002 - the field's name in the data model
        """Documents, all of them or those of one type."""
        return [document for document in self.documents_ if type is None or document.type == type]

    def document(self, document_id: str) -> Document:
        """A document by id.

        Raises:
            KeyError: There is none.
        """
        return self.documents_[self._document_at[document_id]]

    def chunk(self, chunk_id: str, space: str | None = None) -> Chunk:
        """A chunk by id, with its vector of an embedding space where one is named.

        Raises:
            KeyError: There is no such chunk, or no such embedding space.
        """
        at = self._chunk_at[chunk_id]
        chunk = self.chunks[at]
        return chunk if space is None else chunk.model_copy(update={"embedding": self._vectors[space].of_chunk(at)})

    def search(self, query: str, k: int = 5, **options: Any) -> "list[SearchHit]":
        """The best chunks for a question, best first.

        Args:
            query: The question's words.
            k: How many hits at most.
            **options: Those of ``knowledge.space.search.search_space``, such as ``filters`` and ``embedding_space``.
        """
        from indx_core.knowledge.space.search import search_space

        return search_space(self, query, k=k, **options)

    def _edges(self) -> Iterator[tuple[str | None, str, str]]:
        for chunk in self.chunks:
            yield from ((chunk.id, edge.type.value, edge.to) for edge in chunk.relations)
        for document in self.documents_:
            yield from ((document.id, edge.type.value, edge.to) for edge in document.references)
        yield from ((edge.from_id, edge.type.value, edge.to) for edge in self.relations)

    @cached_property
    def _document_at(self) -> dict[str, int]:
        return {document.id: at for at, document in enumerate(self.documents_)}

    @cached_property
    def _chunk_at(self) -> dict[str, int]:
        return {chunk.id: at for at, chunk in enumerate(self.chunks)}
