"""The nouns of a knowledge space: documents, their chunks, the typed edges between them, and what a search answers.

Holds values only: the space itself, with search, load and save, is ``knowledge/space``; how it is written is
``knowledge/archive``. Two spellings of a chunk and of a relation are in use, Python's (``index``, ``neighbors``,
``type``/``to``/``from_id``/``weight``) and that of ``index.json`` (``position``, ``prev_id``, ``next_id``,
``src``/``dst``/``type``/``score``). Either one is read, and gives the same object.

A reader of schema 1.x ignores fields and relation types that a later 1.y added; another major version is refused.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

SCHEMA_VERSION = "1.0"
"""Raised in the second place when something is added, in the first when what exists changes its meaning."""


class RelationType(StrEnum):
    """What an edge says. Members are only ever added within a major version."""

    SIBLING = "sibling"
    """Same folder, or same logical group: versions of one document."""
    PARENT = "parent"
    """Folder lineage: the target contains the source."""
    REFERENCES = "references"
    """Citation, link or mention."""
    CONTINUES = "continues"
    """The target is the next unit of a split sequence."""
    DUPLICATE_OF = "duplicate-of"
    """The target has the same content, or nearly so."""


class SpaceValue(BaseModel):
    """A frozen value of a knowledge space. Unknown fields are ignored: a later minor version may have added them."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Source(SpaceValue):
    """Where content comes from.

    Attributes:
        path: Path below the walked root, ``/`` between segments.
        folder: Its folder, also below the root; empty for the root itself.
        type: The document's type.
    """

    path: str
    folder: str
    type: str


class Relation(SpaceValue):
    """A typed, directed edge.

    Attributes:
        type: What it says.
        to: Target: an id, or a path below the root.
        from_id: Source; ``None`` where the edge is stored on the object that it leaves.
        weight: How sure or how similar, 0-1, where that means something.
        evidence: What it was concluded from, in a few words, such as ``link: ../legal/gdpr.md``.
    """

    type: RelationType
    to: str
    from_id: str | None = None
    weight: float | None = Field(default=None, ge=0, le=1)
    evidence: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _either_spelling(cls, given: Any) -> Any:
        return _renamed(given, {"src": "from_id", "dst": "to", "score": "weight"})


class Chunk(SpaceValue):
    """A retrievable passage that knows where it stands.

    Attributes:
        id: ``chunk_0481``.
        text: The passage; empty for an image.
        source: Its document's place in the tree.
        doc_id: Its document.
        index: Place in the document, 0-based.
        metadata: ``topics``, ``summary``, ``tags`` where an annotator gave them; ``page`` (1-based), ``box``
            (``[x0, y0, x1, y1]``, 0-1, origin top left, of the page as displayed) or ``box_reason``, and the components
            that read and cut it.
        neighbors: Ids of the chunks before and after it in the document.
        relations: Edges that leave this chunk.
        embedding: Its vector, where one was asked for; vectors live beside ``index.json``, not in it.
    """

    id: str
    text: str
    source: Source
    doc_id: str
    index: int = Field(ge=0)
    metadata: dict[str, Any] = {}
    neighbors: list[str] = []
    relations: list[Relation] = []
    embedding: list[float] | None = None

    @model_validator(mode="before")
    @classmethod
    def _either_spelling(cls, given: Any) -> Any:
        if not isinstance(given, Mapping):
            return given
        found = _renamed(given, {"position": "index"})
        around = [found.pop(name, None) for name in ("prev_id", "next_id")]
        if any(around):
            found.setdefault("neighbors", [one for one in around if one])
        found["relations"] = owned_relations(found.get("relations") or [], found.get("id"))
        return found

    @property
    def around(self) -> tuple[str | None, str | None]:
        """Ids of the chunks before and after. A single neighbour is the one before, unless this one is the first."""
        match self.neighbors:
            case [before, after]:
                return before, after
            case [only]:
                return (None, only) if self.index == 0 else (only, None)
            case _:
                return None, None


