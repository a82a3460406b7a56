"""The six slots: parser, llm, vlm, embedder, store, output. What each has to do, and what fills it by name.

A slot takes a name or an object; an object needs the methods and nothing else. Holds no stage.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from indx_core.app.service import Service
from indx_core.contracts.annotation import Enrichment
from indx_core.contracts.capability import CapabilityKind, EmbedderRole, EmbeddingSpace
from indx_core.contracts.errors import CapabilityUnavailable, ConfigInvalid
from indx_core.contracts.ingest import IngestOptions
from indx_core.contracts.knowledge import ParsedDoc
from indx_core.contracts.page import PageStatus
from indx_core.knowledge.space import SpaceVectors
from indx_core.ports.document import OpenDocument
from indx_core.ports.embedder import Embedder as EmbedderPort
from indx_core.ports.enricher import Enricher as EnricherPort
from indx_core.ports.reader import Reader as ReaderPort

if TYPE_CHECKING:
    from indx_core.knowledge.space import KnowledgeSpace


_Component = TypeVar("_Component")


class Parser(Protocol):
    """Says what one file says."""

    def parse(self, path: str, data: bytes) -> ParsedDoc:
        """The file as text and blocks. A block with ``text`` becomes a chunk; without blocks, paragraphs do.

        Metadata that relations are found by: ``title``, ``properties`` and ``links`` (``knowledge/space/related.py``).
        ``topics``, ``tags`` and ``summary`` become those of the document.
        """
        ...


class LLM(Protocol):
    """Summarises a text and coins tags."""

    def enrich(self, text: str) -> Enrichment:
        """Summary and tags, each only where there is one."""
        ...


class VLM(Protocol):
    """Describes a picture."""

    def describe(self, image: bytes) -> str:
        """One passage about a picture (PNG or JPEG bytes)."""
        ...


class Embedder(Protocol):
    """Places texts in one embedding space."""

    space_id: str

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector per text, in order, all of one length."""
        ...


class Store(Protocol):
    """Keeps vectors until they are packed."""

    def put(self, space_id: str, vectors: Mapping[str, list[float]]) -> None:
        """Keep vectors by chunk id."""
        ...

    def vectors(self, chunk_ids: Sequence[str]) -> list[SpaceVectors]:
        """Everything kept, its rows being indexes into ``chunk_ids``."""
        ...


class OutputWriter(Protocol):
    """Writes a finished space."""

    def write(self, space: "KnowledgeSpace", out: Path) -> None:
        """Write it below the folder ``out``, which exists."""
        ...


class InstalledLLM:
    """An installed enricher in the slot ``llm``, by its id."""

    def __init__(self, enricher: EnricherPort) -> None:
        self._enricher = enricher

    def enrich(self, text: str) -> Enrichment:
        return self._enricher.enrich([text])[0].parts


class InstalledVLM:
    """An installed vision model in the slot ``vlm``, by its id: what it reads off the picture."""

    def __init__(self, reader: ReaderPort) -> None:
        self._reader = reader

    def describe(self, image: bytes) -> str:
        media_type = "image/jpeg" if image.startswith(b"\xff\xd8\xff") else "image/png"
        with OpenDocument(image, media_type) as document:
            output = next(iter(self._reader.read(document, [1])), None)
        if output is None or output.status is not PageStatus.COMPLETED:
            reason = output.reason if output else "it gave no answer"
            raise CapabilityUnavailable(f"{self._reader.descriptor.id} cannot read the picture: {reason}")
        return output.text


class InstalledEmbedder:
    """An installed embedder in the slot ``embedder``, by its embedding space.

    Attributes:
        encoder: What a query has to be encoded with: the public description of the embedding space.
    """

    def __init__(self, embedder: EmbedderPort, space: EmbeddingSpace) -> None:
        self._embedder = embedder
        self.space_id = space.id
        self.encoder = {**space.model_dump(mode="json"), "embedder_ids": [embedder.descriptor.embedder_id]}

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        found: list[list[float]] = self._embedder.embed_texts(texts, EmbedderRole.DOCUMENT).vectors.tolist()
        return found


class MemoryStore:
    """Vectors in memory, one matrix per embedding space: exact search to about a million chunks."""

    def __init__(self) -> None:
        self._kept: dict[str, dict[str, list[float]]] = {}

    def put(self, space_id: str, vectors: Mapping[str, list[float]]) -> None:
        self._kept.setdefault(space_id, {}).update(vectors)

    def vectors(self, chunk_ids: Sequence[str]) -> list[SpaceVectors]:
        import numpy as np

        found = []
        for space_id, kept in self._kept.items():
            rows = [at for at, chunk_id in enumerate(chunk_ids) if chunk_id in kept]
            if rows:
                matrix = np.array([kept[chunk_ids[at]] for at in rows], np.float32)
                found.append(SpaceVectors(space_id, matrix, np.array(rows, np.int32), {"id": space_id}))
        return found


class ArchiveWriter:
    """The default output: ``space.indx``, and what is in it as files: ``index.json``, ``embeddings/``."""

    def write(self, space: "KnowledgeSpace", out: Path) -> None:
        from indx_core.knowledge.archive import unpack

        space.save(out / "space.indx")
        unpack(out / "space.indx", out)


def parser_named(name: str, service: Service, options: IngestOptions, *, pictures: bool) -> Parser:
    """``indx``: everything installed. ``pictures``: give those of each file, too."""
    from indx_core.app.pipeline.parser import IndxParser

    return _known("parser", name, {"indx": partial(IndxParser, service, options, pictures=pictures)})


def llm_named(name: str, service: Service) -> LLM:
    """An installed enricher, such as ``extractive`` (free, local) or ``enrich-llm``."""
    enrichers = service.installation.registry.enrichers
    return _known("llm", name, {each.descriptor.id: partial(InstalledLLM, each) for each in enrichers})


def vlm_named(name: str, service: Service) -> VLM:
    """An installed vision model, such as ``generic-vlm``."""
    readers = service.installation.registry.readers
    fits = [each for each in readers if each.descriptor.kind is CapabilityKind.VLM]
    return _known("vlm", name, {each.descriptor.id: partial(InstalledVLM, each) for each in fits})


def embedder_named(name: str, service: Service) -> Embedder:
    """The first installed embedder of an embedding space that takes documents, such as ``default-text``."""
    installation = service.installation
    fits = [each for each in installation.registry.embedders if EmbedderRole.DOCUMENT in each.descriptor.roles]
    spaces = {each.id: each for each in installation.snapshot.embedding_spaces}
    by_space = {each.space.id: partial(InstalledEmbedder, each, spaces[each.space.id]) for each in reversed(fits)}
    return _known("embedder", name, by_space)


def store_named(name: str) -> Store:
    """``memory``."""
    return _known("store", name, {"memory": MemoryStore})


def writer_named(name: str) -> OutputWriter:
    """``indx``: the archive and its members; ``jsonl``, ``parquet``, ``qdrant``: for another system's index."""
    from indx_core.knowledge.export import JsonlWriter, ParquetWriter, QdrantWriter

    made: dict[str, Callable[[], OutputWriter]]
    made = {"indx": ArchiveWriter, "jsonl": JsonlWriter, "parquet": ParquetWriter, "qdrant": QdrantWriter}
    return _known("output", name, made)


def _known(slot: str, name: str, made: Mapping[str, Callable[[], _Component]]) -> _Component:
    if name not in made:
        known = ", ".join(sorted(made)) or "nothing"
        raise ConfigInvalid(f"nothing called {name!r} fits the slot {slot}; there is: {known}", param=slot)
    return made[name]()
