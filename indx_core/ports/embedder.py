"""Embedder: vectors of one embedding space."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from indx_core.contracts.capability import EmbedderDescriptor, EmbedderRole, EmbeddingSpace

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class Embedded:
    """Vectors and what they cost.

    Attributes:
        vectors: float32, shape ``(inputs, dimension)``.
        cost_usd: What a vendor charged; ``None`` when the price is unknown.
    """

    __slots__ = ("cost_usd", "vectors")

    def __init__(self, vectors: "npt.NDArray[np.float32]", cost_usd: float | None = 0.0) -> None:
        self.vectors = vectors
        self.cost_usd = cost_usd


@runtime_checkable
class Embedder(Protocol):
    """Embeds batches for one role or both."""

    @property
    def descriptor(self) -> EmbedderDescriptor:
        """Its public configuration; loads no model."""
        ...

    @property
    def space(self) -> EmbeddingSpace:
        """The space its vectors live in, naming at least itself."""
        ...

    def embed_texts(self, texts: Sequence[str], role: EmbedderRole) -> Embedded:
        """One vector per text, in order.

        Raises:
            CapabilityUnavailable: It cannot run here, or it failed.
        """
        ...

    def embed_images(self, images: Sequence[bytes], role: EmbedderRole) -> Embedded:
        """One vector per image (PNG or JPEG bytes), in order.

        Raises:
            ModalityUnsupported: It embeds no images.
            CapabilityUnavailable: It cannot run here, or it failed.
        """
        ...
