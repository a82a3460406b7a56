"""The embedder ``use-multilingual``: its public configuration, and the encoder of this process."""

from collections.abc import Sequence

from indx_core.contracts.capability import EmbedderDescriptor, EmbedderRole, EmbeddingSpace, Modality
from indx_core.contracts.errors import ModalityUnsupported
from indx_core.engines.embed_sentence.settings import SentenceSettings
from indx_core.kit.excerpt import excerpt
from indx_core.kit.models.sentence_encoder import encode, encoder_name, encoder_unavailable
from indx_core.ports.embedder import Embedded

DIMENSION = 512
_SPACE = "sentence-multilingual"
_EMBEDDER = "use-multilingual"


class SentenceEmbedder:
    """Embeds texts for documents and queries alike; the role changes nothing.

    The same texts in the same order give the same bytes on one machine. Another batch moves the last bits of a
    component, since matrix kernels sum in an order that depends on the number of rows.
    """

    @property
    def descriptor(self) -> EmbedderDescriptor:
        reason = encoder_unavailable()
        return EmbedderDescriptor(
            embedder_id=_EMBEDDER,
            embedding_space_id=_SPACE,
            roles=(EmbedderRole.DOCUMENT, EmbedderRole.QUERY),
            modalities=(Modality.TEXT,),
            distribution="indx-capability-embedding-sentence",
            model=None if reason else encoder_name(),
            available=reason is None,
            unavailable_reason=reason,
        )

    @property
    def space(self) -> EmbeddingSpace:
        return EmbeddingSpace(id=_SPACE, dimension=DIMENSION, embedders=(self.descriptor,))

    def embed_texts(self, texts: Sequence[str], role: EmbedderRole) -> Embedded:  # noqa: ARG002 - one lane for both
        limit = SentenceSettings.load().max_characters
        return Embedded(encode(_EMBEDDER, [excerpt(text, limit) for text in texts]))

    def embed_images(self, images: Sequence[bytes], role: EmbedderRole) -> Embedded:  # noqa: ARG002 - the port's
        raise ModalityUnsupported(f"the embedding space {_SPACE} embeds text, not images")
