"""Vectors of a document's chunks, one table per space, and the vector of a query.

A space is chosen by what a run produces, not by naming an embedder: text first, then rendered pages, so a page that was
read never pays for a render as well. There is no ladder: a space that was asked for answers or the document fails.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from indx_core.contracts.capability import EmbedderRole, EmbeddingSpace, Modality
from indx_core.contracts.errors import CapabilityUnavailable, InvalidEmbeddingSpace, ModalityUnsupported
from indx_core.execution.chunk import PlacedChunk
from indx_core.kit.deadline import Deadline
from indx_core.kit.registry import Registry
from indx_core.ports.embedder import Embedded, Embedder

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

DOCUMENT_EMBEDDING_MODALITIES = (Modality.TEXT, Modality.IMAGE)
"""What a run produces, in the order lanes are asked."""

BATCH = 1024
"""Inputs per call: a slow model still shows signs of life in between, and a fast one loses nothing."""


@dataclass(frozen=True, slots=True)
class SpaceVectors:
    """A document's vectors in one space.

    Attributes:
        space: Descriptor needed to interpret them.
        positions: Index of each row's chunk in the document's chunk list, ascending.
        embedder_ids: Who made each row.
        vectors: float32, shape ``(len(positions), space.dimension)``.
        cost_usd: What vendors charged; ``None`` when unknown.
    """

    space: EmbeddingSpace
    positions: tuple[int, ...]
    embedder_ids: tuple[str, ...]
    vectors: "npt.NDArray[np.float32]"
    cost_usd: float | None


def embed_chunks(
    chunks: Sequence[PlacedChunk], spaces: Sequence[EmbeddingSpace], registry: Registry, deadline: Deadline
) -> list[SpaceVectors]:
    """Embed every chunk in every space that has a lane for it.

    Raises:
        CapabilityUnavailable: An embedder that was advertised cannot run or returned vectors of another dimension.
        RequestTimeout: The deadline passed between calls.
    """
    return [_in_space(chunks, space, registry, deadline) for space in spaces]


def embedder_for(space: EmbeddingSpace, modality: Modality, role: EmbedderRole, registry: Registry) -> Embedder | None:
    """The first embedder the space advertises with this role and modality, available ones first."""
    found = [each for each in space.embedders if role in each.roles and modality in each.modalities]
    first = min(found, key=lambda each: not each.available, default=None)
    return registry.embedder(first.embedder_id) if first else None


def embed_query(space: EmbeddingSpace, query: str | bytes, registry: Registry) -> tuple[Embedder, Embedded]:
    """Place a text (``str``) or an image (``bytes``) in a space, and say who did.

    Raises:
        ModalityUnsupported: The space has no query lane for this input.
        CapabilityUnavailable: It has one that cannot run, or failed.
    """
    modality = Modality.TEXT if isinstance(query, str) else Modality.IMAGE
    embedder = embedder_for(space, modality, EmbedderRole.QUERY, registry)
    if embedder is None:
        raise ModalityUnsupported(f"space {space.id} embeds no {modality.value} query", param="input")
    if isinstance(query, str):
        answer = embedder.embed_texts([query], EmbedderRole.QUERY)
    else:
        answer = embedder.embed_images([query], EmbedderRole.QUERY)
    _check_shape(answer, 1, space, embedder)
    return embedder, answer


def named_space(space_id: str, spaces: Sequence[EmbeddingSpace]) -> EmbeddingSpace:
    """The space of that id.

    Raises:
        InvalidEmbeddingSpace: The snapshot has none; the message lists those it has.
    """
    for space in spaces:
        if space.id == space_id:
            return space
    known = ", ".join(sorted(space.id for space in spaces)) or "none"
    raise InvalidEmbeddingSpace(f"no embedding space {space_id!r}; installed: {known}", param="embedding_space_id")


def _in_space(
    chunks: Sequence[PlacedChunk], space: EmbeddingSpace, registry: Registry, deadline: Deadline
) -> SpaceVectors:
    import numpy as np

    vectors = np.zeros((len(chunks), space.dimension), dtype=np.float32)
    owner: dict[int, str] = {}
    cost: float | None = 0.0
    for modality in DOCUMENT_EMBEDDING_MODALITIES:
        positions = [i for i, chunk in enumerate(chunks) if chunk.piece.modality is modality]
        embedder = embedder_for(space, modality, EmbedderRole.DOCUMENT, registry)
        if not positions or embedder is None:
            continue
        for start in range(0, len(positions), BATCH):
            batch = positions[start : start + BATCH]
            deadline.check()
            answer = _embed(embedder, [chunks[i] for i in batch], modality)
            _check_shape(answer, len(batch), space, embedder)
            vectors[batch] = answer.vectors
            cost = None if cost is None or answer.cost_usd is None else cost + answer.cost_usd
        owner.update(dict.fromkeys(positions, embedder.descriptor.embedder_id))
    kept = sorted(owner)
    return SpaceVectors(space, tuple(kept), tuple(owner[i] for i in kept), vectors[kept], cost)


def _embed(embedder: Embedder, chunks: Sequence[PlacedChunk], modality: Modality) -> Embedded:
    if modality is Modality.TEXT:
        return embedder.embed_texts([chunk.piece.text for chunk in chunks], EmbedderRole.DOCUMENT)
    return embedder.embed_images([chunk.piece.image or b"" for chunk in chunks], EmbedderRole.DOCUMENT)


def _check_shape(answer: Embedded, count: int, space: EmbeddingSpace, embedder: Embedder) -> None:
    if answer.vectors.shape != (count, space.dimension):
        raise CapabilityUnavailable(
            f"{embedder.descriptor.embedder_id} returned vectors of shape {answer.vectors.shape} "
            f"in a space that declares ({count}, {space.dimension})"
        )
