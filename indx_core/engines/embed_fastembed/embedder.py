"""The embedders of the fastembed spaces: their public configuration, batches, and vectors of length 1."""

import io
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from indx_core.contracts.capability import EmbedderDescriptor, EmbedderRole, EmbeddingSpace, Modality
from indx_core.contracts.errors import CapabilityUnavailable, ModalityUnsupported, SourceUnreadable
from indx_core.engines.embed_fastembed.models import Model, load, unavailable
from indx_core.kit.encodable import encodable
from indx_core.kit.excerpt import excerpt
from indx_core.kit.models.files import model_label
from indx_core.kit.render.quiet import quiet_libtiff
from indx_core.ports.embedder import Embedded

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_TEXTS, _IMAGES = 32, 8  # per call of the model: more gains nothing on one thread and takes memory
_MAX_CHARACTERS = 2000  # MiniLM reads 128 tokens and CLIP 77; this spares the tokenizer the rest of a long text


class FastembedEmbedder:
    """Embeds for documents and queries alike; the role changes nothing."""

    def __init__(self, model: Model) -> None:
        self._model = model

    @property
    def descriptor(self) -> EmbedderDescriptor:
        reason = unavailable(self._model)
        return EmbedderDescriptor(
            embedder_id=self._model.embedder_id,
            embedding_space_id=self._model.space_id,
            roles=(EmbedderRole.DOCUMENT, EmbedderRole.QUERY),
            modalities=(self._model.modality,),
            distribution="indx-capability-embedding-fastembed",
            model=model_label(self._model.place, self._model.weights),
            available=reason is None,
            unavailable_reason=reason,
        )

    @property
    def space(self) -> EmbeddingSpace:
        return EmbeddingSpace(id=self._model.space_id, dimension=self._model.dimension, embedders=(self.descriptor,))

    def embed_texts(self, texts: Sequence[str], role: EmbedderRole) -> Embedded:  # noqa: ARG002 - one lane for both
        self._require(Modality.TEXT)
        bounded = [encodable(excerpt(text, _MAX_CHARACTERS)) for text in texts]
        return Embedded(self._vectors(load(self._model).embed(bounded, batch_size=_TEXTS), len(bounded)))

    def embed_images(self, images: Sequence[bytes], role: EmbedderRole) -> Embedded:  # noqa: ARG002 - as above
        self._require(Modality.IMAGE)
        decoded = [_decoded(image) for image in images]
        return Embedded(self._vectors(load(self._model).embed(decoded, batch_size=_IMAGES), len(decoded)))

    def _require(self, modality: Modality) -> None:
        if modality is not self._model.modality:
            raise ModalityUnsupported(f"{self._model.embedder_id} embeds no {modality.value}s")

    def _vectors(self, rows: Iterable[Any], count: int) -> "npt.NDArray[np.float32]":
        """L2-normalised, float32, shape ``(count, dimension)``; a vector of zeros becomes the first unit vector."""
        import numpy as np

        if not count:
            return np.zeros((0, self._model.dimension), dtype=np.float32)
        try:
            vectors = np.array(list(rows), dtype=np.float64).reshape(count, -1)
        except Exception as error:  # noqa: BLE001 - whatever onnxruntime raises
            raise CapabilityUnavailable(
                f"{self._model.embedder_id}: embedding failed ({type(error).__name__})"
            ) from None
        if vectors.shape[1] != self._model.dimension:
            raise CapabilityUnavailable(
                f"{self._model.embedder_id}: the model gives {vectors.shape[1]} dimensions, "
                f"the space {self._model.space_id} has {self._model.dimension}",
                remedy=f"check the model that {self._model.variable} names",
            )
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        vectors[norms[:, 0] == 0, :1] = 1.0
        unit: npt.NDArray[np.float32] = (vectors / np.where(norms == 0, 1.0, norms)).astype(np.float32)
        return unit


def _decoded(image: bytes) -> Any:
    from PIL import Image

    quiet_libtiff()
    try:
        with Image.open(io.BytesIO(image)) as opened:
            return opened.convert("RGB")
    except Exception as error:  # noqa: BLE001 - each format's decoder raises its own
        raise SourceUnreadable(f"an image to embed cannot be decoded ({type(error).__name__})") from None
