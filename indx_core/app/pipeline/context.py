"""``SpaceContext``: the one mutable object that every stage receives, adds to and returns.

Stages never rebuild a value of it in place. Holds no stage and no component of its own.
"""

from dataclasses import replace
from typing import Any

from pydantic import BaseModel, ConfigDict

from indx_core.app.pipeline.slots import InstalledEmbedder, Store
from indx_core.contracts.errors import IndxError
from indx_core.contracts.ingest import IndxConfig
from indx_core.contracts.knowledge import Chunk, Document, ParsedDoc, Relation, StageError
from indx_core.knowledge.space import KnowledgeSpace, SpaceVectors
from indx_core.knowledge.space.about import about


class SpaceContext(BaseModel):
    """What a run is about and what it has so far.

    Attributes:
        root: Path being processed: a folder or a ZIP file.
        out: Folder the output is written to; ``None`` writes nothing.
        config: ``indx.toml``.
        files: The files below ``root``.
        parser: Bound slot, as the four that follow and ``llm``, ``vlm``: any object with the methods of ``slots.py``.
        dir_graph: Walk: folder to its files and folders, sorted.
        parsed: Parse: by document id.
        documents: Walk onward, in the order of their ids.
        chunks: Chunk onward.
        relations: Relate: edges between documents and folders.
        embeddings: Embed: vectors by chunk id.
        errors: Files a stage could not do; the others went on.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    root: str
    out: str | None = None
    config: IndxConfig
    files: Any
    parser: Any
    llm: Any = None
    vlm: Any = None
    embedder: Any
    store: Any
    writer: Any
    dir_graph: dict[str, Any] = {}
    parsed: dict[str, ParsedDoc] = {}
    documents: list[Document] = []
    chunks: list[Chunk] = []
    relations: list[Relation] = []
    embeddings: dict[str, list[float]] = {}
    errors: list[StageError] = []

    def to_space(self) -> KnowledgeSpace:
        """What was accumulated, as the space that is returned and packed."""
        space = KnowledgeSpace(
            root=self.root,
            documents=self.documents,
            chunks=self.chunks,
            relations=self.relations,
            metadata=about(config=self.config.ingest.model_dump(mode="json"), errors=self.errors),
        )
        store: Store = self.store
        return space.with_vectors(list(map(self._described, store.vectors([chunk.id for chunk in self.chunks]))))

    def _described(self, vectors: SpaceVectors) -> SpaceVectors:
        """Vectors of an installed embedder with the description of what encodes queries for them."""
        embedder = self.embedder
        if not isinstance(embedder, InstalledEmbedder) or embedder.space_id != vectors.space_id:
            return vectors
        return replace(vectors, encoder={**vectors.encoder, **embedder.encoder})

    def fail(self, stage: str, path: str, error: Exception) -> None:
        """Note a file that a stage could not do. A foreign exception may hold a credential: only its class is told."""
        code, message = type(error).__name__, f"{stage} broke off: {type(error).__name__}"
        if isinstance(error, IndxError):
            code, message = error.code or error.type, f"{error.message}; {error.remedy}"
        self.errors.append(StageError(stage=stage, path=path, code=code, message=message))
