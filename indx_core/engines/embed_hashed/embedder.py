"""The embedder of ``default-text``: its public configuration. The arithmetic is in ``trigrams.py``."""

from collections.abc import Sequence

from indx_core.contracts.capability import EmbedderDescriptor, EmbedderRole, EmbeddingSpace, Modality
from indx_core.contracts.errors import ModalityUnsupported
from indx_core.ports.embedder import Embedded

DIMENSION = 256


class HashedEmbedder:
    """Embeds texts for documents and queries alike; the role changes nothing."""

    descriptor = EmbedderDescriptor(
        embedder_id="hashed-text",
        embedding_space_id="default-text",
        roles=(EmbedderRole.DOCUMENT, EmbedderRole.QUERY),
        modalities=(Modality.TEXT,),
        distribution="indx-capability-embedding-hashed",
    )
    space = EmbeddingSpace(id="default-text", dimension=DIMENSION, embedders=(descriptor,))

    def embed_texts(self, texts: Sequence[str], role: EmbedderRole) -> Embedded:  # noqa: ARG002 - one lane for both
        from indx_core.engines.embed_hashed.trigrams import embed

        return Embedded(embed(texts, DIMENSION))

    def embed_images(self, images: Sequence[bytes], role: EmbedderRole) -> Embedded:  # noqa: ARG002 - the port's
        raise ModalityUnsupported("the embedding space default-text embeds text, not images")
