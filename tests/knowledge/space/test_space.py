"""The space as an object, and its graph as ``index.json``."""

import json

import pytest
from knowledge.spaces import small_space

from indx_core.contracts.errors import ArchiveInvalid
from indx_core.knowledge.space import ids
from indx_core.knowledge.space.index_json import index_lines, read_index


def text_of(space: object) -> str:
    return "".join(index_lines(space))


def test_counts() -> None:
    stats = small_space().stats
    assert stats.model_dump() == {
        "documents": 3,
        "chunks": 3,
        "relations": 3,  # the document's reference stands on it and in the list of edges, and is one
        "embeddings": 2,
        "embed_dim": 3,
        "types": {"policy": 2, "text": 1},
        "bytes_source": 30,
    }


def test_documents_are_filtered_by_type() -> None:
    space = small_space()
    assert [document.id for document in space.documents(type="text")] == ["doc_0003"]
    assert len(space.documents()) == 3


def test_a_chunk_brings_its_vector_when_asked() -> None:
    space = small_space()
    assert space.chunk("chunk_0003", "default-text").embedding == [0.0, 1.0, -0.25]
    assert space.chunk("chunk_0002", "default-text").embedding is None
    assert space.chunk("chunk_0003").embedding is None


def test_the_index_is_read_back_as_it_was() -> None:
    space = small_space(vectors=False)
    assert read_index(text_of(space)) == space


def test_the_index_has_sorted_keys_and_the_spelling_of_the_concepts() -> None:
    parsed = json.loads(text_of(small_space()))
    assert list(parsed) == sorted(parsed)
    chunk = parsed["chunks"][1]
    assert list(chunk) == sorted(chunk)
    assert set(chunk) == {"id", "doc_id", "position", "text", "prev_id", "next_id", "source", "metadata", "relations"}
    assert (chunk["prev_id"], chunk["next_id"]) == (None, "chunk_0003")
    assert chunk["relations"][0] | {"evidence": None} == {
        "src": "chunk_0002",
        "dst": "legal/gdpr.md",
        "type": "references",
        "score": 1.0,
        "evidence": None,
    }
    assert parsed["stats"] == small_space().stats.model_dump()


def test_one_changed_chunk_is_one_changed_line() -> None:
    """A space is compared with a line-wise diff."""
    space = small_space()
    changed = space.model_copy(
        update={"chunks": [space.chunks[0].model_copy(update={"text": "other"}), *space.chunks[1:]]}
    )
    before, after = text_of(space).splitlines(), text_of(changed).splitlines()
    assert sum(one != other for one, other in zip(before, after, strict=True)) == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "cannot be read"),
        ('{"root": "/", "metadata": {"x": NaN}}', "cannot be read"),
        ("[" * 100_000, "cannot be read"),
        ('{"root": "/", "version": "2.0"}', "schema version 2.0"),
        ('{"root": "/", "chunks": [{"id": "chunk_0001"}]}', "chunks.0"),
    ],
)
def test_what_is_no_index_is_refused(text: str, said: str) -> None:
    with pytest.raises(ArchiveInvalid, match=said):
        read_index(text)


def test_a_later_minor_version_is_read() -> None:
    given = '{"root": "/", "version": "1.7", "relations": [{"type": "new", "src": "a", "dst": "b"}], "more": 1}'
    space = read_index(given)
    assert (space.version, space.relations) == ("1.7", [])


def test_documents_are_numbered_folder_by_folder() -> None:
    paths = ["b.txt", "a/z.txt", "a/b/c.txt", "a.txt", "a-b/x.txt"]
    assert ids.traversal(paths) == ["a.txt", "b.txt", "a/z.txt", "a/b/c.txt", "a-b/x.txt"]
    assert (ids.document_id(7), ids.chunk_id(481), ids.chunk_id(123_456)) == ("doc_0007", "chunk_0481", "chunk_123456")
