"""Vectors of a document's chunks, one table per space, and the vector of a query.

A space is chosen by what a run produces, not by naming an embedder: text first, then rendered pages, so a page that was
read never pays for a render as well. There is no ladder: a space that was asked for answers or the document fails.
Only what the document's budget does not reach is left out, with a finding.
"""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from indx_core.contracts.capability import EmbedderRole, EmbeddingSpace, Modality
from indx_core.contracts.errors import CapabilityUnavailable, IndxError, InvalidEmbeddingSpace, ModalityUnsupported
from indx_core.contracts.observation import Finding
from indx_core.execution.budget import Purse
from indx_core.execution.chunk import PlacedChunk
from indx_core.execution.trace import known_cost
from indx_core.kit.deadline import Deadline
from indx_core.kit.registry import Registry
from indx_core.ports.embedder import Embedded, Embedder

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

log = logging.getLogger(__name__)

DOCUMENT_EMBEDDING_MODALITIES = (Modality.TEXT, Modality.IMAGE)
"""What a run produces, in the order lanes are asked."""

BATCH = 1024
"""Inputs per call: a slow model still shows signs of life in between, and a fast one loses nothing."""

LIMITED_BATCH = 64
"""The same where each call is held against the budget: what is paid at once cannot be taken back."""


@dataclass(frozen=True, slots=True)
class SpaceVectors:
    """A document's vectors in one space.

    Attributes:
        space: Descriptor needed to interpret them.
        positions: Index of each row's chunk in the document's chunk list, ascending.
        embedder_ids: Who made each row.
        vectors: float32, shape ``(len(positions), space.dimension)``.
        cost_usd: What vendors charged; ``None`` when unknown.
        findings: Chunks that were left out, and why.
    """

    space: EmbeddingSpace
    positions: tuple[int, ...]
    embedder_ids: tuple[str, ...]
    vectors: "npt.NDArray[np.float32]"
    cost_usd: float | None
    findings: tuple[Finding, ...] = ()


def embed_chunks(
    chunks: Sequence[PlacedChunk],
    spaces: Sequence[EmbeddingSpace],
    registry: Registry,
    deadline: Deadline,
    purse: Purse | None = None,
) -> list[SpaceVectors]:
    """Embed every chunk in every space that has a lane for it.

    Args:
        chunks: As they were cut.
        spaces: What to embed them in.
        registry: Who is installed.
        deadline: Checked before every call.
        purse: What the document may still cost; ``None``: no limit.

    Raises:
        CapabilityUnavailable: An embedder that was advertised cannot run, broke off, or returned vectors of another
            dimension or with numbers that are not finite.
        RequestTimeout: The deadline passed between calls.
    """
    embedding = _Embedding(chunks, registry, deadline, purse or Purse())
    named = {space.id: space for space in spaces}  # a space that was named twice is paid for once
    return [embedding.in_space(space) for space in named.values()]


def embedder_for(space: EmbeddingSpace, modality: Modality, role: EmbedderRole, registry: Registry) -> Embedder | None:
    """The first embedder the space advertises with this role and modality, available ones first."""
    found = [each for each in space.embedders if role in each.roles and modality in each.modalities]
    first = min(found, key=lambda each: not each.available, default=None)
    return registry.embedder(first.embedder_id) if first else None


def query_embedder(space: EmbeddingSpace, modality: Modality, registry: Registry) -> Embedder:
    """Who places a query in a space.

    Raises:
        ModalityUnsupported: The space has no query lane for this input.
    """
    embedder = embedder_for(space, modality, EmbedderRole.QUERY, registry)
    if embedder is None:
        raise ModalityUnsupported(f"space {space.id} embeds no {modality.value} query", param="input")
    return embedder


def embed_query(space: EmbeddingSpace, query: str | bytes, registry: Registry) -> tuple[Embedder, Embedded]:
    """Place a text (``str``) or an image (``bytes``) in a space, and say who did.

    Raises:
        ModalityUnsupported: The space has no query lane for this input.
        CapabilityUnavailable: It has one that cannot run, or failed.
    """
    embedder = query_embedder(space, Modality.TEXT if isinstance(query, str) else Modality.IMAGE, registry)
    with _typed(embedder):
        if isinstance(query, str):
            answer = embedder.embed_texts([query], EmbedderRole.QUERY)
        else:
            answer = embedder.embed_images([query], EmbedderRole.QUERY)
    _check(answer, 1, space, embedder)
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


