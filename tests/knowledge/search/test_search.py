"""A search over a lake: what is found, where it stands, and what is left out."""

from pathlib import Path

import pytest
from kit.lake.table_rows import chunk
from knowledge.corpora import ingested
from knowledge.search.lakes import document, lake_at

from indx_core.contracts.errors import InvalidEmbeddingSpace, RequestInvalid
from indx_core.contracts.page import Box, BoxReason
from indx_core.engines.embed_hashed.embedder import HashedEmbedder
from indx_core.kit.lake import Lake
from indx_core.knowledge.search import Hit, SearchFilters, hit_of_space, search
from indx_core.knowledge.space.build import build_space
from indx_core.knowledge.space.manifest import corpus_manifest
from indx_core.knowledge.space.publish import publish


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    lake = lake_at(tmp_path)
    box = {"x0": 0.125, "y0": 0.25, "x1": 0.5, "y1": 0.75, "bbox_reason": None}
    document(
        lake,
        "filings/2026/決算.pdf",
        chunk("filings/2026/決算.pdf", 0, "当期の売上高は増加した", **box),
        chunk("filings/2026/決算.pdf", 1, "請求書の写しを添付する"),
        matrix=[[1.0, 0.0], [0.0, 1.0]],
        media_type="application/pdf",
    )
    document(
        lake,
        "mail/note.txt",
        chunk("mail/note.txt", 0, "Revenue grew; the invoice (請求書) is attached, the parser works"),
        chunk("mail/note.txt", 1, "", modality="image", image=b"\x89PNG"),
        matrix=[[0.0, -1.0]],
    )
    return lake


def test_a_hit_says_where_it_stands(lake: Lake) -> None:
    (hit,) = search(lake, text="売上")
    assert (hit.key, hit.path, hit.uri) == ("filings/2026/決算.pdf", "2026/決算.pdf", "file:///data/2026/決算.pdf")
    assert (hit.page, hit.chunk_id, hit.text) == (1, "page:1/chunk:1", "当期の売上高は増加した")
    assert hit.box == Box(0.125, 0.25, 0.5, 0.75)
    assert hit.box_reason is None
    assert hit.score == 1.0
    assert hit.lexical is not None
    assert hit.lexical > 0
    assert hit.vector is None


def test_a_hit_without_a_box_says_why(lake: Lake) -> None:
    (hit,) = search(lake, text="invoice")
    assert hit.box is None
    assert hit.box_reason is BoxReason.NO_GEOMETRY


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("請求書", {"page:1/chunk:2", "page:1/chunk:1"}),
        ("請求", {"page:1/chunk:2", "page:1/chunk:1"}),
        ("ＲＥＶＥＮＵＥ", {"page:1/chunk:1"}),
        ("増", {"page:1/chunk:1"}),
        ("pars", {"page:1/chunk:1"}),
        ("鯨", set()),
        ("", set()),
    ],
)
def test_words_pairs_and_parts_are_found(lake: Lake, query: str, found: set[str]) -> None:
    assert {hit.chunk_id for hit in search(lake, text=query)} == found


def test_a_vector_finds_what_no_word_does(lake: Lake) -> None:
    hits = search(lake, vector=[2.0, 0.0], space="s")
    assert [(hit.key, hit.chunk_id, hit.vector) for hit in hits] == [("filings/2026/決算.pdf", "page:1/chunk:1", 1.0)]
    assert hits[0].lexical is None


def test_both_sides_are_weighed(lake: Lake) -> None:
    """Words decide for one chunk, the vector for the other; the weight decides between them."""
    ask = {"text": "売上", "vector": [0.0, 1.0], "space": "s"}
    assert search(lake, **ask, lexical_weight=0.9)[0].chunk_id == "page:1/chunk:1"
    assert search(lake, **ask, lexical_weight=0.1)[0].chunk_id == "page:1/chunk:2"
    assert [hit.vector for hit in search(lake, **ask, lexical_weight=0.9)] == [0.0, 1.0]


@pytest.mark.parametrize(
    ("filters", "keys"),
    [
        (SearchFilters(), ["filings/2026/決算.pdf", "mail/note.txt"]),
        (SearchFilters(corpora=("mail",)), ["mail/note.txt"]),
        (SearchFilters(folder="2026/"), ["filings/2026/決算.pdf"]),
        (SearchFilters(folder="20"), []),
        (SearchFilters(media_types=("application/pdf",)), ["filings/2026/決算.pdf"]),
        (SearchFilters(corpora=("mail",), media_types=("application/pdf",)), []),
        (SearchFilters(types=("pdf", "contract")), ["filings/2026/決算.pdf"]),
        (SearchFilters(documents=("2026/決算.pdf",)), ["filings/2026/決算.pdf"]),
        (SearchFilters(documents=("mail/note.txt", "x")), ["mail/note.txt"]),
        (SearchFilters(languages=("ja",)), []),
    ],
    ids=str,
)
def test_filters_admit_documents(lake: Lake, filters: SearchFilters, keys: list[str]) -> None:
    assert sorted(hit.key for hit in search(lake, text="請求書", filters=filters)) == keys


