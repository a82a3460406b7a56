"""The block tree of one document: a flat list of addressable scopes, as it goes on the wire.

Every page of the plan is here with its status and reason; nothing is omitted because it could not be read. Metadata is
what was extracted out of a block; provenance is where the block came from.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from indx_core.contracts.block import LINKS, Block, BlockEmbedding, BlockKind, Provenance, chunk_id, page_id
from indx_core.contracts.page import PageOutput, PageStatus
from indx_core.contracts.plan import Granularity, RoutePlan
from indx_core.execution.annotate import DOCUMENT, Annotations, document_text
from indx_core.execution.chunk import PlacedChunk
from indx_core.execution.embed import SpaceVectors
from indx_core.execution.entities import entity_metadata
from indx_core.execution.ladder import PageRead


@dataclass(frozen=True, slots=True)
class Executed:
    """Everything an execution produced for one document.

    Attributes:
        source_uri: Address of a URI source.
        filename: Name of an inline source that gave one.
        metadata: The caller's own labels.
    """

    plan: RoutePlan
    pages: Sequence[PageRead]
    chunks: Sequence[PlacedChunk] = ()
    vectors: Sequence[SpaceVectors] = ()
    annotations: Annotations = field(default_factory=Annotations)
    source_uri: str | None = None
    filename: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)


def block_tree(executed: Executed) -> tuple[Block, ...]:
    """Document, pages and chunks of the granularities the plan names, each page before its chunks."""
    wanted = set(executed.plan.granularities)
    blocks: list[Block] = []
    if Granularity.DOCUMENT in wanted:
        blocks.append(_document(executed))
    embeddings = _embeddings(executed.vectors) if Granularity.CHUNK in wanted else {}
    chunks: dict[int, list[tuple[int, PlacedChunk]]] = {}
    for position, chunk in enumerate(executed.chunks):
        chunks.setdefault(chunk.page, []).append((position, chunk))
    for read in executed.pages:
        if Granularity.PAGE in wanted:
            blocks.append(_page(executed, read))
        if Granularity.CHUNK in wanted:
            of_page = chunks.get(read.output.number, [])
            blocks.extend(_chunk(executed, read, chunk, embeddings.get(position, ())) for position, chunk in of_page)
    return tuple(blocks)


def document_status(pages: Sequence[PageRead]) -> tuple[PageStatus, str | None]:
    """How the document as a whole ended: failed if a page failed, unreadable if no page could be read."""
    failed = next((read.output for read in pages if read.output.status is PageStatus.FAILED), None)
    if failed is not None:
        return PageStatus.FAILED, failed.reason
    if pages and all(read.output.status is PageStatus.UNREADABLE for read in pages):
        return PageStatus.UNREADABLE, pages[0].output.reason
    return PageStatus.COMPLETED, None


def _provenance(plan: RoutePlan, read: PageRead | None = None, **more: str | None) -> Provenance:
    return Provenance(
        capability_id=read.descriptor.id if read and read.descriptor else None,
        device=read.descriptor.device if read and read.descriptor else None,
        fallback_index=read.fallback_index if read else None,
        plan_id=plan.plan_id,
        snapshot_id=plan.snapshot_id,
        source_digest=plan.source_digest,
        **more,
    )


def _document(executed: Executed) -> Block:
    status, reason = document_status(executed.pages)
    outputs = [read.output for read in executed.pages]
    readable = any(output.status is PageStatus.COMPLETED for output in outputs)
    return Block(
        id=DOCUMENT,
        kind=BlockKind.DOCUMENT,
        text=document_text(outputs) if readable else None,
        status=status,
        reason=reason,
        metadata={**executed.metadata, **_document_metadata(executed.annotations)},
        provenance=_provenance(
            executed.plan,
            media_type=executed.plan.media_type,
            source_uri=executed.source_uri,
            filename=executed.filename,
        ),
    )


def _page(executed: Executed, read: PageRead) -> Block:
    output, block = read.output, page_id(read.output.number)
    return Block(
        id=block,
        kind=BlockKind.PAGE,
        parent_id=DOCUMENT,
        text=output.text if output.status is PageStatus.COMPLETED else None,
        status=output.status,
        reason=output.reason,
        metadata={**_links(output), **output.metadata, **_unit_metadata(executed.annotations, block)},
        provenance=_provenance(executed.plan, read),
    )


def _links(output: PageOutput) -> dict[str, Any]:
    found = [
        {"target": link.target, "text": link.text, **({"box": list(link.box)} if link.box else {})}
        for link in output.links
    ]
    return {LINKS: found} if found else {}


def _chunk(executed: Executed, read: PageRead, chunk: PlacedChunk, embeddings: tuple[BlockEmbedding, ...]) -> Block:
    piece = chunk.piece
    return Block(
        id=chunk_id(chunk.page, chunk.index),
        kind=BlockKind.CHUNK,
        parent_id=page_id(chunk.page),
        text=piece.text if piece.image is None else None,
        status=read.output.status,
        reason=read.output.reason,
        provenance=_provenance(executed.plan, read),
        embeddings=embeddings,
        bbox=(piece.box.x0, piece.box.y0, piece.box.x1, piece.box.y1) if piece.box else None,
        bbox_reason=piece.reason,
    )


def _embeddings(spaces: Sequence[SpaceVectors]) -> dict[int, tuple[BlockEmbedding, ...]]:
    by_position: dict[int, list[BlockEmbedding]] = {}
    for answer in spaces:
        rows = answer.vectors.tolist()
        for position, embedder_id, row in zip(answer.positions, answer.embedder_ids, rows, strict=True):
            embedding = BlockEmbedding(embedding_space_id=answer.space.id, embedder_id=embedder_id, vector=tuple(row))
            by_position.setdefault(position, []).append(embedding)
    return {position: tuple(found) for position, found in by_position.items()}


def _document_metadata(annotations: Annotations) -> dict[str, Any]:
    """The document's own answers, and those of units that may not carry metadata: chunks, and spans of any block."""
    found = _unit_metadata(annotations, DOCUMENT)
    chunk_labels = {block: _facets(annotations, block) for block in annotations.labels if "/chunk:" in block}
    chunk_parts = {
        block: parts for block in _enriched(annotations) if "/chunk:" in block for parts in [_parts(annotations, block)]
    }
    for key, value in (
        ("declared_language", annotations.declared_language),
        ("chunk_classification", {block: facets for block, facets in chunk_labels.items() if facets}),
        ("chunk_enrichment", chunk_parts),
        ("entities", entity_metadata(annotations)),
    ):
        if value:
            found[key] = value
    return found


def _unit_metadata(annotations: Annotations, block: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if block in annotations.languages:
        found["languages"] = [score.model_dump() for score in annotations.languages[block][1]]
    if facets := _facets(annotations, block):
        found["classification"] = facets
    if parts := _parts(annotations, block):
        found["enrichment"] = parts
    return found


def _facets(annotations: Annotations, block: str) -> dict[str, Any]:
    return {
        facet: [label.model_dump() for label in labels]
        for facet, (_who, labels) in annotations.labels.get(block, {}).items()
    }


def _enriched(annotations: Annotations) -> list[str]:
    return list(dict.fromkeys([*annotations.summaries, *annotations.tags]))


def _parts(annotations: Annotations, block: str) -> dict[str, Any]:
    parts: dict[str, Any] = {}
    if block in annotations.summaries:
        parts["summary"] = annotations.summaries[block][1]
    if block in annotations.tags:
        parts["tags"] = [tag.model_dump() for tag in annotations.tags[block][1]]
    return parts
