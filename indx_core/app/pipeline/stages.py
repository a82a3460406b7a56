"""The six stages in their order: walk, parse, chunk, relate, enrich, embed and pack.

Each is an object with a ``name`` and ``run(ctx) -> ctx``; a stage of one's own needs the same. A file that a stage
cannot do is noted in ``ctx.errors``, and the others go on; whatever a third party's component raises counts as that.
"""

import logging
import re
from pathlib import Path
from typing import Protocol

from indx_core.app.pipeline.context import SpaceContext
from indx_core.contracts.annotation import Enrichment
from indx_core.contracts.knowledge import Chunk, Document, ParsedDoc, RelationType
from indx_core.knowledge.relations import relate
from indx_core.knowledge.space import ids
from indx_core.knowledge.space.references import referring
from indx_core.knowledge.space.related import related

_log = logging.getLogger(__name__)
_SAID = ("topics", "tags", "summary")  # what a parser's metadata may hold that is a field of the document
_EMBEDDED = 256  # texts handed to an embedder at a time


class Stage(Protocol):
    """A step of the pipeline."""

    name: str

    def run(self, ctx: SpaceContext) -> SpaceContext:
        """Add to the context and return it."""
        ...


class Walk:
    """01: the files below the root, numbered in traversal order, and the graph of folders."""

    name = "walk"

    def run(self, ctx: SpaceContext) -> SpaceContext:
        for number, path in enumerate(ids.traversal(ctx.files.paths()), start=1):
            folder, lineage = ids.folder(path), ids.lineage(path)
            ctx.documents.append(
                Document(id=ids.document_id(number), path=path, folder=folder, lineage=lineage, type="unknown")
            )
            _folder(ctx.dir_graph, folder)["files"].append(path.rpartition("/")[2])
        return ctx


class Parse:
    """02: each file through the parser. One that cannot be parsed is no document of the space, but an error of it."""

    name = "parse"

    def run(self, ctx: SpaceContext) -> SpaceContext:
        kept: list[Document] = []
        for document in ctx.documents:
            try:
                parsed = ctx.parser.parse(document.path, ctx.files.read(document.path))
            except Exception as error:  # noqa: BLE001 - one file never ends the walk, whoever wrote the parser
                _log.info("%s cannot be parsed", document.path, exc_info=True)
                ctx.fail(self.name, document.path, error)
                continue
            metadata = dict(parsed.metadata)
            said = {name: metadata.pop(name) for name in _SAID if name in metadata}
            update = {"id": ids.document_id(len(kept) + 1), "type": parsed.source.type, "metadata": metadata}
            kept.append(document.model_copy(update={**update, **said}))
            ctx.parsed[kept[-1].id] = parsed
        ctx.documents = kept
        return ctx


class Chunking:
    """03: the parser's blocks as chunks; of a parser without blocks, the paragraphs."""

    name = "chunk"

    def run(self, ctx: SpaceContext) -> SpaceContext:
        documents = []
        for document in ctx.documents:
            parsed = ctx.parsed.get(document.id)
            cut = _chunks(document, parsed, len(ctx.chunks)) if parsed else []
            ctx.chunks += cut
            documents.append(document.model_copy(update={"chunk_ids": [chunk.id for chunk in cut]}))
        ctx.documents = documents
        return ctx


class Relate:
    """04: edges between documents, folders and chunks."""

    name = "relate"

    def run(self, ctx: SpaceContext) -> SpaceContext:
        chunks: dict[str, list[Chunk]] = {}
        for chunk in ctx.chunks:
            chunks.setdefault(chunk.doc_id, []).append(chunk)
        found = relate(
            [related(each, chunks.get(each.id, ()), each.metadata.get("properties", {})) for each in ctx.documents]
        )
        ctx.relations += found.graph
        ctx.documents = referring(ctx.documents, [e for e in found.graph if e.type is RelationType.REFERENCES])
        ctx.chunks = [
            chunk.model_copy(update={"relations": [*chunk.relations, *found.chunks.get(chunk.id, [])]})
            for chunk in ctx.chunks
        ]
        return ctx


