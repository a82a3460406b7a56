"""Edges beside the index of a lake: those of each corpus's published space, by source key instead of the space's ids.

Only edges that lead to another document or path: what stands before and after a passage, a hit tells anyway. Finds no
edge (``knowledge/relations``).
"""

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa  # noqa: TID253 - this module is imported when something is searched, never before

from indx_core.contracts.knowledge import Relation, RelationType
from indx_core.kit.lake import Lake
from indx_core.kit.lake.stores import StoredObject
from indx_core.knowledge.search.shelf import Shelf
from indx_core.knowledge.space.index_json import read_index
from indx_core.knowledge.space.publish import FOLDER, PUBLISHED
from indx_core.knowledge.space.space import KnowledgeSpace

MEMBER = "relations.arrow"
_SCHEMA = pa.schema(
    [
        *(pa.field(name, pa.string()) for name in ("key", "chunk_id", "type", "to")),
        pa.field("weight", pa.float64()),
        pa.field("evidence", pa.string()),
    ]
)


def published(lake: Lake) -> dict[str, StoredObject]:
    """By corpus, the object that a published space is finished with."""
    found = (item for item in lake.store.list(FOLDER) if item.name.endswith(f"/{PUBLISHED}"))
    return {item.name.split("/")[1]: item for item in found}


def stored_relations(
    lake: Lake, shelf: Shelf, spaces: Mapping[str, StoredObject], before: Mapping[str, tuple[str, str]]
) -> dict[str, tuple[str, str]]:
    """Version and piece of each corpus's edges; those of a space published anew are written."""
    found = {}
    for corpus, item in spaces.items():
        version = f"{item.size}-{item.version}"
        known = before.get(corpus)
        if known is not None and known[0] == version and shelf.path(f"{known[1]}/{MEMBER}") is not None:
            found[corpus] = known
            continue
        index = lake.store.get(f"{FOLDER}/{corpus}/index.json")
        if index is not None:
            found[corpus] = (version, _written(shelf, read_index(bytes(index))))
    return found


class Edges:
    """The edges of some corpora, read where they lie."""

    def __init__(self, shelf: Shelf, relations: Mapping[str, tuple[str, str]]) -> None:
        self._shelf, self._relations = shelf, relations

    def of(self, corpus: str, key: str, chunk_id: str) -> list[Relation]:
        """Edges that leave a passage, then those that leave its document."""
        import pyarrow.compute as pc

        path = self._shelf.path(f"{self._relations[corpus][1]}/{MEMBER}") if corpus in self._relations else None
        if path is None:
            return []
        table = pa.ipc.open_file(pa.memory_map(str(path))).read_all()
        rows = table.filter(pc.equal(table.column("key"), key)).to_pylist()
        own = [row for row in rows if row["chunk_id"] == chunk_id]
        return [_relation(row) for row in (*own, *(row for row in rows if row["chunk_id"] is None))]


def _written(shelf: Shelf, space: KnowledgeSpace) -> str:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, _SCHEMA) as writer:
        writer.write_table(pa.Table.from_pylist(list(_rows(space)), _SCHEMA))
    data = bytes(sink.getvalue())
    name = hashlib.sha256(data).hexdigest()[:32]
    shelf.keep(f"{name}/{MEMBER}", data)
    return name


def _rows(space: KnowledgeSpace) -> Iterator[dict[str, Any]]:
    paths = {document.id: document.path for document in space.documents_}
    for document in space.documents_:
        key = document.metadata.get("key")
        yield from (_row(key, None, edge, paths) for edge in document.references)
    for chunk in space.chunks:
        about = chunk.metadata
        edges = (edge for edge in chunk.relations if edge.type is not RelationType.CONTINUES)
        yield from (_row(about.get("key"), about.get("block_id"), edge, paths) for edge in edges)


def _row(key: str | None, chunk_id: str | None, edge: Relation, paths: Mapping[str, str]) -> dict[str, Any]:
    return {
        "key": key,
        "chunk_id": chunk_id,
        "type": edge.type.value,
        "to": paths.get(edge.to, edge.to),
        "weight": edge.weight,
        "evidence": edge.evidence,
    }


def _relation(row: Mapping[str, Any]) -> Relation:
    return Relation(type=row["type"], to=row["to"], weight=row["weight"], evidence=row["evidence"])
