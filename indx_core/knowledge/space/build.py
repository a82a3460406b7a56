"""The space of a corpus out of the lake: documents and chunks with their annotations, edges and vectors.

Reads tables and no source file: what earlier stages recorded of an unchanged document is all that is needed of it.
Writes nothing.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from indx_core.contracts import tables as t
from indx_core.contracts.errors import RequestInvalid
from indx_core.contracts.knowledge import Chunk, Document, Relation, Source, StageError
from indx_core.kit.lake import Lake
from indx_core.knowledge.relations import RelatedDocument, relate
from indx_core.knowledge.space import ids
from indx_core.knowledge.space.about import about
from indx_core.knowledge.space.annotated import Annotated, given
from indx_core.knowledge.space.corpus_rows import DocumentRows, Row, arrow_rows, read_corpus, refused_documents
from indx_core.knowledge.space.references import referring
from indx_core.knowledge.space.related import LINKS, related
from indx_core.knowledge.space.space import KnowledgeSpace
from indx_core.knowledge.space.vectors import SpaceVectors


def build_space(
    lake: Lake,
    corpus: str,
    *,
    config: Mapping[str, Any] | None = None,
    encoders: Mapping[str, Mapping[str, Any]] | None = None,
) -> KnowledgeSpace:
    """Build the space of a corpus. The same rows give the same space.

    Args:
        lake: Where the corpus was ingested to.
        corpus: Its name.
        config: How it was ingested, JSON-ready; kept in the space's metadata.
        encoders: Public descriptions of embedding spaces by id, JSON-ready; kept beside their vectors.

    Raises:
        RequestInvalid: The lake holds nothing of such a corpus.
    """
    root, found = read_corpus(lake, corpus)
    errors = list(_errors(lake, corpus))
    if not found and not errors:
        raise RequestInvalid(f"the lake holds nothing of a corpus {corpus!r}", param="corpus", remedy="ingest it first")
    order = sorted(found, key=lambda key: (ids.lineage(found[key].source["path"]), found[key].source["path"], key))
    documents: list[Document] = []
    chunks: list[Chunk] = []
    to_relate: list[RelatedDocument] = []
    for number, key in enumerate(order, start=1):
        document, cut = document_of(number, len(chunks), found[key])
        documents.append(document)
        chunks += cut
        to_relate.append(related(document, cut, found[key].properties))
    edges = relate(to_relate)
    space = KnowledgeSpace(
        root=root,
        documents=referring(documents, edges.graph),
        chunks=[_with_edges(chunk, edges.chunks.get(chunk.id)) for chunk in chunks],
        relations=edges.graph,
        metadata=about(corpus=corpus, config=config or {}, errors=errors),
    )
    positions = {(chunk.metadata["key"], chunk.metadata["block_id"]): at for at, chunk in enumerate(chunks)}
    return space.with_vectors(list(vectors_of(lake, corpus, positions, encoders or {})))


def document_of(number: int, before: int, found: DocumentRows) -> tuple[Document, list[Chunk]]:
    """A document and its chunks, the ``number``-th of a space, in which ``before`` chunks come before them."""
    source, annotated = found.source, found.annotated
    path = source["path"]
    chunk_ids = [ids.chunk_id(before + index + 1) for index in range(len(found.chunks))]
    document = Document(
        id=ids.document_id(number),
        path=path,
        folder=ids.folder(path),
        lineage=ids.lineage(path),
        chunk_ids=chunk_ids,
        metadata=_document_metadata(found),
        **annotated.document(source["media_type"]),
    )
    place = Source(path=path, folder=document.folder, type=document.type)
    chunks = [
        Chunk(
            id=chunk_ids[index],
            text=row["text"],
            source=place,
            doc_id=document.id,
            index=index,
            metadata=_chunk_metadata(row, annotated),
            neighbors=[*chunk_ids[max(0, index - 1) : index], *chunk_ids[index + 1 : index + 2]],
        )
        for index, row in enumerate(found.chunks)
    ]
    return document, chunks


def _document_metadata(found: DocumentRows) -> dict[str, Any]:
    names = ("key", "uri", "media_type", "source_digest", "byte_count", "page_count", "title")
    return given(
        **{name: found.source[name] for name in names},
        pages=dict(sorted(found.pages.items())),
        author=found.properties.get("author"),
        date=found.date,
        **{LINKS: found.links},
        **found.annotated.document_metadata(),
    )


def _chunk_metadata(row: Row, annotated: Annotated) -> dict[str, Any]:
    reason = row["bbox_reason"]
    return given(
        key=row["key"],
        block_id=row["chunk_id"],
        page=row["page"],
        box=None if reason else [round(row[edge], 6) for edge in ("x0", "y0", "x1", "y1")],
        box_reason=reason,
        modality=row["modality"],
        chunker=row["chunker"],
        capability_id=row["capability_id"],
        **annotated.chunk_metadata(row["chunk_id"], row["page"], row["text"]),
    )


def _with_edges(chunk: Chunk, edges: list[Relation] | None) -> Chunk:
    return chunk if not edges else chunk.model_copy(update={"relations": edges})


def vectors_of(
    lake: Lake,
    corpus: str,
    positions: Mapping[tuple[str, str], int],
    encoders: Mapping[str, Mapping[str, Any]],
) -> Iterable[SpaceVectors]:
    """The matrix of every embedding space that has a vector of these chunks."""
    import numpy as np

    for space_id in sorted({item.name.split("/")[1] for item in lake.objects(t.VECTORS.name)}):
        columns = ["key", "chunk_id", "embedder_id", "vector"]
        found = arrow_rows(lake, t.vectors_table(space_id), corpus, columns)
        pairs = zip(found.column("key").to_pylist(), found.column("chunk_id").to_pylist(), strict=True)
        at = np.fromiter((positions.get(pair, -1) for pair in pairs), np.int32, found.num_rows)
        if not (at >= 0).any():
            continue
        flat: np.ndarray[Any, np.dtype[np.float32]] = found.column("vector").combine_chunks().flatten().to_numpy()
        order = np.argsort(at, kind="stable")[int((at < 0).sum()) :]
        matrix = flat.reshape(found.num_rows, -1)[order]
        encoder = {
            **encoders.get(space_id, {}),
            "id": space_id,
            "dimension": int(matrix.shape[1]),
            "embedder_ids": sorted(set(found.column("embedder_id").to_pylist())),
        }
        yield SpaceVectors(space_id, matrix, at[order], encoder)


def _errors(lake: Lake, corpus: str) -> Iterable[StageError]:
    for row in refused_documents(lake, corpus):
        message = f"{row['message']}; {row['remedy']}" if row["remedy"] else row["message"]
        yield StageError(stage=row["stage"], path=row["path"], code=row["code"], message=message)