class Enrich:
    """05: a summary and tags per document by the slot ``llm``, and passages about pictures by the slot ``vlm``."""

    name = "enrich"

    def run(self, ctx: SpaceContext) -> SpaceContext:
        if ctx.llm is not None:
            ctx.documents = [self._enriched(ctx, document) for document in ctx.documents]
        if ctx.vlm is not None:
            ctx.chunks = [self._described(ctx, chunk) for chunk in ctx.chunks]
        return ctx

    def _enriched(self, ctx: SpaceContext, document: Document) -> Document:
        try:
            found: Enrichment = ctx.llm.enrich(ctx.parsed[document.id].text)
        except Exception as error:  # noqa: BLE001 - a document without a summary is still a document
            ctx.fail(self.name, document.path, error)
            return document
        tags = [tag.label for tag in found.tags or ()]
        return document.model_copy(update={"summary": found.summary, "tags": tags})

    def _described(self, ctx: SpaceContext, chunk: Chunk) -> Chunk:
        pictures = ctx.parsed[chunk.doc_id].images
        picture = next((each for each in pictures if each.get("block_id") == chunk.metadata.get("block_id")), None)
        if picture is None or chunk.text or "data" not in picture:
            return chunk
        try:
            said = ctx.vlm.describe(picture["data"])
        except Exception as error:  # noqa: BLE001 - as above
            ctx.fail(self.name, chunk.source.path, error)
            return chunk
        return chunk.model_copy(update={"text": said})


class EmbedAndPack:
    """06: vectors of the chunks that have text, and the output where a folder was named for it."""

    name = "embed_and_pack"

    def run(self, ctx: SpaceContext) -> SpaceContext:
        spoken = [chunk for chunk in ctx.chunks if chunk.text.strip()]
        for start in range(0, len(spoken), _EMBEDDED):
            self._embed(ctx, spoken[start : start + _EMBEDDED])
        ctx.store.put(ctx.embedder.space_id, ctx.embeddings)
        if ctx.out is not None:
            Path(ctx.out).mkdir(parents=True, exist_ok=True)
            ctx.writer.write(ctx.to_space(), Path(ctx.out))
        return ctx

    def _embed(self, ctx: SpaceContext, chunks: list[Chunk]) -> None:
        try:
            vectors = ctx.embedder.embed([chunk.text for chunk in chunks])
            ctx.embeddings.update(zip((chunk.id for chunk in chunks), vectors, strict=True))
        except Exception as error:  # noqa: BLE001 - a passage without a vector is still found by its words
            for path in dict.fromkeys(chunk.source.path for chunk in chunks):
                ctx.fail(self.name, path, error)


def _folder(graph: dict[str, dict[str, list[str]]], folder: str) -> dict[str, list[str]]:
    """What a folder holds; one that is new is entered in the one above it."""
    if folder not in graph:
        graph[folder] = {"files": [], "folders": []}
        if folder:
            above, _, name = folder.rpartition("/")
            _folder(graph, above)["folders"].append(name)
    return graph[folder]


def _chunks(document: Document, parsed: ParsedDoc, before: int) -> list[Chunk]:
    blocks = [block for block in parsed.blocks if "text" in block]
    if not blocks:
        blocks = [{"text": part.strip()} for part in re.split(r"\n[^\S\n]*\n|\f", parsed.text) if part.strip()]
    names = [ids.chunk_id(before + index + 1) for index in range(len(blocks))]
    return [
        Chunk(
            id=names[index],
            text=block["text"],
            source=parsed.source,
            doc_id=document.id,
            index=index,
            metadata={name: value for name, value in block.items() if name != "text" and value is not None},
            neighbors=[*names[max(0, index - 1) : index], *names[index + 1 : index + 2]],
        )
        for index, block in enumerate(blocks)
    ]
