"""The difference of two spaces: what changed, whatever the ids have become."""

import pytest
from knowledge.spaces import chunk, document

from indx_core.knowledge.space import KnowledgeSpace
from indx_core.knowledge.space.difference import ChunkChange, Difference, difference


def space(**documents: list[str]) -> KnowledgeSpace:
    """Documents by name, each with its chunks' texts."""
    made, chunks = [], []
    for number, (name, texts) in enumerate(sorted(documents.items()), start=1):
        ids = [f"chunk_{len(chunks) + index + 1:04d}" for index in range(len(texts))]
        made.append(document(number, f"{name}.txt", ids))
        chunks += [chunk(len(chunks) + 1 + i, number, i, f"{name}.txt", text) for i, text in enumerate(texts)]
    return KnowledgeSpace(root="/", documents=made, chunks=chunks)


def test_a_space_does_not_differ_from_itself() -> None:
    assert difference(space(a=["x", "y"]), space(a=["x", "y"])).empty


def test_a_document_in_front_changes_none_behind_it() -> None:
    found = difference(space(b=["x"]), space(a=["new"], b=["x"]))
    assert found == Difference(
        added=("a.txt",), chunks=(ChunkChange(change="added", path="a.txt", after="chunk_0001"),)
    )


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        (["x", "y"], ["x", "z"], [("changed", "chunk_0002", "chunk_0002")]),
        (["x", "y"], ["new", "x", "y"], [("added", None, "chunk_0001")]),
        (["x", "y", "z"], ["x", "z"], [("removed", "chunk_0002", None)]),
        (["x"], ["a", "b"], [("changed", "chunk_0001", "chunk_0001"), ("added", None, "chunk_0002")]),
    ],
)
def test_chunks_are_matched_by_their_text(before: list, after: list, changes: list) -> None:
    found = difference(space(a=before), space(a=after))
    assert found.changed == ("a.txt",)
    assert [(each.change, each.before, each.after) for each in found.chunks] == changes


def test_a_removed_document_takes_its_chunks_along() -> None:
    found = difference(space(a=["x"], b=["y"]), space(b=["y"]))
    assert found.removed == ("a.txt",)
    assert [(each.change, each.path) for each in found.chunks] == [("removed", "a.txt")]


def test_a_document_with_other_annotations_is_changed_without_changed_chunks() -> None:
    before = space(a=["x"])
    after = before.model_copy(update={"documents_": [before.documents_[0].model_copy(update={"tags": ["new"]})]})
    assert difference(before, after) == Difference(changed=("a.txt",))
