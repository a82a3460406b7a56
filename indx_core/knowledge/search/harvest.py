"""Out of the lake's tables: what the search index holds of some partitions.

A document and its passages are described as in a knowledge space (``knowledge/space/build.py``), so that a filter means
the same in both. Stores nothing.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np  # noqa: TID253 - this module is imported when something is searched, never before
import pyarrow as pa  # noqa: TID253 - as above

from indx_core.contracts import tables as t
from indx_core.contracts.knowledge import Chunk, Document
from indx_core.kit.lake import Lake
from indx_core.kit.lake.stores import StoredObject
from indx_core.knowledge.search.content import DOCUMENTS, MARKS, PASSAGES, Content, Vectors
from indx_core.knowledge.search.lexical import LexicalIndex
from indx_core.knowledge.space.build import document_of, vectors_of
from indx_core.knowledge.space.corpus_rows import read_corpus

TABLES = (t.SOURCES, t.CHUNKS, t.VECTORS, t.LANGUAGES, t.LABELS, t.ENTITIES)
"""What the index is made of: a partition whose object in one of these changed is read again."""

_EDGES = ("x0", "y0", "x1", "y1")


class PartOfLake(Lake):
    """A lake of which only some objects are seen."""

    def __init__(self, lake: Lake, objects: Mapping[str, Sequence[StoredObject]]) -> None:
        super().__init__(lake.store)
        self._objects = objects

    def objects(self, table: str) -> Iterator[StoredObject]:
        """Those that are seen, of a table or of one embedding space's vectors."""
        name, _, space = table.partition("/")
        seen = self._objects.get(name, ())
        return iter([each for each in seen if not space or each.name.split("/")[1] == space])

    def select(self, table: str, columns: Sequence[str], where: Any = None) -> pa.Table:
        """As of any lake, but for an object that is gone: these were asked for, so that whoever chose them looks again.

        Raises:
            FileNotFoundError: One of the objects is no longer there.
        """
        return self.dataset(table).to_table(columns=list(columns), filter=where)


def harvested(lake: PartOfLake) -> Content:
    """The content of the objects that are seen, documents in the order of their keys."""
    documents: list[Document] = []
    chunks: list[Chunk] = []
    vectors: dict[str, list[tuple[Any, Any]]] = {}
    for corpus, keys in _corpora(lake).items():
        cut: list[Chunk] = []
        for key, found in sorted(read_corpus(lake, corpus)[1].items()):
            if key in keys:
                document, own = document_of(1, 0, found)
                documents.append(document)
                cut += own
        at = {(each.metadata["key"], each.metadata["block_id"]): len(chunks) + n for n, each in enumerate(cut)}
        for each in vectors_of(lake, corpus, at, {}):
            vectors.setdefault(each.space_id, []).append((each.matrix, each.rows))
        chunks += cut
    return Content(
        pa.Table.from_pylist([_document_row(each) for each in documents], DOCUMENTS),
        pa.Table.from_pylist([_passage_row(each) for each in chunks], PASSAGES),
        pa.Table.from_pylist([row for at, each in enumerate(chunks) for row in _marks(at, each)], MARKS),
        LexicalIndex.build([each.text for each in chunks]),
        {
            space: Vectors(np.concatenate([matrix for matrix, _ in parts]), np.concatenate([rows for _, rows in parts]))
            for space, parts in sorted(vectors.items())
        },
    )


def _corpora(lake: Lake) -> dict[str, Collection[str]]:
    """Keys by corpus, sorted."""
    rows = lake.select(t.SOURCES.name, ["key", "corpus"]).to_pylist()
    corpora: dict[str, set[str]] = {}
    for row in rows:
        corpora.setdefault(row["corpus"], set()).add(row["key"])
    return dict(sorted(corpora.items()))


def _document_row(document: Document) -> dict[str, Any]:
    about = document.metadata
    return {
        "key": about["key"],
        "corpus": about["key"].partition("/")[0],
        "path": document.path,
        "uri": about["uri"],
        "type": document.type,
        "media_type": about["media_type"],
        "title": about.get("title"),
        "language": about.get("language"),
        "date": about.get("date"),
        "labels": sorted(set(about.get("labels", {}).values())),
        "passages": len(document.chunk_ids),
    }


def _passage_row(chunk: Chunk) -> dict[str, Any]:
    about = chunk.metadata
    return {
        "chunk_id": about["block_id"],
        "page": about["page"],
        **dict(zip(_EDGES, about.get("box") or [None] * 4, strict=True)),
        "bbox_reason": about.get("box_reason"),
        "text": chunk.text,
    }


def _marks(at: int, chunk: Chunk) -> Iterator[dict[str, Any]]:
    for label in sorted(set(chunk.metadata.get("labels", {}).values())):
        yield {"passage": at, "kind": "label", "value": label}
    for name in sorted({name for found in chunk.metadata.get("entities", {}).values() for name in found}):
        yield {"passage": at, "kind": "entity", "value": name}
