"""Search in a loaded space: both sides, filters, and what a hit brings along."""

from pathlib import Path

import numpy as np
import pytest
from knowledge.spaces import chunk, document, small_space

from indx_core.contracts.errors import CapabilityUnavailable, InvalidEmbeddingSpace, RequestInvalid
from indx_core.knowledge.search import SearchFilters
from indx_core.knowledge.space import KnowledgeSpace, SpaceVectors


def test_a_hit_brings_its_neighbours_document_and_edges(tmp_path: Path) -> None:
    small_space(vectors=False).save(tmp_path / "space.indx")
    (hit, *_) = KnowledgeSpace.load(tmp_path / "space.indx").search("保存期間")
    assert hit.chunk.id == "chunk_0002"
    assert hit.source.path == "policies/保存期間.pdf"
    assert [neighbour.id for neighbour in hit.neighbors] == ["chunk_0003"]
    assert hit.document is not None
    assert hit.document.id == "doc_0002"
    assert [edge.to for edge in hit.relations] == ["legal/gdpr.md", "doc_0001"]
    assert hit.lexical is not None
    assert hit.vector is None


def test_words_and_vectors_are_fused() -> None:
    hits = small_space().search("regulation", vector=[0.0, 1.0, -0.25], lexical_weight=0.5)
    assert [(hit.chunk.id, hit.score) for hit in hits] == [("chunk_0001", 0.5), ("chunk_0003", 0.5)]
    assert hits[1].vector == pytest.approx(1.0)


def test_a_query_of_two_characters_finds() -> None:
    assert [hit.chunk.id for hit in small_space(vectors=False).search("九十")] == ["chunk_0002"]


def test_an_installed_embedder_places_the_query() -> None:
    """``default-text`` is installed everywhere; its vectors of the same text are the same."""
    from indx_core.engines.embed_hashed import HashedEmbedder

    space = small_space(vectors=False)
    texts = [each.text for each in space.chunks]
    matrix = HashedEmbedder().embed_texts(texts, "document").vectors
    space = space.with_vectors([SpaceVectors("default-text", matrix, np.arange(3, dtype=np.int32))])
    hit = space.search(texts[2])[0]
    assert (hit.chunk.id, hit.vector) == ("chunk_0003", pytest.approx(1.0))


def test_vectors_that_nothing_here_can_be_compared_with_are_an_error() -> None:
    """Falling back to words in silence would answer another question than was asked."""
    vectors = SpaceVectors("some-model", np.ones((1, 2), np.float32), np.zeros(1, np.int32))
    space = small_space(vectors=False).with_vectors([vectors])
    with pytest.raises(CapabilityUnavailable, match="some-model"):
        space.search("regulation")
    assert space.search("regulation", words_only=True)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"embedding_space": "other"}, InvalidEmbeddingSpace),
        ({"vector": [1.0]}, InvalidEmbeddingSpace),
        ({"query": " "}, RequestInvalid),
    ],
)
def test_a_question_that_cannot_be_asked(options: dict, error: type) -> None:
    with pytest.raises(error):
        small_space().search(**{"query": "regulation", **options})


def filtered_space() -> KnowledgeSpace:
    return KnowledgeSpace(
        root="/",
        documents=[
            document(1, "a/x.txt", ["chunk_0001"], type="mail", metadata={"language": "ja", "date": "2024-04-01"}),
            document(2, "a/b/y.txt", ["chunk_0002"], metadata={"labels": {"document_type": "contract"}}),
            document(3, "ab/z.txt", ["chunk_0003"]),
        ],
        chunks=[
            chunk(1, 1, 0, "a/x.txt", "word", metadata={"entities": {"organization": ["東京電力"]}}),
            chunk(2, 2, 0, "a/b/y.txt", "word", metadata={"labels": {"sensitivity": "secret"}}),
            chunk(3, 3, 0, "ab/z.txt", "word"),
        ],
    )


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({}, [1, 2, 3]),
        ({"folder": "a"}, [1, 2]),
        ({"folder": "/a/b/"}, [2]),
        ({"types": ("mail",)}, [1]),
        ({"languages": ("ja", "en")}, [1]),
        ({"labels": ("contract",)}, [2]),
        ({"labels": ("secret",)}, [2]),
        ({"entities": ("東京電力", "other")}, [1]),
        ({"since": "2024"}, [1]),
        ({"since": "2024-04-02"}, []),
        ({"until": "2024"}, [1]),
        ({"until": "2023-12"}, []),
        ({"folder": "a", "types": ("mail",)}, [1]),
    ],
)
def test_filters(filters: dict, found: list[int]) -> None:
    hits = filtered_space().search("word", filters=SearchFilters(**filters))
    assert [hit.chunk.id for hit in hits] == [f"chunk_{number:04d}" for number in found]


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ({"folder": "\u30ab\u3099イト\u3099"}, {"folder": "ガイド"}),
        ({"documents": ["cafe\u0301.txt"]}, {"documents": ("café.txt",)}),
        ({"languages": ("JA",)}, {"languages": ("ja",)}),
        ({"media_types": ("Application/PDF",)}, {"media_types": ("application/pdf",)}),
    ],
)
def test_filters_are_taken_in_the_form_that_is_stored(given: dict, stored: dict) -> None:
    """A name that was typed or completed on a Mac is decomposed, and found nothing."""
    assert SearchFilters(**given) == SearchFilters(**stored)
    assert {name: getattr(SearchFilters(**given), name) for name in stored} == stored


def test_a_folder_is_found_in_whichever_form_the_file_system_keeps_its_name() -> None:
    """A space of a folder has its files' own names, which on a Mac are decomposed."""
    space = filtered_space()
    moved = [each.model_copy(update={"path": f"\u30ab\u3099イト\u3099/{each.id}"}) for each in space.documents_]
    space = space.model_copy(update={"documents_": moved})
    for folder in ("ガイド", "\u30ab\u3099イト\u3099"):
        assert len(space.search("word", filters=SearchFilters(folder=folder))) == 3
