"""A space as rows of the database's tables. Knows no DuckDB."""

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from indx_core.contracts.base import canonical_json
from indx_core.contracts.knowledge import Chunk, Document, Relation
from indx_core.knowledge.database import tables as t

if TYPE_CHECKING:
    from indx_core.knowledge.space import KnowledgeSpace

Row = dict[str, Any]


def documents(space: "KnowledgeSpace") -> Iterator[Row]:
    """Rows of ``documents``."""
    for document in space.documents_:
        known = document.metadata
        yield {
            **document.model_dump(include={"id", "path", "folder", "type", "summary", "topics", "tags"}),
            **{name: known.get(name) for name in ("title", "language", "date", "byte_count", "page_count")},
            "chunk_count": len(document.chunk_ids),
            "metadata": canonical_json(known),
        }


def chunks(space: "KnowledgeSpace") -> Iterator[Row]:
    """Rows of ``chunks``."""
    for chunk in space.chunks:
        known = chunk.metadata
        before, after = chunk.around
        yield {
            "id": chunk.id,
            "doc_id": chunk.doc_id,
            "position": chunk.index,
            "page": known.get("page"),
            "text": chunk.text,
            **_edges(known),
            "box_reason": known.get("box_reason"),
            "prev_id": before,
            "next_id": after,
            "summary": known.get("summary"),
            "topics": known.get("topics", []),
            "tags": known.get("tags", []),
            "metadata": canonical_json(known),
        }


def relations(space: "KnowledgeSpace") -> Iterator[Row]:
    """Rows of ``relations``: edges between documents, then those that leave a chunk."""
    yield from (_edge(edge, edge.from_id) for edge in space.relations)
    for chunk in space.chunks:
        yield from (_edge(edge, chunk.id) for edge in chunk.relations)


def links(space: "KnowledgeSpace") -> Iterator[Row]:
    """Rows of ``links``."""
    for document in space.documents_:
        for link in document.metadata.get("links", ()):
            fields = {name: link.get(name) for name in ("page", "target", "text")}
            yield {"doc_id": document.id, **fields, **_edges(link)}


def entities(space: "KnowledgeSpace") -> Iterator[Row]:
    """Rows of ``entities``."""
    for chunk in space.chunks:
        for label, names in chunk.metadata.get("entities", {}).items():
            yield from ({"chunk_id": chunk.id, "doc_id": chunk.doc_id, "label": label, "name": name} for name in names)


def labels(space: "KnowledgeSpace") -> Iterator[Row]:
    """Rows of ``labels``."""
    owners: list[Document | Chunk] = [*space.documents_, *space.chunks]
    for owner in owners:
        for facet, label in owner.metadata.get("labels", {}).items():
            yield {"id": owner.id, "facet": facet, "label": label}


def embedding_spaces(space: "KnowledgeSpace") -> Iterator[Row]:
    """Rows of ``embedding_spaces``."""
    for vectors in space.vectors.values():
        yield {
            "embedding_space_id": vectors.space_id,
            "dimension": vectors.dimension,
            "vectors": len(vectors.rows),
            "encoder": canonical_json(vectors.encoder),
        }


def errors(space: "KnowledgeSpace") -> Iterator[Row]:
    """Rows of ``errors``."""
    yield from ({name: error[name] for name in ("path", "stage", "code", "message")} for error in space.errors)


ROWS: dict[str, Callable[["KnowledgeSpace"], Iterator[Row]]] = {
    t.DOCUMENTS.name: documents,
    t.CHUNKS.name: chunks,
    t.RELATIONS.name: relations,
    t.LINKS.name: links,
    t.ENTITIES.name: entities,
    t.LABELS.name: labels,
    t.SPACES.name: embedding_spaces,
    t.ERRORS.name: errors,
}
"""Rows by table; vectors are no rows of Python objects, see ``write.py``."""


def _edges(known: Mapping[str, Any]) -> Row:
    """The edges of the box of a chunk or link, null where it has none."""
    return dict(zip(("x0", "y0", "x1", "y1"), known.get("box") or [None] * 4, strict=True))


def _edge(edge: Relation, source: str | None) -> Row:
    return {
        "src": source,
        "dst": edge.to,
        "type": edge.type.value,
        "score": edge.weight,
        "evidence": edge.evidence,
    }
