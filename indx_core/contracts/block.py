"""The block tree: a flat list of addressable scopes, as it goes on the wire.

A chunk block carries a box or the reason it has none, and no metadata; the model refuses a silent chunk.
"""

from enum import StrEnum
from typing import Any, Self

from pydantic import model_validator

from indx_core.contracts.base import Contract
from indx_core.contracts.capability import Device
from indx_core.contracts.page import BoxReason, PageStatus

LINKS = "links"
"""Key of a page's metadata: its hyperlinks, each with ``target``, ``text`` and, where it is known, ``box``."""


class BlockKind(StrEnum):
    """Scopes that are produced; ``region`` is an address nothing produces yet."""

    DOCUMENT = "document"
    PAGE = "page"
    CHUNK = "chunk"


class BlockEmbedding(Contract):
    """A vector with what is needed to interpret it.

    Attributes:
        embedding_space_id: Space it may be compared in.
        embedder_id: Who made it.
        vector: Floats, as many as the space has dimensions.
    """

    embedding_space_id: str
    embedder_id: str
    vector: tuple[float, ...]


class Provenance(Contract):
    """Where a block came from. What was extracted out of it is metadata.

    Attributes:
        capability_id: Who read it; ``None`` where nothing did.
        device: Where that capability computes.
        fallback_index: 0 when the first choice of the route read it.
        plan_id: The plan it was read under.
        snapshot_id: The snapshot the plan was decided against.
        source_digest: Digest of the bytes.
        media_type: On the document block: what the source was read as.
        source_uri: On the document block of a URI source.
        filename: On the document block of an inline source that named one.
    """

    capability_id: str | None = None
    device: Device | None = None
    fallback_index: int | None = None
    plan_id: str
    snapshot_id: str
    source_digest: str
    media_type: str | None = None
    source_uri: str | None = None
    filename: str | None = None


class Block(Contract):
    """One scope: ``document``, ``page:1`` or ``page:1/chunk:1``.

    Attributes:
        id: ``document``, ``page:N`` or ``page:N/chunk:M``; both count from 1.
        kind: Which of the three.
        parent_id: The enclosing scope; ``None`` for the document.
        text: What was read; ``None`` where nothing was.
        status: How its page ended; of the document, how it ended as a whole.
        reason: Why it was not read.
        metadata: Document: the caller's labels and document annotations. Page: annotations, tables, links. Chunk:
            empty.
        provenance: Where it came from.
        embeddings: One vector a space that embeds it.
        bbox: Chunk only: ``[x0, y0, x1, y1]``, 0-1, origin top left, of the page as displayed.
        bbox_reason: Chunk only: why there is no box.
    """

    id: str
    kind: BlockKind
    parent_id: str | None = None
    text: str | None = None
    status: PageStatus
    reason: str | None = None
    metadata: dict[str, Any] = {}
    provenance: Provenance
    embeddings: tuple[BlockEmbedding, ...] = ()
    bbox: tuple[float, float, float, float] | None = None
    bbox_reason: BoxReason | None = None

    @model_validator(mode="after")
    def _box_or_reason(self) -> Self:
        if self.kind is BlockKind.CHUNK:
            if (self.bbox is None) == (self.bbox_reason is None):
                raise ValueError("a chunk block carries bbox or bbox_reason, never both and never neither")
            if self.metadata:
                raise ValueError("a chunk block carries no metadata")
        elif self.bbox is not None or self.bbox_reason is not None:
            raise ValueError("only chunk blocks carry bbox or bbox_reason")
        if self.bbox is not None:
            x0, y0, x1, y1 = self.bbox
            if not (0 <= x0 <= x1 <= 1 and 0 <= y0 <= y1 <= 1):
                raise ValueError("bbox is [x0, y0, x1, y1] with 0 <= x0 <= x1 <= 1 and 0 <= y0 <= y1 <= 1")
        return self


def page_id(page: int) -> str:
    """Block id of a page, 1-based."""
    return f"page:{page}"


def chunk_id(page: int, index: int) -> str:
    """Block id of a chunk: both numbers 1-based, ``index`` within its page."""
    return f"page:{page}/chunk:{index}"
