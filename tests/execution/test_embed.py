"""Vectors per space: which lane a chunk takes, shapes, and queries without a ladder."""

import numpy as np
import pytest

from indx_core.contracts.capability import Device, EmbedderRole, Modality
from indx_core.contracts.errors import CapabilityUnavailable, InvalidEmbeddingSpace, ModalityUnsupported
from indx_core.contracts.page import BoxReason, ChunkPiece
from indx_core.execution.budget import Budget, Purse
from indx_core.execution.chunk import PlacedChunk
from indx_core.execution.embed import embed_chunks, embed_query, embedder_for, named_space
from indx_core.kit.deadline import Deadline
from indx_core.kit.registry import Contribution, Registry
from indx_core.ports.embedder import Embedded
from indx_core.testing.fakes import FakeEmbedder, fake_registry

TEXT = PlacedChunk(1, 1, ChunkPiece("hello", reason=BoxReason.NO_GEOMETRY), "c")
IMAGE = PlacedChunk(2, 1, ChunkPiece("", reason=BoxReason.NO_GEOMETRY, image=b"png"), "c")


def registry(*embedders: FakeEmbedder) -> Registry:
    return fake_registry(Contribution(embedders=embedders))


def test_every_text_chunk_gets_one_vector_of_the_spaces_dimension() -> None:
    embedder = FakeEmbedder(dimension=4)
    (answer,) = embed_chunks([TEXT, TEXT], [embedder.space], registry(embedder), Deadline())
    assert answer.positions == (0, 1)
    assert (answer.vectors.shape, answer.vectors.dtype) == ((2, 4), np.float32)
    assert set(answer.embedder_ids) == {embedder.descriptor.embedder_id}


def test_a_text_only_space_leaves_rendered_pages_without_a_vector() -> None:
    embedder = FakeEmbedder(modalities=(Modality.TEXT,))
    (answer,) = embed_chunks([TEXT, IMAGE], [embedder.space], registry(embedder), Deadline())
    assert answer.positions == (0,)


def test_an_image_space_answers_for_exactly_the_pages_that_were_rendered() -> None:
    embedder = FakeEmbedder(modalities=(Modality.IMAGE,))
    (answer,) = embed_chunks([TEXT, IMAGE], [embedder.space], registry(embedder), Deadline())
    assert answer.positions == (1,)


def test_an_embedder_that_fails_fails_the_document_for_there_is_no_ladder() -> None:
    embedder = FakeEmbedder(error=CapabilityUnavailable("no model"))
    with pytest.raises(CapabilityUnavailable, match="no model"):
        embed_chunks([TEXT], [embedder.space], registry(embedder), Deadline())


def test_whatever_an_embedder_raises_is_a_capability_that_cannot_run() -> None:
    """A 503 naming it, as the contract has it, and not an internal error; what it said stays in the log."""
    embedder = FakeEmbedder(error=RuntimeError("/srv/models/secret.onnx"))
    says = r"^fake-embedder broke off: RuntimeError$"
    with pytest.raises(CapabilityUnavailable, match=says):
        embed_chunks([TEXT], [embedder.space], registry(embedder), Deadline())
    with pytest.raises(CapabilityUnavailable, match=says):
        embed_query(embedder.space, "hello", registry(embedder))


def test_a_vector_with_a_number_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = FakeEmbedder()
    answer = Embedded(np.full((1, 4), np.nan, dtype=np.float32))
    monkeypatch.setattr(FakeEmbedder, "embed_texts", lambda *_: answer)
    with pytest.raises(CapabilityUnavailable, match="fake-embedder returned a vector that is not finite"):
        embed_chunks([TEXT], [embedder.space], registry(embedder), Deadline())


def test_a_space_that_is_named_twice_is_paid_for_once() -> None:
    embedder = FakeEmbedder(cost_usd=0.25)
    answers = embed_chunks([TEXT], [embedder.space, embedder.space], registry(embedder), Deadline())
    assert [answer.cost_usd for answer in answers] == [0.25]


def test_vectors_of_another_dimension_than_declared_are_refused() -> None:
    embedder = FakeEmbedder(dimension=4)
    wider = embedder.space.model_copy(update={"dimension": 5})
    with pytest.raises(CapabilityUnavailable, match=r"shape \(1, 4\).*\(1, 5\)"):
        embed_chunks([TEXT], [wider], registry(embedder), Deadline())


def test_a_query_of_a_modality_the_space_lacks_is_refused() -> None:
    embedder = FakeEmbedder(modalities=(Modality.TEXT,))
    with pytest.raises(ModalityUnsupported):
        embed_query(embedder.space, b"png", registry(embedder))


def test_an_unknown_space_is_refused_naming_those_there_are() -> None:
    with pytest.raises(InvalidEmbeddingSpace, match="installed: "):
        named_space("nowhere", [FakeEmbedder().space])


def test_no_embedder_is_invented_for_a_role_or_a_space_nobody_declares() -> None:
    embedder = FakeEmbedder()
    assert embedder_for(embedder.space, Modality.TEXT, EmbedderRole.QUERY, registry(embedder)) is embedder
    assert embedder_for(embedder.space, Modality.TEXT, EmbedderRole.QUERY, registry()) is None
    images_only = FakeEmbedder(modalities=(Modality.IMAGE,))
    assert embedder_for(images_only.space, Modality.TEXT, EmbedderRole.QUERY, registry(images_only)) is None


def test_a_hosted_space_is_filled_as_far_as_the_budget_reaches_and_says_so() -> None:
    """What was paid for is kept; the chunks that are left out are counted, never dropped in silence."""
    embedder = FakeEmbedder(device=Device.EXTERNAL, cost_usd=0.4)
    chunks = [TEXT] * 200
    purse = Purse(Budget(maximum_cost_usd=1.0))
    (answer,) = embed_chunks(chunks, [embedder.space], registry(embedder), Deadline(), purse)
    assert answer.positions == tuple(range(128))
    assert answer.vectors.shape == (128, 4)
    assert answer.cost_usd == 0.8
    (finding,) = answer.findings
    assert finding.code == "budget_spent"
    assert finding.message.startswith("fake-embedder left out 72 chunks: maximum_cost_usd")


def test_a_space_on_this_machine_costs_no_budget() -> None:
    embedder = FakeEmbedder()
    (answer,) = embed_chunks(
        [TEXT] * 200, [embedder.space], registry(embedder), Deadline(), Purse(Budget(maximum_cost_usd=0.0))
    )
    assert (len(answer.positions), answer.findings) == (200, ())
