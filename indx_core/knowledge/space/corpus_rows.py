"""A corpus's rows out of the lake, in bulk, grouped by document. Knows tables and keys, and nothing of a space.

Keys of a corpus are one range, so that row groups of other corpora are skipped by their statistics.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from indx_core.contracts import tables as t
from indx_core.contracts.page import Box, Link
from indx_core.kit.lake import Lake
from indx_core.knowledge.space.annotated import WHOLE, Annotated, Name
from indx_core.knowledge.space.declared import declared_day
from indx_core.knowledge.space.related import link_json

if TYPE_CHECKING:
    import pyarrow as pa

Row = dict[str, Any]

_SOURCES = ["key", "path", "uri", "media_type", "source_digest", "byte_count", "page_count", "title", "observation"]
_PLACE = ["page", "position", "x0", "y0", "x1", "y1", "bbox_reason"]
_REFUSALS = ["key", "path", "stage", "code", "type", "message", "remedy"]
_CHUNKS = ["chunk_id", *_PLACE, "text", "modality", "chunker", "capability_id"]


@dataclass(slots=True)
class DocumentRows:
    """What the lake says of one document.

    Attributes:
        source: Its row of ``sources``.
        properties: What its format declares.
        chunks: Its rows of ``chunks``, in order.
        pages: Pages by status.
        links: Hyperlinks, page by page, as a document's metadata holds them.
        annotated: What annotators said of it.
    """

    source: Row
    properties: dict[str, str]
    chunks: list[Row] = field(default_factory=list)
    pages: dict[str, int] = field(default_factory=dict)
    links: list[dict[str, Any]] = field(default_factory=list)
    annotated: Annotated = field(default_factory=Annotated)

    @property
    def date(self) -> str | None:
        """The day the document declares for itself, ``2024-04-01``; ``None`` where it declares no readable one."""
        return declared_day(self.properties)


def read_corpus(lake: Lake, corpus: str) -> tuple[str, dict[str, DocumentRows]]:
    """Root and documents of a corpus, by source key. One that its last complete listing no longer has is left out."""
    listed = listed_roots(lake, corpus)
    documents = {
        row["key"]: DocumentRows(row, json.loads(row.pop("observation")).get("properties", {}))
        for row in rows(lake, t.SOURCES.name, corpus, _SOURCES)
        if not listed or row["key"] in listed
    }
    for document, row in _owned(lake, t.CHUNKS, corpus, documents, _CHUNKS):
        document.chunks.append(row)
    for document in documents.values():
        document.chunks.sort(key=lambda row: row["position"])
    _add_pages(lake, corpus, documents)
    _add_annotations(lake, corpus, documents)
    return next(iter(listed.values()), corpus), documents


def listed_roots(lake: Lake, corpus: str) -> dict[str, str]:
    """The root of each document of the corpus's last complete listing by key; nothing where it was never listed."""
    return {row["key"]: row["root"] for row in rows(lake, t.LISTING.name, corpus, ["key", "root"])}


def refused_documents(lake: Lake, corpus: str) -> list[Row]:
    """Rows of ``refusals`` in the order of their keys, with ``code`` always given; those no longer listed left out."""
    listed = listed_roots(lake, corpus)
    found = (row for row in rows(lake, t.REFUSALS.name, corpus, _REFUSALS) if not listed or row["key"] in listed)
    return sorted(({**row, "code": row["code"] or row["type"]} for row in found), key=lambda row: str(row["key"]))


def rows(lake: Lake, table: str, corpus: str, columns: list[str]) -> Iterator[Row]:
    """Rows of a corpus, batch by batch, in the order of their objects."""
    for batch in arrow_rows(lake, table, corpus, columns).to_batches(max_chunksize=10_000):
        yield from batch.to_pylist()


def arrow_rows(lake: Lake, table: str, corpus: str, columns: list[str]) -> "pa.Table":
    """The same as one Arrow table."""
    import pyarrow.compute as pc

    key = pc.field("key")
    # "0" is the character after "/": the range holds the keys that begin with "<corpus>/" and no other.
    return lake.select(table, columns, (key >= f"{corpus}/") & (key < f"{corpus}0"))


def _add_pages(lake: Lake, corpus: str, documents: dict[str, DocumentRows]) -> None:
    for document, row in _owned(lake, t.PAGES, corpus, documents, ["page", "status", "links"]):
        document.pages[row["status"]] = document.pages.get(row["status"], 0) + 1
        document.links += [link_json(_link(link), row["page"]) for link in row["links"] or ()]


def _link(row: Row) -> Link:
    box = None if row["x0"] is None else Box(*(row[edge] for edge in ("x0", "y0", "x1", "y1")))
    return Link(row["target"], row["text"], box)


def _add_annotations(lake: Lake, corpus: str, documents: dict[str, DocumentRows]) -> None:
    for document, row in _owned(lake, t.LANGUAGES, corpus, documents, ["block_id", "language", "confidence"]):
        if row["block_id"] == WHOLE:
            document.annotated.say(row["language"], row["confidence"])
    for document, row in _owned(lake, t.LABELS, corpus, documents, ["block_id", "facet", "label", "rank"]):
        if row["rank"] == 0:
            document.annotated.labels.setdefault(row["block_id"], {})[row["facet"]] = row["label"]
    for document, row in _owned(lake, t.ENTITIES, corpus, documents, ["block_id", "label", "surface", "normalized"]):
        name = Name(row["label"], row["surface"], row["normalized"])
        document.annotated.names.setdefault(row["block_id"], {})[name] = None
    for document, row in _owned(lake, t.SUMMARIES, corpus, documents, ["block_id", "summary"]):
        document.annotated.summaries[row["block_id"]] = row["summary"]
    for document, row in _owned(lake, t.TAGS, corpus, documents, ["block_id", "label"]):
        document.annotated.tags.setdefault(row["block_id"], []).append(row["label"])


def _owned(
    lake: Lake, table: t.Table, corpus: str, documents: dict[str, DocumentRows], columns: list[str]
) -> Iterator[tuple[DocumentRows, Row]]:
    """Rows of the documents that are taken, each with its document."""
    for row in rows(lake, table.name, corpus, ["key", *columns]):
        document = documents.get(row["key"])
        if document is not None:
            yield document, row
