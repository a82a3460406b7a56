"""The hosted space over real HTTP: batches, order, length, price, and what it says when it is not set up."""

import importlib.util
import json

import numpy as np
import pytest
from model_server import ModelServer, Reply, closed_port, model_server

from indx_core.contracts.capability import Device, EmbedderRole
from indx_core.contracts.errors import CapabilityTemporarilyUnavailable, CapabilityUnavailable, SettingsInvalid
from indx_core.engines.embed_hosted import CONTRIBUTION
from indx_core.engines.embed_hosted.embedder import HostedEmbedder, embedders
from indx_core.kit.registry import build
from indx_core.kit.settings import overriding
from indx_core.testing.conformance import TRICKY_TEXTS, check_embedder

DOCUMENT = EmbedderRole.DOCUMENT


@pytest.fixture
def server():
    with model_server() as running:
        settings = {"INDX_EMBED_MODEL": "openai/vectors", "INDX_EMBED_DIMENSION": "8", "INDX_EMBED_RETRIES": "0"}
        with overriding({**settings, "INDX_EMBED_API_BASE": running.base}):
            yield running


def the_embedder() -> HostedEmbedder:
    (embedder,) = embedders()
    return embedder


def test_it_conforms(server: ModelServer) -> None:
    check_embedder(the_embedder(), ["one", "two two", "", "\ud800", *TRICKY_TEXTS])


def test_its_space_is_declared_by_the_settings(server: ModelServer) -> None:
    space = the_embedder().space
    assert (space.id, space.dimension, space.metric, space.normalization) == ("hosted-text", 8, "cosine", "l2")
    (descriptor,) = space.embedders
    assert descriptor.model == "openai/vectors"
    assert server.base not in descriptor.model_dump_json()


def test_many_texts_are_sent_in_batches_and_come_back_in_order(server: ModelServer) -> None:
    texts = [f"text {number}" for number in range(150)]
    vectors = the_embedder().embed_texts(texts, DOCUMENT).vectors
    assert [len(request["input"]) for request in server.requests] == [64, 64, 22]
    assert np.array_equal(vectors[149:], the_embedder().embed_texts(texts[149:], DOCUMENT).vectors)


def test_blank_texts_are_not_sent(server: ModelServer) -> None:
    """Vendors refuse an empty text, and with it the whole batch."""
    vectors = the_embedder().embed_texts(["", "text", " \n"], DOCUMENT).vectors
    assert server.requests[0]["input"] == ["text"]
    assert vectors[0].tolist() == vectors[2].tolist() == [1.0] + [0.0] * 7


def test_only_the_head_of_a_long_text_is_sent(server: ModelServer) -> None:
    with overriding({"INDX_EMBED_MAX_CHARACTERS": "11"}):
        the_embedder().embed_texts(["alpha beta gamma"], DOCUMENT)
    assert server.requests[0]["input"] == ["alpha beta"]


def test_a_local_model_costs_nothing_and_is_not_external(server: ModelServer) -> None:
    assert the_embedder().descriptor.device is Device.GPU
    assert the_embedder().embed_texts(["a"], DOCUMENT).cost_usd == 0.0


def test_a_hosted_model_is_external_so_that_data_residency_refuses_it() -> None:
    with overriding({"INDX_EMBED_MODEL": "openai/text-embedding-3-small", "INDX_EMBED_DIMENSION": "1536"}):
        assert the_embedder().descriptor.device is Device.EXTERNAL


def test_vectors_of_another_length_than_declared_are_refused(server: ModelServer) -> None:
    server.dimension = 9
    with pytest.raises(CapabilityUnavailable, match=r"vectors of length 9 .* INDX_EMBED_DIMENSION declares 8"):
        the_embedder().embed_texts(["a"], DOCUMENT)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ([], "0 vectors"),
        ([{"index": 0, "embedding": [1.0] * 8}], "1 vectors of length 8 to 2 texts"),
        ([{"index": 0, "embedding": [1.0] * 7}, {"index": 1, "embedding": [1.0] * 8}], "other than vectors"),
    ],
)
def test_an_answer_that_is_not_one_vector_per_text_is_refused(server: ModelServer, data: list, reason: str) -> None:
    server.replies = [Reply(body=json.dumps({"object": "list", "model": "m", "data": data, "usage": {}}).encode())]
    with pytest.raises(CapabilityUnavailable, match=reason):
        the_embedder().embed_texts(["a", "b"], DOCUMENT)


def test_a_server_that_is_away_may_answer_later(server: ModelServer) -> None:
    with overriding({"INDX_EMBED_API_BASE": closed_port()}), pytest.raises(CapabilityTemporarilyUnavailable):
        the_embedder().embed_texts(["a"], DOCUMENT)


def test_unconfigured_there_is_no_space_at_all() -> None:
    registry = build([("hosted", CONTRIBUTION)])
    assert (registry.embedders, registry.failures) == ((), ())


@pytest.mark.parametrize(
    ("name", "value", "absent"),
    [("MODEL", "openai/vectors", "INDX_EMBED_DIMENSION"), ("DIMENSION", "8", "INDX_EMBED_MODEL")],
)
def test_half_a_configuration_is_no_space_and_a_reported_failure(name: str, value: str, absent: str) -> None:
    with overriding({f"INDX_EMBED_{name}": value}):
        with pytest.raises(SettingsInvalid, match=f"{absent}: not set"):
            embedders()
        registry = build([("hosted", CONTRIBUTION)])
    assert registry.embedders == ()
    assert absent in registry.failures[0].reason


def test_without_the_extra_the_space_is_advertised_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with overriding({"INDX_EMBED_MODEL": "openai/vectors", "INDX_EMBED_DIMENSION": "8"}):
        assert the_embedder().descriptor.unavailable_reason == "install the 'hosted' extra; missing: litellm"
        with pytest.raises(CapabilityUnavailable, match="'hosted' extra"):
            the_embedder().embed_texts(["a"], DOCUMENT)
