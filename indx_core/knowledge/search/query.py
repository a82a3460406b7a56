"""One search over a lake: the index brought up to date, the filters, the best hits with what stands around them.

Scores are ``rank.py``'s; the index is ``lake_index.py``'s.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from indx_core.contracts.knowledge import Relation, SearchHit
from indx_core.contracts.page import Box, BoxReason
from indx_core.kit.lake import Lake
from indx_core.knowledge.search.filters import SearchFilters
from indx_core.knowledge.search.rank import Query, Ranked, rank

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from indx_core.knowledge.search.lake_index import LakeIndex


@dataclass(frozen=True, slots=True)
class Neighbor:
    """A passage beside a hit, in the same document.

    Attributes:
        chunk_id: Block id inside the document.
        page: 1-based.
        text: The passage.
    """

    chunk_id: str
    page: int
    text: str


@dataclass(frozen=True, slots=True)
class HitDocument:
    """What is known of a hit's document; ``None`` where the source does not say and no annotator did."""

    corpus: str
    type: str
    media_type: str
    title: str | None
    language: str | None
    date: str | None
    labels: tuple[str, ...]
    chunks: int


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that answers a query, where it stands, and what stands around it.

    Attributes:
        key: Source key of its document.
        path: Path below the corpus's root.
        uri: Address a loader resolves.
        page: 1-based.
        chunk_id: Block id inside the document.
        box: Place on the page, 0-1, origin top left; ``None`` with a reason.
        box_reason: Why there is no box.
        score: 0-1, the fused score; comparable within one answer only.
        found_by: What each component gave to the score, the largest part first: ``lexical``, or an embedding space.
        lexical: BM25; ``None`` when the query had no text.
        vector: Cosine, -1 to 1; ``None`` when the query had no vector or it was not compared with the chunk's.
        text: The passage.
        neighbors: The passages before and after it.
        document: Its document.
        relations: Edges that leave the chunk, then those that leave its document, as of the corpus's last published
            space; none where none was published.
    """

    key: str
    path: str
    uri: str
    page: int
    chunk_id: str
    box: Box | None
    box_reason: BoxReason | None
    score: float
    found_by: dict[str, float]
    lexical: float | None
    vector: float | None
    text: str
    document: HitDocument
    neighbors: tuple[Neighbor, ...] = ()
    relations: list[Relation] = field(default_factory=list)


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
        lake: Where the tables are. Its index is brought up to date first, which after a change reads what changed.
        text: The query's words; matched whole (or by pairs of characters, in scripts without spaces), else as a part.
        vector: The query's vector in ``space``.
        space: Embedding space to compare in; required with a vector.
        k: How many hits at most. Chunks that score 0 are none.
        filters: What the hits must be.
        lexical_weight: Share of the words, 0-1, when both are given; by default .95.

    Raises:
        RequestInvalid: Neither text nor vector is given, or a vector without its space.
        InvalidEmbeddingSpace: The lake has no vectors of the space, or of another length.
        LakeUnavailable: The lake cannot be read.
    """
    import numpy as np

    from indx_core.knowledge.search.settings import SearchSettings

    settings = SearchSettings.load()
    asked = None if vector is None else np.asarray(vector, np.float32)
    query = Query(text, asked, space, lexical_weight, settings.search_exact_vectors)
    from indx_core.knowledge.search.lake_index import LakeIndex

    index = LakeIndex.open(lake, settings)
    admitted = index.admitted(filters or SearchFilters())
    return [_hit(index, each) for each in rank(index, query, admitted, k)]


def _hit(index: "LakeIndex", found: Ranked) -> Hit:
    passage, document = index.passage(found.at), index.document(found.at)
    reason = passage["bbox_reason"]
    beside = [at for at in (found.at - 1, found.at + 1) if document["first"] <= at < document["last"]]
    return Hit(
        key=document["key"],
        path=document["path"],
        uri=document["uri"],
        page=passage["page"],
        chunk_id=passage["chunk_id"],
        box=None if reason else Box(*(round(passage[edge], 6) for edge in ("x0", "y0", "x1", "y1"))),
        box_reason=BoxReason(reason) if reason else None,
        score=found.score,
        found_by=found.found_by,
        lexical=found.lexical,
        vector=found.vector,
        text=passage["text"],
        document=HitDocument(
            corpus=document["corpus"],
            type=document["type"],
            media_type=document["media_type"],
            title=document["title"],
            language=document["language"],
            date=document["date"],
            labels=tuple(document["labels"]),
            chunks=document["passages"],
        ),
        neighbors=tuple(_neighbor(index, at) for at in beside),
        relations=index.edges.of(document["corpus"], document["key"], passage["chunk_id"]),
    )


def _neighbor(index: "LakeIndex", at: int) -> Neighbor:
    passage = index.passage(at)
    return Neighbor(passage["chunk_id"], passage["page"], passage["text"])


def hit_of_space(found: SearchHit, corpus: str) -> Hit:
    """A hit of a knowledge space in the form of one of the lake.

    Args:
        found: The hit.
        corpus: What the space is of: its corpus, or the root that was walked.
    """
    chunk, document = found.chunk, found.document
    assert document is not None
    about, place = document.metadata, chunk.metadata
    return Hit(
        key=about.get("key", document.path),
        path=document.path,
        uri=about.get("uri", document.path),
        page=place.get("page", 1),
        chunk_id=place.get("block_id", chunk.id),
        box=Box(*place["box"]) if place.get("box") else None,
        box_reason=BoxReason(place["box_reason"]) if place.get("box_reason") else None,
        score=found.score,
        found_by=found.found_by,
        lexical=found.lexical,
        vector=found.vector,
        text=chunk.text,
        document=HitDocument(
            corpus=corpus,
            type=document.type,
            media_type=about.get("media_type", ""),
            title=about.get("title"),
            language=about.get("language"),
            date=about.get("date"),
            labels=tuple(sorted(set(about.get("labels", {}).values()))),
            chunks=len(document.chunk_ids),
        ),
        neighbors=tuple(
            Neighbor(each.metadata.get("block_id", each.id), each.metadata.get("page", 1), each.text)
            for each in found.neighbors
        ),
        relations=found.relations,
    )
