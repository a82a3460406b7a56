"""One search over a lake: the chunks, their scores on both sides, the filters, the best hits with their places.

The index is built from the tables on every call, which takes some seconds at 100,000 chunks. What is slow about it is
kept apart (``LexicalIndex.build``, ``vector_scores``), so that a stored index takes its place without a change here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, Any

from indx_core.contracts.errors import InvalidEmbeddingSpace, RequestInvalid
from indx_core.contracts.page import Box, BoxReason
from indx_core.contracts.tables import CHUNKS, SOURCES, vectors_table
from indx_core.kit.lake import Lake

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pyarrow as pa

    from indx_core.knowledge.search.lexical import Matched

_SOURCE_COLUMNS = ["key", "corpus", "path", "uri", "media_type"]
_CHUNK_COLUMNS = ["key", "chunk_id", "page", "text", "x0", "y0", "x1", "y1", "bbox_reason"]


@dataclass(frozen=True, slots=True)
class SearchFilters:
    """What a hit's document must be. An empty filter admits all.

    Attributes:
        corpora: Names of corpora.
        folder: Folder below the corpus's root; its subfolders count.
        media_types: Media types, exactly.
    """

    corpora: tuple[str, ...] = ()
    folder: str = ""
    media_types: tuple[str, ...] = ()

    def admits(self, corpus: str, path: str, media_type: str) -> bool:
        """Whether a document passes."""
        folder = self.folder.strip("/")
        return (
            (not self.corpora or corpus in self.corpora)
            and (not folder or path.startswith(f"{folder}/"))
            and (not self.media_types or media_type in self.media_types)
        )


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that answers a query, and where it stands.

    Attributes:
        key: Source key of its document.
        path: Path below the corpus's root.
        uri: Address a loader resolves.
        page: 1-based.
        chunk_id: Block id inside the document.
        box: Place on the page, 0-1, origin top left; ``None`` with a reason.
        box_reason: Why there is no box.
        score: 0-1, the fused score; comparable within one answer only.
        lexical: BM25; ``None`` when the query had no text.
        vector: Cosine, -1 to 1; ``None`` when the query had no vector or the chunk has none.
        text: The passage.
    """

    key: str
    path: str
    uri: str
    page: int
    chunk_id: str
    box: Box | None
    box_reason: BoxReason | None
    score: float
    lexical: float | None
    vector: float | None
    text: str


def search(
    lake: Lake,
    *,
    text: str | None = None,
    vector: "npt.NDArray[np.float32] | Sequence[float] | None" = None,
    space: str | None = None,
    k: int = 10,
    filters: SearchFilters | None = None,
    lexical_weight: float | None = None,
) -> list[Hit]:
    """The best chunks of a lake for a query, best first. The same lake and query give the same answer.

    Args:
        lake: Where the tables are.
        text: The query's words; matched whole (or by pairs of characters, in scripts without spaces), else as a part.
        vector: The query's vector in ``space``.
        space: Embedding space to compare in; required with a vector.
        k: How many hits at most. Chunks that score 0 are none.
        filters: What the documents must be.
        lexical_weight: Share of the lexical side, 0-1, when both are given; by default what suits the space.

    Raises:
        RequestInvalid: Neither text nor vector is given, or a vector without its space.
        InvalidEmbeddingSpace: The lake has no vectors of the space, or of another length.
    """
    if text is None and vector is None:
        raise RequestInvalid("a search needs a text or a vector", param="text")
    if (vector is None) != (space is None):
        raise RequestInvalid("a query vector and its embedding space go together", param="space")
    import numpy as np

    from indx_core.knowledge.search import fusion

    chunks = lake.dataset(CHUNKS.name).to_table(columns=_CHUNK_COLUMNS)
    lexical = None if text is None else _lexical(chunks, text)
    cosine = None if vector is None or space is None else _cosine(lake, chunks, space, np.asarray(vector, np.float32))
    weight = fusion.lexical_weight_of(space) if lexical_weight is None else lexical_weight
    scores = fusion.fuse(lexical, cosine, weight)
    documents = _documents(lake, filters or SearchFilters())
    admitted = np.fromiter((key in documents for key in chunks.column("key").to_pylist()), bool, chunks.num_rows)
    scores[~admitted] = 0.0
    best = np.argsort(-scores, kind="stable")[:k]
    return [_hit(chunks, int(at), documents, scores, lexical, cosine) for at in best if scores[at] > 0]


def _lexical(chunks: "pa.Table", query: str) -> "Matched":
    from indx_core.knowledge.search.lexical import LexicalIndex, match

    texts = chunks.column("text").to_pylist()
    return match(LexicalIndex.build(texts), texts, query)


def _cosine(lake: Lake, chunks: "pa.Table", space: str, query: "npt.NDArray[np.float32]") -> "npt.NDArray[np.float64]":
    """Cosine of each chunk with the query; NaN for a chunk without a vector in the space."""
    import numpy as np

    from indx_core.knowledge.search.vectors import cosine

    rows = lake.dataset(vectors_table(space)).to_table(columns=["key", "chunk_id", "vector"])
    if not rows.num_rows:
        raise InvalidEmbeddingSpace(f"the lake holds no vectors of embedding space {space!r}", param="space")
    values = rows.column("vector").combine_chunks()
    if len(values.values) != len(query) * len(values):
        raise InvalidEmbeddingSpace(
            f"the query has {len(query)} dimensions, space {space!r} has others", param="vector"
        )
    matrix = values.values.to_numpy().reshape(len(values), len(query))
    row_of = {pair: row for row, pair in enumerate(_pairs(rows))}
    at = np.fromiter((row_of.get(pair, -1) for pair in _pairs(chunks)), np.int64, chunks.num_rows)
    return np.where(at < 0, np.nan, cosine(matrix, query)[at])


def _pairs(table: "pa.Table") -> "zip[tuple[str, str]]":
    return zip(table.column("key").to_pylist(), table.column("chunk_id").to_pylist(), strict=True)


def _documents(lake: Lake, filters: SearchFilters) -> dict[str, tuple[str, str]]:
    """Path and URI of the documents that pass, by key."""
    rows = lake.dataset(SOURCES.name).to_table(columns=_SOURCE_COLUMNS).to_pylist()
    return {
        row["key"]: (row["path"], row["uri"])
        for row in rows
        if filters.admits(row["corpus"], row["path"], row["media_type"])
    }


def _hit(
    chunks: "pa.Table",
    at: int,
    documents: dict[str, tuple[str, str]],
    scores: Any,
    lexical: Any,
    cosine: Any,
) -> Hit:
    row = chunks.slice(at, 1).to_pylist()[0]
    path, uri = documents[row["key"]]
    reason = row["bbox_reason"]
    return Hit(
        key=row["key"],
        path=path,
        uri=uri,
        page=row["page"],
        chunk_id=row["chunk_id"],
        box=None if reason else Box(row["x0"], row["y0"], row["x1"], row["y1"]),
        box_reason=BoxReason(reason) if reason else None,
        score=float(scores[at]),
        lexical=None if lexical is None else float(lexical.scores[at]),
        vector=None if cosine is None or isnan(cosine[at]) else float(cosine[at]),
        text=row["text"],
    )