@dataclass(frozen=True, slots=True)
class _Lane:
    """One embedder and the chunks it is for, by their positions."""

    embedder: Embedder
    modality: Modality
    positions: Sequence[int]


@dataclass(slots=True)
class _Filled:
    """A space on its way: rows of chunks that were embedded, and by whom."""

    space: EmbeddingSpace
    vectors: "npt.NDArray[np.float32]"
    owner: dict[int, str] = field(default_factory=dict)
    costs: list[float | None] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    def take(self, batch: Sequence[int], answer: Embedded, embedder_id: str) -> None:
        """Keep the vectors of some chunks; in a row, as they nearly always are, they are copied as one block."""
        first, last = batch[0], batch[-1]
        self.vectors[slice(first, last + 1) if last - first == len(batch) - 1 else batch] = answer.vectors
        self.owner.update(dict.fromkeys(batch, embedder_id))
        self.costs.append(answer.cost_usd)


class _Embedding:
    """One document's chunks, embedded space by space."""

    def __init__(self, chunks: Sequence[PlacedChunk], registry: Registry, deadline: Deadline, purse: Purse) -> None:
        self._chunks, self._registry, self._deadline, self._purse = chunks, registry, deadline, purse

    def in_space(self, space: EmbeddingSpace) -> SpaceVectors:
        """The vectors of one space."""
        import numpy as np

        filled = _Filled(space, np.zeros((len(self._chunks), space.dimension), dtype=np.float32))
        for modality in DOCUMENT_EMBEDDING_MODALITIES:
            positions = [i for i, chunk in enumerate(self._chunks) if chunk.piece.modality is modality]
            embedder = embedder_for(space, modality, EmbedderRole.DOCUMENT, self._registry)
            if positions and embedder is not None:
                self._fill(filled, _Lane(embedder, modality, positions))
        kept = sorted(filled.owner)
        return SpaceVectors(
            space,
            tuple(kept),
            tuple(filled.owner[i] for i in kept),
            filled.vectors if len(kept) == len(self._chunks) else filled.vectors[kept],
            None if None in filled.costs else known_cost(filled.costs),
            tuple(filled.findings),
        )

    def _fill(self, filled: _Filled, lane: _Lane) -> None:
        who, purse = lane.embedder.descriptor, self._purse
        size = LIMITED_BATCH if purse.limits(who.embedder_id, who.device) else BATCH
        for start in range(0, len(lane.positions), size):
            batch = lane.positions[start : start + size]
            chunks = [self._chunks[i] for i in batch]
            characters = sum(len(chunk.piece.text) for chunk in chunks)
            self._deadline.check()
            if (reason := purse.refusal(who.embedder_id, who.device, characters)) is not None:
                message = f"{who.embedder_id} left out {len(lane.positions) - start} chunks: {reason}"
                filled.findings.append(Finding(code="budget_spent", message=message))
                return
            with _typed(lane.embedder):
                answer = _embed(lane.embedder, chunks, lane.modality)
            _check(answer, len(batch), filled.space, lane.embedder)
            purse.charge(who.embedder_id, characters, answer.cost_usd)
            filled.take(batch, answer, who.embedder_id)


def _embed(embedder: Embedder, chunks: Sequence[PlacedChunk], modality: Modality) -> Embedded:
    if modality is Modality.TEXT:
        return embedder.embed_texts([chunk.piece.text for chunk in chunks], EmbedderRole.DOCUMENT)
    return embedder.embed_images([chunk.piece.image or b"" for chunk in chunks], EmbedderRole.DOCUMENT)


@contextmanager
def _typed(embedder: Embedder) -> Iterator[None]:
    """Whatever else an embedder raises is a capability that cannot run; its words may name a path of the server."""
    try:
        yield
    except (IndxError, MemoryError):
        raise
    except Exception as error:
        name = embedder.descriptor.embedder_id
        log.exception("%s broke off", name)
        raise CapabilityUnavailable(f"{name} broke off: {type(error).__name__}") from error


def _check(answer: Embedded, count: int, space: EmbeddingSpace, embedder: Embedder) -> None:
    import numpy as np

    if answer.vectors.shape != (count, space.dimension):
        raise CapabilityUnavailable(
            f"{embedder.descriptor.embedder_id} returned vectors of shape {answer.vectors.shape} "
            f"in a space that declares ({count}, {space.dimension})"
        )
    if not np.isfinite(answer.vectors).all():
        raise CapabilityUnavailable(f"{embedder.descriptor.embedder_id} returned a vector that is not finite")
