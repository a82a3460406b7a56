"""A chunk as one record that stands by itself: its text, its place, its document, its edges. Knows no form."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from indx_core.knowledge.space.index_json import relation_json

if TYPE_CHECKING:
    from indx_core.contracts.knowledge import Chunk, Document
    from indx_core.knowledge.space import KnowledgeSpace

_OF_DOCUMENT = ("title", "language", "date", "uri", "media_type", "source_digest")


def header(space: "KnowledgeSpace") -> dict[str, Any]:
    """What the records are of, and per embedding space what a query has to be encoded with."""
    return {
        "format": "indx-export",
        "version": space.version,
        "root": space.root,
        "corpus": space.metadata.get("corpus"),
        "stats": space.stats.model_dump(mode="json"),
        "embedding_spaces": [
            {"id": each.space_id, "dimension": each.dimension, "vectors": len(each.rows), "query_encoder": each.encoder}
            for each in space.vectors.values()
        ],
    }


def records(space: "KnowledgeSpace") -> Iterator[tuple[int, dict[str, Any]]]:
    """Index and record of every chunk, in order, without its vectors."""
    for at, chunk in enumerate(space.chunks):
        yield at, _record(chunk, space.document(chunk.doc_id))


def _record(chunk: "Chunk", document: "Document") -> dict[str, Any]:
    before, after = chunk.around
    known = chunk.metadata
    return {
        "id": chunk.id,
        "text": chunk.text,
        "doc_id": chunk.doc_id,
        "position": chunk.index,
        "path": chunk.source.path,
        "folder": chunk.source.folder,
        "type": chunk.source.type,
        "page": known.get("page"),
        "box": known.get("box"),
        "box_reason": known.get("box_reason"),
        "prev_id": before,
        "next_id": after,
        "topics": known.get("topics", []),
        "tags": known.get("tags", []),
        "summary": known.get("summary"),
        "labels": known.get("labels", {}),
        "entities": known.get("entities", {}),
        "document": {name: document.metadata.get(name) for name in _OF_DOCUMENT} | {"summary": document.summary},
        "relations": [relation_json(edge, chunk.id) for edge in chunk.relations]
        + [relation_json(edge, document.id) for edge in document.references],
    }