class Document(SpaceValue):
    """A source file.

    Attributes:
        id: ``doc_0007``.
        path: Path below the root.
        folder: Its folder.
        lineage: The folder's segments, from the root.
        type: The winning ``document_type`` label where a classifier answered, else the media type's short name.
        topics: Topics an annotator gave.
        tags: Tags an annotator coined.
        summary: Its summary.
        chunk_ids: Its chunks, in order.
        references: Edges to what it refers to.
        referenced_by: The same edges, of those that refer to it: ``to`` is the document that refers.
        metadata: Source key, address, media type, digest, bytes, pages, title and language.
    """

    id: str
    path: str
    folder: str
    lineage: list[str] = []
    type: str
    topics: list[str] = []
    tags: list[str] = []
    summary: str | None = None
    chunk_ids: list[str] = []
    references: list[Relation] = []
    referenced_by: list[Relation] = []
    metadata: dict[str, Any] = {}

    @model_validator(mode="before")
    @classmethod
    def _known_relations(cls, given: Any) -> Any:
        if not isinstance(given, Mapping):
            return given
        lists = {name: given.get(name) or [] for name in ("references", "referenced_by")}
        return {**given, **{name: owned_relations(edges, given.get("id")) for name, edges in lists.items()}}


class ParsedDoc(SpaceValue):
    """What a parser made of one file.

    Attributes:
        source: Its place in the tree.
        text: All of its text.
        blocks: Structural blocks, JSON-ready.
        tables: Grids, JSON-ready.
        images: Pictures' references and captions, JSON-ready.
        metadata: What the file declares of itself.
    """

    source: Source
    text: str
    blocks: list[dict[str, Any]] = []
    tables: list[dict[str, Any]] = []
    images: list[dict[str, Any]] = []
    metadata: dict[str, Any] = {}


class SpaceStats(SpaceValue):
    """Counts of a space: ``stats`` of ``index.json`` and what ``indx inspect --json`` prints.

    Attributes:
        embeddings: Stored vectors, over all embedding spaces.
        embed_dim: Length of a vector; ``None`` without vectors, and where spaces differ.
        types: Documents by type.
        bytes_source: Bytes of the source files.
    """

    documents: int
    chunks: int
    relations: int
    embeddings: int
    embed_dim: int | None = None
    types: dict[str, int] = {}
    bytes_source: int = 0


class SearchHit(SpaceValue):
    """A chunk that answers a query, with what stands around it.

    Attributes:
        score: The fused score, 0-1, higher is better; comparable within one answer only.
        found_by: What each component gave to the score, the largest part first: ``lexical``, or an embedding space.
        neighbors: The chunks before and after it.
        document: Its document.
        relations: Edges that leave the chunk, then those that leave its document.
        lexical: BM25 of the query's words; ``None`` when there were none.
        vector: Cosine with the query's vector, -1 to 1; ``None`` when either has none.
    """

    chunk: Chunk
    score: float
    found_by: dict[str, float] = {}
    neighbors: list[Chunk] = []
    document: Document | None = None
    relations: list[Relation] = []
    lexical: float | None = None
    vector: float | None = None

    @property
    def source(self) -> Source:
        """Where the chunk comes from."""
        return self.chunk.source


class StageError(SpaceValue):
    """A file that one stage could not do, while the others went on.

    Attributes:
        stage: Name of the stage.
        path: The file, below the root.
        code: Machine-readable reason.
        message: What happened and what to do about it.
    """

    stage: str
    path: str
    code: str
    message: str


def owned_relations(edges: Any, owner: Any) -> Any:
    """Edges as their owner stores them: of known types, and without the owner's own id as their source."""
    known = known_relations(edges)
    if not isinstance(known, list):
        return known
    return [_owned(edge, owner) for edge in known]


def known_relations(edges: Any) -> Any:
    """Edges of the types this version knows, in order; anything that is no list of edges is left to validation."""
    if not isinstance(edges, list | tuple):
        return edges
    return [edge for edge in edges if not isinstance(edge, Mapping) or edge.get("type") in _KNOWN]


_KNOWN = frozenset(each.value for each in RelationType)


def _owned(edge: Any, owner: Any) -> Any:
    if isinstance(edge, Relation):
        return edge.model_copy(update={"from_id": None}) if edge.from_id == owner else edge
    if isinstance(edge, Mapping):
        return {name: value for name, value in edge.items() if name not in {"src", "from_id"} or value != owner}
    return edge


def _renamed(given: Any, names: Mapping[str, str]) -> Any:
    """A mapping with fields of the other spelling under their Python names."""
    if not isinstance(given, Mapping):
        return given
    return {names.get(name, name): value for name, value in given.items()}
