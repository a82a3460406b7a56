"""A document of a space as relations take it: its names, its passages with their places, its links. Finds no edge."""

from collections.abc import Mapping, Sequence
from typing import Any

from indx_core.contracts.knowledge import Chunk, Document
from indx_core.contracts.page import Box, Link
from indx_core.knowledge.relations import PageLink, Passage, RelatedDocument

LINKS = "links"
"""Key of a document's metadata: its hyperlinks, each with ``target``, ``text``, ``page`` and ``box`` where known."""


def related(document: Document, chunks: Sequence[Chunk], properties: Mapping[str, Any]) -> RelatedDocument:
    """The document with its chunks, in order, and what its format declares."""
    known = document.metadata
    return RelatedDocument(
        id=document.id,
        path=document.path,
        uri=known.get("uri", ""),
        digest=known.get("source_digest", ""),
        title=known.get("title", ""),
        properties={name: str(value) for name, value in properties.items()},
        passages=tuple(map(_passage, chunks)),
        links=tuple(map(_page_link, known.get(LINKS, ()))),
    )


def link_json(link: Link, page: int) -> dict[str, Any]:
    """A link as a document's metadata holds it."""
    place = {"box": [round(edge, 6) for edge in link.box]} if link.box else {}
    return {"target": link.target, "text": link.text, "page": page, **place}


def _page_link(known: Mapping[str, Any]) -> PageLink:
    return PageLink(Link(known["target"], known.get("text", ""), _box(known)), known.get("page"))


def _passage(chunk: Chunk) -> Passage:
    return Passage(chunk.id, chunk.text, chunk.metadata.get("page"), _box(chunk.metadata))


def _box(known: Mapping[str, Any]) -> Box | None:
    return Box(*known["box"]) if known.get("box") else None
