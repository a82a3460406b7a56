"""The six slots: parser, llm, vlm, embedder, store, output. What each has to do, and what fills it by name.

A slot takes a name or an object; an object needs the methods and nothing else. Holds no stage.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from indx_core.app.service import Service
from indx_core.contracts.annotation import Enrichment
from indx_core.contracts.block import LINKS as PAGE_LINKS
from indx_core.contracts.block import Block, BlockKind
from indx_core.contracts.capability import EmbedderRole
from indx_core.contracts.encode import EncodeRequest
from indx_core.contracts.errors import ConfigInvalid
from indx_core.contracts.ingest import IngestOptions
from indx_core.contracts.knowledge import ParsedDoc, Source
from indx_core.contracts.plan import Granularity
from indx_core.contracts.source import InlineSource
from indx_core.kit.intake import acquire, observe_document, open_document
from indx_core.knowledge.space import SpaceVectors, ids
from indx_core.knowledge.space.declared import declared_day
from indx_core.knowledge.space.media_types import short_name
from indx_core.knowledge.space.related import LINKS
from indx_core.ports.embedder import Embedder as EmbedderPort
from indx_core.ports.enricher import Enricher as EnricherPort

if TYPE_CHECKING:
    from indx_core.knowledge.space import KnowledgeSpace


_Component = TypeVar("_Component")


class Parser(Protocol):
    """Says what one file says."""

    def parse(self, path: str, data: bytes) -> ParsedDoc:
        """The file as text and blocks. A block with ``text`` becomes a chunk; without blocks, paragraphs do.

        Metadata that relations are found by: ``title``, ``properties`` and ``links`` (``knowledge/space/related.py``).
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


class IndxParser:
    """The parser of every installation: planning, reading and chunking as ``indx encode`` does them."""

    def __init__(self, service: Service, options: IngestOptions) -> None:
        self._service, self._options = service, options

    def parse(self, path: str, data: bytes) -> ParsedDoc:
        source = InlineSource(data=data, filename=path.rpartition("/")[2])
        request = EncodeRequest(
            source=source,
            constraints=self._options.constraints,
            signature_detection=self._options.signature_detection,
            granularities=(Granularity.DOCUMENT, Granularity.PAGE, Granularity.CHUNK),
            embedding_space_ids=(),
        )
        blocks = self._service.encode(request).blocks
        document = next(block for block in blocks if block.kind is BlockKind.DOCUMENT)
        pages = [block for block in blocks if block.kind is BlockKind.PAGE]
        media_type = document.provenance.media_type or "application/octet-stream"
        return ParsedDoc(
            source=Source(path=path, folder=ids.folder(path), type=short_name(media_type)),
            text="\f".join(page.text or "" for page in pages),
            blocks=[_chunk_block(block) for block in blocks if block.kind is BlockKind.CHUNK],
            metadata={
                "media_type": media_type,
                "source_digest": document.provenance.source_digest,
                "byte_count": len(data),
                "page_count": len(pages),
                "pages": _statuses([page.status.value for page in pages]),
                **_links(pages),
                **self._declared(source),
            },
        )

    def _declared(self, source: InlineSource) -> dict[str, Any]:
        """What the format declares of itself, which a block tree does not carry: observed again, from memory."""
        registry = self._service.installation.registry
        acquired = acquire(source, registry)
        with open_document(acquired, registry) as document:
            properties = observe_document(acquired, document, registry).properties
        found = {"title": properties.get("title"), "author": properties.get("author"), "properties": properties}
        return {name: value for name, value in {**found, "date": declared_day(properties)}.items() if value}


class InstalledLLM:
    """An installed enricher in the slot ``llm``, by its id."""

    def __init__(self, enricher: EnricherPort) -> None:
        self._enricher = enricher

    def enrich(self, text: str) -> Enrichment:
        return self._enricher.enrich([text])[0].parts


class InstalledEmbedder:
    """An installed embedder in the slot ``embedder``, by its embedding space."""

    def __init__(self, embedder: EmbedderPort) -> None:
        self._embedder = embedder
        self.space_id = embedder.space.id

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


def parser_named(name: str, service: Service, options: IngestOptions) -> Parser:
    """``indx``: everything installed."""
    return _known("parser", name, {"indx": partial(IndxParser, service, options)})


def llm_named(name: str, service: Service) -> LLM:
    """An installed enricher, such as ``extractive`` (free, local) or ``enrich-llm``."""
    enrichers = service.installation.registry.enrichers
    return _known("llm", name, {each.descriptor.id: partial(InstalledLLM, each) for each in enrichers})


def embedder_named(name: str, service: Service) -> Embedder:
    """The first installed embedder of an embedding space that takes documents, such as ``default-text``."""
    fits = [each for each in service.installation.registry.embedders if EmbedderRole.DOCUMENT in each.descriptor.roles]
    by_space = {each.space.id: partial(InstalledEmbedder, each) for each in reversed(fits)}
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


def _chunk_block(block: Block) -> dict[str, Any]:
    page = int(block.id.removeprefix("page:").partition("/")[0])
    place = {"box": list(block.bbox)} if block.bbox else {"box_reason": str(block.bbox_reason)}
    return {
        "text": block.text or "",
        "block_id": block.id,
        "page": page,
        **place,
        "capability_id": block.provenance.capability_id,
    }


def _links(pages: Sequence[Block]) -> dict[str, Any]:
    """The links of all pages, where there are any."""
    found = [
        {**link, "page": number}
        for number, page in enumerate(pages, start=1)
        for link in page.metadata.get(PAGE_LINKS, ())
    ]
    return {LINKS: found} if found else {}


def _statuses(statuses: list[str]) -> dict[str, int]:
    return {status: statuses.count(status) for status in sorted(set(statuses))}
