"""The nouns of a knowledge space: two spellings of one object, and what a later version may add."""

import pytest
from pydantic import ValidationError

from indx_core.contracts.knowledge import Chunk, Document, Relation, RelationType, SearchHit, Source

CONCEPTS = {
    "id": "chunk_0481",
    "doc_id": "doc_0007",
    "position": 12,
    "text": "Enterprise data is retained for 90 days…",
    "prev_id": "chunk_0480",
    "next_id": "chunk_0482",
    "source": {"path": "policies/data/retention.pdf", "folder": "policies/data", "type": "policy"},
    "metadata": {"topics": ["retention", "compliance"], "summary": "90-day retention rule…", "tags": ["gdpr"]},
    "relations": [{"src": "chunk_0481", "dst": "legal/gdpr.md", "type": "references", "score": 1.0}],
}
DATA_MODEL = {
    "id": "chunk_0481",
    "doc_id": "doc_0007",
    "index": 12,
    "text": "Enterprise data is retained for 90 days…",
    "neighbors": ["chunk_0480", "chunk_0482"],
    "source": {"path": "policies/data/retention.pdf", "folder": "policies/data", "type": "policy"},
    "metadata": {"topics": ["retention", "compliance"], "summary": "90-day retention rule…", "tags": ["gdpr"]},
    "relations": [{"type": "references", "to": "legal/gdpr.md", "weight": 1.0}],
}


def test_either_spelling_gives_the_same_chunk() -> None:
    """The concepts document and the data-model document name the same fields differently (design, section 10)."""
    assert Chunk.model_validate(CONCEPTS) == Chunk.model_validate(DATA_MODEL)


def test_the_owner_of_an_edge_is_not_repeated_on_it() -> None:
    (edge,) = Chunk.model_validate(CONCEPTS).relations
    assert edge == Relation(type=RelationType.REFERENCES, to="legal/gdpr.md", weight=1.0)


def test_an_unknown_kind_of_edge_is_ignored() -> None:
    given = {**DATA_MODEL, "relations": [{"type": "contradicts", "to": "doc_0001"}, *DATA_MODEL["relations"]]}
    assert Chunk.model_validate(given) == Chunk.model_validate(DATA_MODEL)
    document = Document.model_validate(
        {"id": "doc_0001", "path": "a", "folder": "", "type": "text", "references": [{"type": "new", "to": "b"}]}
    )
    assert document.references == []


def test_an_unknown_field_is_ignored() -> None:
    assert Chunk.model_validate({**DATA_MODEL, "added_in_1_1": 3}) == Chunk.model_validate(DATA_MODEL)


def test_a_first_chunk_has_one_neighbour() -> None:
    given = {**CONCEPTS, "position": 0, "prev_id": None}
    assert Chunk.model_validate(given).neighbors == ["chunk_0482"]


@pytest.mark.parametrize("weight", [-0.1, 1.1])
def test_a_weight_is_a_share(weight: float) -> None:
    with pytest.raises(ValidationError):
        Relation(type=RelationType.SIBLING, to="doc_0001", weight=weight)


def test_values_are_frozen() -> None:
    with pytest.raises(ValidationError):
        Chunk.model_validate(DATA_MODEL).text = "other"  # type: ignore[misc]


def test_a_hit_shows_its_source() -> None:
    hit = SearchHit(chunk=Chunk.model_validate(DATA_MODEL), score=0.5)
    assert hit.source == Source(path="policies/data/retention.pdf", folder="policies/data", type="policy")
