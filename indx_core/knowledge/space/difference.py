"""What differs between two spaces: documents by path, and inside a changed document its chunks by their text.

Ids play no part: a document added in front renumbers all that follow and changes none of them. Prints nothing.
"""

from collections.abc import Iterator
from difflib import SequenceMatcher

from indx_core.contracts.base import Contract
from indx_core.contracts.knowledge import Chunk, Document
from indx_core.knowledge.space.space import KnowledgeSpace


class ChunkChange(Contract):
    """A chunk that was added, removed or changed.

    Attributes:
        change: ``added``, ``removed`` or ``changed``.
        path: Its document.
        before: Its id in the first space.
        after: Its id in the second.
    """

    change: str
    path: str
    before: str | None = None
    after: str | None = None


class Difference(Contract):
    """What the second space has that the first has not, and the other way round.

    Attributes:
        added: Paths of documents.
        removed: Paths of documents.
        changed: Paths of documents whose content or annotations differ.
        chunks: Chunks of all of them.
        relations: Edges by type, in the first and in the second, where their numbers differ.
    """

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    chunks: tuple[ChunkChange, ...] = ()
    relations: dict[str, tuple[int, int]] = {}

    @property
    def empty(self) -> bool:
        """Whether nothing differs."""
        return self == Difference()


def difference(first: KnowledgeSpace, second: KnowledgeSpace) -> Difference:
    """Compare two spaces."""
    before, after = _by_path(first), _by_path(second)
    chunks: list[ChunkChange] = []
    changed: list[str] = []
    for path in sorted(before.keys() | after.keys()):
        old, new = _chunks(first, before.get(path)), _chunks(second, after.get(path))
        found = list(_changes(path, old, new))
        chunks += found
        if path in before and path in after and (found or _content(before[path]) != _content(after[path])):
            changed.append(path)
    counts = first.relation_counts(), second.relation_counts()
    kinds = sorted(counts[0].keys() | counts[1].keys())
    numbers = {kind: (counts[0].get(kind, 0), counts[1].get(kind, 0)) for kind in kinds}
    return Difference(
        added=tuple(sorted(after.keys() - before.keys())),
        removed=tuple(sorted(before.keys() - after.keys())),
        changed=tuple(changed),
        chunks=tuple(chunks),
        relations={kind: pair for kind, pair in numbers.items() if pair[0] != pair[1]},
    )


def _by_path(space: KnowledgeSpace) -> dict[str, Document]:
    return {document.path: document for document in space.documents_}


def _chunks(space: KnowledgeSpace, document: Document | None) -> list[Chunk]:
    return [space.chunk(each) for each in document.chunk_ids] if document else []


def _changes(path: str, old: list[Chunk], new: list[Chunk]) -> Iterator[ChunkChange]:
    """Chunks matched by text in their order; what stands in the place of another one is that one changed."""
    texts = [chunk.text for chunk in old], [chunk.text for chunk in new]
    if texts[0] == texts[1]:
        return
    for kind, i, i_end, j, j_end in SequenceMatcher(None, *texts, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        both = min(i_end - i, j_end - j)
        for offset in range(both):
            yield ChunkChange(change="changed", path=path, before=old[i + offset].id, after=new[j + offset].id)
        yield from (ChunkChange(change="removed", path=path, before=each.id) for each in old[i + both : i_end])
        yield from (ChunkChange(change="added", path=path, after=each.id) for each in new[j + both : j_end])


def _content(document: Document) -> Document:
    """The document without what only tells where it stands among the others."""
    return document.model_copy(update={"id": "", "chunk_ids": [], "references": [], "referenced_by": []})
