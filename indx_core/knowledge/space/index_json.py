"""``index.json``: a space's graph as text that a person reads and a line-wise diff compares.

Keys are sorted; every document, chunk and edge stands on a line of its own. Vectors are not in it. Written in the
spelling of the concepts document (``position``, ``prev_id``, ``next_id``, ``src``/``dst``/``score``); reading takes
either, see ``contracts/knowledge.py``.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any, Never

from pydantic import ValidationError

from indx_core.contracts.base import canonical_json
from indx_core.contracts.errors import ArchiveInvalid
from indx_core.contracts.knowledge import Chunk, Document, Relation
from indx_core.knowledge.space.space import KnowledgeSpace


def index_lines(space: KnowledgeSpace) -> Iterator[str]:
    """The text of ``index.json`` in pieces, so that a large space is never one string."""
    yield "{\n"
    yield from _listed("chunks", map(chunk_json, space.chunks))
    yield from _listed("documents", map(document_json, space.documents_))
    yield f'"metadata": {canonical_json(space.metadata)},\n'
    yield from _listed("relations", (relation_json(edge, edge.from_id) for edge in space.relations))
    yield f'"root": {canonical_json(space.root)},\n'
    yield f'"stats": {canonical_json(space.stats)},\n'
    yield f'"version": {canonical_json(space.version)}\n'
    yield "}\n"


def read_index(text: str | bytes) -> KnowledgeSpace:
    """The space of an ``index.json``, without vectors.

    Raises:
        ArchiveInvalid: It is no JSON, or not of a schema that can be read here.
    """
    try:
        return KnowledgeSpace.model_validate(json.loads(text, parse_constant=_no_number))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"])) or "its top level"
        raise ArchiveInvalid(f"index.json is not a knowledge space at {where}: {first['msg']}") from None
    except (ValueError, RecursionError) as error:
        raise ArchiveInvalid(f"index.json cannot be read: {type(error).__name__}") from None


def chunk_json(chunk: Chunk) -> dict[str, Any]:
    """A chunk as ``index.json`` spells it."""
    before, after = chunk.around
    return {
        "id": chunk.id,
        "doc_id": chunk.doc_id,
        "position": chunk.index,
        "text": chunk.text,
        "prev_id": before,
        "next_id": after,
        "source": chunk.source.model_dump(),
        "metadata": chunk.metadata,
        "relations": [relation_json(edge, chunk.id) for edge in chunk.relations],
    }


def document_json(document: Document) -> dict[str, Any]:
    """A document as ``index.json`` spells it. In ``referenced_by``, too, the edge's source is the document itself."""
    fields = document.model_dump(exclude={"references", "referenced_by"})
    for name in ("references", "referenced_by"):
        fields[name] = [relation_json(edge, document.id) for edge in getattr(document, name)]
    return fields


def relation_json(edge: Relation, source: str | None) -> dict[str, Any]:
    """An edge as ``index.json`` spells it, with its source written out."""
    fields: dict[str, Any] = {"src": edge.from_id or source, "dst": edge.to, "type": edge.type.value}
    fields["score"] = edge.weight
    if edge.evidence is not None:
        fields["evidence"] = edge.evidence
    return fields


def _listed(name: str, values: Iterable[dict[str, Any]]) -> Iterator[str]:
    separator = f'"{name}": [\n'
    for value in values:
        yield separator + canonical_json(value)
        separator = ",\n"
    yield f'"{name}": [],\n' if separator.startswith('"') else "\n],\n"


def _no_number(name: str) -> Never:
    raise ValueError(f"{name} is no number in JSON")
