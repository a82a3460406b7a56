"""The embedder ``hosted-text``: batches of texts to a model's API, its vectors checked and brought to length 1."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from indx_core.contracts.capability import EmbedderDescriptor, EmbedderRole, EmbeddingSpace, Modality
from indx_core.contracts.errors import CapabilityUnavailable, ModalityUnsupported, SettingsInvalid
from indx_core.engines.embed_hosted.settings import HostedConnectionSettings, HostedEmbeddingSettings
from indx_core.kit.encodable import encodable
from indx_core.kit.excerpt import excerpt
from indx_core.kit.llm.connection import Connection
from indx_core.kit.llm.library import missing
from indx_core.ports.embedder import Embedded

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_ID = "hosted-text"
_BATCH = 64
"""Texts of a request: vendors take 96 to 2,048 of them, and count at most 300,000 tokens, whichever comes first."""


class HostedEmbedder:
    """Embeds texts for documents and queries alike, with the model that the settings named when it was made."""

    def __init__(self, model: str, dimension: int) -> None:
        self._model = model
        self._dimension = dimension

    @property
    def descriptor(self) -> EmbedderDescriptor:
        reason = _unavailable()
        return EmbedderDescriptor(
            embedder_id=_ID,
            embedding_space_id=_ID,
            roles=(EmbedderRole.DOCUMENT, EmbedderRole.QUERY),
            modalities=(Modality.TEXT,),
            device=self._connection.device,
            distribution="indx-capability-embedding-hosted",
            model=self._model,
            available=reason is None,
            unavailable_reason=reason,
        )

    @property
    def space(self) -> EmbeddingSpace:
        return EmbeddingSpace(id=_ID, dimension=self._dimension, embedders=(self.descriptor,))

    def embed_texts(self, texts: Sequence[str], role: EmbedderRole) -> Embedded:  # noqa: ARG002 - one lane for both
        import numpy as np

        if (reason := _unavailable()) is not None:
            raise CapabilityUnavailable(f"{_ID}: {reason}")
        connection, limit = self._connection, HostedEmbeddingSettings.load().max_characters
        vectors = np.zeros((len(texts), self._dimension))
        # Vendors refuse an empty text; it has no direction, and the first unit vector stands for it as elsewhere.
        asked = [(row, encodable(excerpt(text, limit))) for row, text in enumerate(texts) if text.strip()]
        cost: float | None = 0.0
        for first in range(0, len(asked), _BATCH):
            batch = asked[first : first + _BATCH]
            answer, charged = self._ask(connection, [text for _row, text in batch])
            vectors[[row for row, _text in batch]] = answer
            cost = None if cost is None or charged is None else cost + charged
        return Embedded(_unit(vectors), cost)

    def embed_images(self, images: Sequence[bytes], role: EmbedderRole) -> Embedded:  # noqa: ARG002 - the port's
        raise ModalityUnsupported(f"the embedding space {_ID} embeds text, not images")

    @property
    def _connection(self) -> Connection:
        return Connection.of(_ID, self._model, HostedConnectionSettings.load())

    def _ask(self, connection: Connection, texts: list[str]) -> tuple["npt.NDArray[np.float64]", float | None]:
        """Vectors as the model gave them, in the order of the texts, and what they cost."""
        import numpy as np

        response = connection.send("embedding", input=texts, encoding_format="float")
        cost = connection.charged(response)
        try:
            rows = sorted(response.data, key=lambda row: int(row["index"]))
            vectors = np.array([row["embedding"] for row in rows], dtype=np.float64)
        except (KeyError, TypeError, ValueError):
            raise connection.refusal("answered something other than vectors", cost) from None
        if vectors.shape != (len(texts), self._dimension):
            count, length = (*vectors.shape, 0)[:2]
            raise connection.refusal(
                f"answered {count} vectors of length {length} to {len(texts)} texts, where "
                f"{HostedEmbeddingSettings.variable('dimension')} declares {self._dimension}",
                cost,
            )
        if not np.isfinite(vectors).all():
            raise connection.refusal("answered vectors that are not finite", cost)
        return vectors, cost


def embedders() -> tuple[HostedEmbedder, ...]:
    """The embedder of the settings; none while neither model nor dimension is set.

    Raises:
        SettingsInvalid: One is set without the other.
    """
    settings = HostedEmbeddingSettings.load()
    if settings.model is not None and settings.dimension is not None:
        return (HostedEmbedder(settings.model, settings.dimension),)
    if settings.model is None and settings.dimension is None:
        return ()
    names = [HostedEmbeddingSettings.variable(field) for field in ("dimension", "model")]
    absent, present = names if settings.model is not None else reversed(names)
    raise SettingsInvalid(f"{absent}: not set, although {present} is; the space {_ID} needs both")


def _unavailable() -> str | None:
    package = missing()
    return f"install the 'hosted' extra; missing: {package}" if package else None


def _unit(vectors: Any) -> "npt.NDArray[np.float32]":
    import numpy as np

    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors[norms[:, 0] == 0, :1] = 1.0
    unit: npt.NDArray[np.float32] = (vectors / np.where(norms == 0, 1.0, norms)).astype(np.float32)
    return unit
