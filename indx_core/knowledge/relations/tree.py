"""Edges of the tree: a folder contains its files and folders, its files stand beside each other, chunks continue.

Siblings are a chain through the folder, not all pairs: ``n`` files have ``n - 1`` edges.
"""

from collections.abc import Sequence
from itertools import pairwise

from indx_core.contracts.knowledge import Relation, RelationType
from indx_core.knowledge.relations.documents import RelatedDocument


def parents(documents: Sequence[RelatedDocument]) -> list[Relation]:
    """From each document to its folder, and from each folder to the one above it. The root has no name and no edges."""
    edges = [
        Relation(type=RelationType.PARENT, from_id=document.id, to=document.folder)
        for document in documents
        if document.folder
    ]
    folders = {above for document in documents for above in _lineage(document.folder)}
    inner = sorted(folder for folder in folders if "/" in folder)
    return edges + [
        Relation(type=RelationType.PARENT, from_id=folder, to=folder.rpartition("/")[0]) for folder in inner
    ]


def siblings(documents: Sequence[RelatedDocument]) -> list[Relation]:
    """From each document to the next one of its folder."""
    by_folder: dict[str, list[RelatedDocument]] = {}
    for document in documents:
        by_folder.setdefault(document.folder, []).append(document)
    return [
        Relation(type=RelationType.SIBLING, from_id=one.id, to=following.id)
        for members in by_folder.values()
        for one, following in pairwise(members)
    ]


def continuations(documents: Sequence[RelatedDocument]) -> dict[str, list[Relation]]:
    """From each chunk to the next one of its document, by the id of the first."""
    return {
        one.chunk_id: [Relation(type=RelationType.CONTINUES, to=following.chunk_id)]
        for document in documents
        for one, following in pairwise(document.passages)
    }


def _lineage(folder: str) -> list[str]:
    segments = folder.split("/") if folder else []
    return ["/".join(segments[:depth]) for depth in range(1, len(segments) + 1)]
