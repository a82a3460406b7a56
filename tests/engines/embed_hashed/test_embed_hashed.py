"""The model-free space: exact, batch-independent, lexical."""

import hashlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indx_core.contracts.capability import EmbedderRole
from indx_core.engines.embed_hashed import trigrams
from indx_core.engines.embed_hashed.embedder import HashedEmbedder
from indx_core.testing.conformance import TRICKY_TEXTS, check_embedder

EMBEDDER = HashedEmbedder()
TEXTS = ["請求書 株式会社インデックス", "the quick brown fox", "a", "", "x" * 5000, *TRICKY_TEXTS]


def _embed(*texts: str) -> np.ndarray:  # type: ignore[type-arg]
    return EMBEDDER.embed_texts(texts, EmbedderRole.DOCUMENT).vectors


def test_the_hashed_embedder_conforms_without_any_tolerance() -> None:
    check_embedder(EMBEDDER, TEXTS)


def test_its_space_is_the_one_every_installation_has() -> None:
    space = EMBEDDER.space
    assert (space.id, space.dimension, space.metric, space.normalization) == ("default-text", 256, "cosine", "l2")
    assert space.embedders == (EMBEDDER.descriptor,)


def test_vectors_have_the_same_bytes_in_every_release() -> None:
    """Stored vectors are compared with new queries: a change of these bytes is a new space, not an improvement."""
    digest = hashlib.sha256(_embed("請求書 No. 42", "the quick brown fox", "").tobytes()).hexdigest()
    assert digest == "9f77292ba1fcf978105d4dff15e7bf246dd1901a5c3012b33bc5e63b9b8bca52"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Invoice", "INVOICE"),
        ("ＡＣＭＥ　２０２６", "acme 2026"),
        ("ｲﾝﾃﾞｯｸｽ", "インデックス"),
        ("straße", "STRASSE"),
        ("two\n  words", " two words "),
        ("が", "か\u3099"),
    ],
)
def test_spellings_of_the_same_text_have_one_vector(one: str, other: str) -> None:
    assert np.array_equal(_embed(one), _embed(other))


def test_texts_that_share_trigrams_are_nearer_than_texts_that_do_not() -> None:
    query, near, far = _embed("損害賠償の請求", "損害賠償を請求する権利", "quarterly results of operations")
    assert query @ near > 0.3 > abs(query @ far)


def test_the_role_changes_nothing() -> None:
    document = EMBEDDER.embed_texts(["契約"], EmbedderRole.DOCUMENT).vectors
    assert np.array_equal(document, EMBEDDER.embed_texts(["契約"], EmbedderRole.QUERY).vectors)


@pytest.mark.parametrize("text", ["", "  \n", "\u3000"])
def test_a_text_without_trigrams_is_the_first_unit_vector(text: str) -> None:
    (vector,) = _embed(text)
    assert vector[0] == 1.0
    assert np.count_nonzero(vector) == 1


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(max_size=40), min_size=1, max_size=8), st.integers(min_value=1, max_value=7))
def test_a_vector_depends_on_its_text_alone(texts: list[str], window: int) -> None:
    """Not on its batch, and not on where the steps of the computation happen to cut the text."""
    whole = _embed(*texts)
    before = trigrams._WINDOW, trigrams._BLOCK
    trigrams._WINDOW, trigrams._BLOCK = window, 2
    try:
        assert np.array_equal(_embed(*texts), whole)
    finally:
        trigrams._WINDOW, trigrams._BLOCK = before
    assert np.allclose(np.linalg.norm(whole, axis=1), 1.0)
