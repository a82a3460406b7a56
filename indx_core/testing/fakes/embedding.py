"""Fake of the embedder."""

from collections.abc import Sequence
from dataclasses import dataclass

from indx_core.contracts.capability import Device, EmbedderDescriptor, EmbedderRole, EmbeddingSpace, Modality
from indx_core.contracts.errors import ModalityUnsupported
from indx_core.ports.embedder import Embedded


@dataclass
class FakeEmbedder:
    """Vectors that say what they were made of: the length of the input, made a direction, and the role.

    Attributes:
        dimension: At least 2.
        modalities: What it embeds.
        cost_usd: Per call; ``None`` for unknown.
        error: Raised instead of any vector.
    """

    embedder_id: str = "fake-embedder"
    space_id: str = "fake-space"
    dimension: int = 4
    roles: tuple[EmbedderRole, ...] = (EmbedderRole.DOCUMENT, EmbedderRole.QUERY)
    modalities: tuple[Modality, ...] = (Modality.TEXT,)
    device: Device = Device.CPU
    cost_usd: float | None = 0.0
    error: Exception | None = None
    unavailable: str | None = None

    @property
    def descriptor(self) -> EmbedderDescriptor:
        return EmbedderDescriptor(
            embedder_id=self.embedder_id,
            embedding_space_id=self.space_id,
            roles=self.roles,
            modalities=self.modalities,
            device=self.device,
            distribution=self.embedder_id,
            available=self.unavailable is None,
            unavailable_reason=self.unavailable,
        )

    @property
    def space(self) -> EmbeddingSpace:
        return EmbeddingSpace(id=self.space_id, dimension=self.dimension, embedders=(self.descriptor,))

    def embed_texts(self, texts: Sequence[str], role: EmbedderRole) -> Embedded:
        return self._embed([len(text) for text in texts], Modality.TEXT, role)

    def embed_images(self, images: Sequence[bytes], role: EmbedderRole) -> Embedded:
        return self._embed([len(image) for image in images], Modality.IMAGE, role)

    def _embed(self, lengths: list[int], modality: Modality, role: EmbedderRole) -> Embedded:
        import numpy as np

        if self.error is not None:
            raise self.error
        if modality not in self.modalities:
            raise ModalityUnsupported(f"{self.space_id} embeds no {modality}")
        vectors = np.zeros((len(lengths), self.dimension), dtype=np.float32)
        angles = np.array(lengths, dtype=np.float64) + (role is EmbedderRole.QUERY)
        vectors[:, 0], vectors[:, 1] = np.cos(angles), np.sin(angles)
        return Embedded(vectors, self.cost_usd)
