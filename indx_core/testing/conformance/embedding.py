"""Suite of the embedder: shape, type, norm, and the same vector whatever batch it was made in."""

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np  # noqa: TID253 - a suite of vectors, imported by tests alone

from indx_core.contracts.capability import EmbedderRole, Modality
from indx_core.contracts.errors import ModalityUnsupported
from indx_core.ports.embedder import Embedded, Embedder
from indx_core.testing.conformance.expect import expect, expect_cost, expect_name, expect_port, expect_typed

T = TypeVar("T", str, bytes)


def check_embedder(
    embedder: Embedder, texts: Sequence[str] = (), images: Sequence[bytes] = (), tolerance: float = 0.0
) -> None:
    """Vectors of the declared space, one per input, for every role and modality it declares.

    Args:
        embedder: The implementation, able to run here.
        texts: At least three texts, if it embeds text.
        images: At least three images, if it embeds images.
        tolerance: Largest difference per component that another batch may make: 0 for arithmetic on integers, about
            1e-5 for a neural network, whose kernels sum in an order that depends on the batch.
    """
    expect_port(embedder, Embedder)
    descriptor, space = embedder.descriptor, embedder.space
    expect_name(descriptor.embedder_id, "the embedder's id")
    expect(descriptor.embedding_space_id == space.id, "the descriptor names the space")
    expect(descriptor in space.embedders, "the space names the embedder")
    expect(descriptor.roles, "an embedder has a role")
    for role in descriptor.roles:
        _check_modality(embedder, role, Modality.TEXT, embedder.embed_texts, texts, tolerance)
        _check_modality(embedder, role, Modality.IMAGE, embedder.embed_images, images, tolerance)


def _check_modality(
    embedder: Embedder,
    role: EmbedderRole,
    modality: Modality,
    embed: Callable[[Sequence[T], EmbedderRole], Embedded],
    inputs: Sequence[T],
    tolerance: float,
) -> None:
    if modality not in embedder.descriptor.modalities:
        if modality is Modality.IMAGE:
            expect_typed(lambda: embedder.embed_images([b""], role), ModalityUnsupported)
        return
    expect(len(inputs) >= 3, f"the suite needs three {modality} inputs")
    embedded = embed(inputs, role)
    vectors = embedded.vectors
    expect_cost(embedded.cost_usd)
    expect(vectors.dtype == np.float32, f"vectors are float32, not {vectors.dtype}")
    shape = (len(inputs), embedder.space.dimension)
    expect(vectors.shape == shape, f"vectors have the shape (inputs, dimension) {shape}, not {vectors.shape}")
    expect(np.isfinite(vectors).all(), "vectors are finite")
    if embedder.space.normalization == "l2":
        norms = np.linalg.norm(vectors, axis=1)
        expect(
            np.allclose(norms, 1.0, atol=1e-4), f"vectors of an l2 space have length 1: {norms.min()} to {norms.max()}"
        )
    expect(np.array_equal(vectors, embed(inputs, role).vectors), "the same call gives the same bytes twice")
    alone = np.concatenate([embed([one], role).vectors for one in inputs])
    expect(np.abs(alone - vectors).max() <= tolerance, "a vector does not depend on the batch it was made in")
    backwards = embed(list(reversed(inputs)), role).vectors[::-1]
    expect(np.abs(backwards - vectors).max() <= tolerance, "vectors come in the order of the inputs")
    expect(embed([], role).vectors.shape == (0, embedder.space.dimension), "no input, no vectors: shape (0, dimension)")