SAME = {
    "everything": SearchFilters(),
    "folder": SearchFilters(folder="規程"),
    "type": SearchFilters(types=("mail",)),
    "media type": SearchFilters(media_types=("text/plain",)),
    "date": SearchFilters(since="2024", until="2024-04"),
    "label": SearchFilters(labels=("policy", "email", "other")),
    "entity": SearchFilters(entities=("九十日",)),
    "corpus": SearchFilters(corpora=("corner",)),
    "no such corpus": SearchFilters(corpora=("other",)),
    "document": SearchFilters(documents=("規程/保存.txt", "corner/mail/question.eml")),
    "no such language": SearchFilters(languages=("xx",)),
}


@pytest.fixture(scope="module")
def corner(tmp_path_factory: pytest.TempPathFactory):
    """A corpus through the real chain, annotated, and its published space."""
    corner = ingested(tmp_path_factory.mktemp("search"))
    space = build_space(corner.lake, "corner")
    publish(space, corpus_manifest(corner.lake, "corner", space), corner.lake)
    return corner.lake, space


@pytest.mark.parametrize("filters", SAME.values(), ids=SAME)
def test_the_lake_and_its_space_answer_alike(corner, filters: SearchFilters) -> None:
    """One vocabulary, one ranking: passages, scores, neighbours and document are the same on both sides."""
    lake, space = corner
    vector = HashedEmbedder().embed_texts(["保存期間 retention"], "query").vectors[0]
    ask = {"k": 50, "filters": filters, "vector": vector}
    of_lake = search(lake, text="保存期間 retention", space="default-text", **ask)
    of_space = space.search("保存期間 retention", embedding_space="default-text", **ask)
    assert sorted(map(known, of_lake)) == sorted(known(hit_of_space(hit, "corner")) for hit in of_space)
    assert bool(of_lake) == (not filters.languages and filters.corpora != ("other",) and bool(of_space))


def known(hit: Hit) -> tuple:
    near = tuple(sorted((each.page, each.text) for each in hit.neighbors))
    return hit.key, hit.chunk_id, hit.score, hit.page, str(hit.box_reason), hit.text, str(hit.document), near


def test_a_hit_brings_the_relations_of_its_published_space(corner) -> None:
    lake, _ = corner
    (hit,) = search(lake, text="retention", filters=SearchFilters(documents=("readme.txt",)))
    assert [(edge.type, edge.to) for edge in hit.relations] == [
        ("references", "規程/copy.txt"),
        ("references", "規程/copy.txt"),
    ]


def test_a_hit_brings_its_neighbours_and_its_document(lake: Lake) -> None:
    (hit,) = search(lake, text="売上")
    assert [(each.chunk_id, each.text) for each in hit.neighbors] == [("page:1/chunk:2", "請求書の写しを添付する")]
    assert (hit.document.corpus, hit.document.type, hit.document.chunks) == ("filings", "pdf", 2)
    assert hit.relations == []


def test_a_hit_names_the_components_that_found_it(lake: Lake) -> None:
    first, second = search(lake, text="売上", vector=[0.0, 1.0], space="s", lexical_weight=0.5)
    assert first.found_by == {"lexical": 0.5}
    assert second.found_by == {"s": 0.5}


def test_k_bounds_the_answer_and_ties_stand_in_the_order_of_documents(tmp_path: Path) -> None:
    lake = lake_at(tmp_path)
    for name in "cab":
        document(lake, f"c/{name}", chunk(f"c/{name}", text="同じ"))
    assert [hit.key for hit in search(lake, text="同じ", k=2)] == ["c/a", "c/b"]


def test_an_empty_lake_finds_nothing(tmp_path: Path) -> None:
    assert search(lake_at(tmp_path), text="a") == []


@pytest.mark.parametrize(
    ("ask", "error"),
    [
        ({}, RequestInvalid),
        ({"vector": [1.0, 0.0]}, RequestInvalid),
        ({"text": "a", "space": "s"}, RequestInvalid),
        ({"vector": [1.0, 0.0], "space": "unknown"}, InvalidEmbeddingSpace),
        ({"vector": [1.0, 0.0, 0.0], "space": "s"}, InvalidEmbeddingSpace),
    ],
)
def test_a_question_that_makes_no_sense_is_refused(lake: Lake, ask: dict, error: type[Exception]) -> None:
    with pytest.raises(error):
        search(lake, **ask)
