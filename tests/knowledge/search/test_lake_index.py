"""The index that is kept of a lake: it answers as a search without one, is never stale, and costs what changed."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kit.lake.table_rows import chunk
from knowledge.search.lakes import document, lake_at

from indx_core.kit.lake import Lake, encode_table, rows_table
from indx_core.kit.settings import overriding
from indx_core.knowledge.search import SearchFilters, harvest, pieces, search
from indx_core.knowledge.search.fusion import fuse
from indx_core.knowledge.search.lexical import LexicalIndex
from indx_core.knowledge.search.vectors import cosine
from indx_core.knowledge.search.words import Words, leading


def found(lake: Lake, text: str, **options) -> list[str]:
    return [hit.key for hit in search(lake, text=text, **options)]


def objects(lake: Lake) -> dict[str, bytes]:
    return {item.name: bytes(lake.store.get(item.name)) for item in lake.store.list("search")}


def segments(lake: Lake) -> set[str]:
    return {name.split("/")[1] for name in objects(lake) if name.count("/") == 2}


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two passages a piece on average."""
    monkeypatch.setattr(pieces, "PASSAGES", 2)


@pytest.fixture
def harvests(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many objects of ``sources`` were read, harvest by harvest."""
    from indx_core.knowledge.search import refresh

    read = []

    def counted(part):
        read.append(len(list(part.objects("sources"))))
        return harvest.harvested(part)

    monkeypatch.setattr(refresh, "harvested", counted)
    return read


WORDS = st.lists(st.sampled_from(["鉄道", "鉄橋", "rail", "rails", "iron", "海", "か"]), max_size=5).map(" ".join)


@given(st.lists(st.lists(WORDS, max_size=4), max_size=6), WORDS, st.integers(0, 5), st.integers(1, 6))
@settings(max_examples=12, deadline=None)
def test_the_index_answers_as_brute_force_does(tmp_path_factory, texts, query, folder, k) -> None:
    """Texts, vectors and filters at random; brute force is one index and one matrix over all passages in memory."""
    lake = lake_at(tmp_path_factory.mktemp("lake"))
    random = np.random.default_rng(len(texts))
    rows = []
    for number, passages in enumerate(texts):
        matrix = random.normal(size=(len(passages), 3)).astype(np.float32)
        path = f"{number % 3}/{number}.txt"
        document(lake, f"c/{path}", *(chunk(f"c/{path}", at, text) for at, text in enumerate(passages)), matrix=matrix)
        rows += [
            (f"c/{path}", at, text, vector) for at, (text, vector) in enumerate(zip(passages, matrix, strict=True))
        ]
    if not rows:
        return
    rows.sort(key=lambda row: row[0])
    vector = np.array([1.0, 0.5, -0.5], np.float32)
    admitted = np.array([folder > 2 or row[0].startswith(f"c/{folder}/") for row in rows])
    held = [row[2] for row in rows]
    matched = Words([LexicalIndex.build(held)]).match(query, admitted, lambda at: [held[n] for n in at], lambda: held)
    scores = fuse(matched, cosine(np.array([row[3] for row in rows]), vector)).scores
    expected = [rows[at] for at in leading(np.where(admitted, scores, 0.0), k)]
    before, pieces.PASSAGES = pieces.PASSAGES, 3
    try:
        filters = SearchFilters(folder="" if folder > 2 else str(folder))
        hits = search(lake, text=query, vector=vector, space="s", k=k, filters=filters)
    finally:
        pieces.PASSAGES = before
    assert [(hit.key, hit.chunk_id) for hit in hits] == [(row[0], f"page:1/chunk:{row[1] + 1}") for row in expected]


def test_a_second_search_reads_no_table(tmp_path: Path, harvests: list[int]) -> None:
    lake = lake_at(tmp_path)
    document(lake, "c/a", chunk("c/a", text="鉄道"))
    assert found(lake, "鉄道") == found(lake, "鉄道") == ["c/a"]
    assert harvests == [1]


@pytest.mark.usefixtures("small_pieces")
def test_a_changed_document_is_noticed_and_the_others_are_not_read(tmp_path: Path, harvests: list[int]) -> None:
    lake = lake_at(tmp_path)
    for name in "abcdefgh":
        document(lake, f"c/{name}", chunk(f"c/{name}", text=f"鉄道 {name}"))
    assert len(found(lake, "鉄道")) == 8
    before = segments(lake)
    document(lake, "c/d", chunk("c/d", text="海路 d"))  # as long as it was
    assert found(lake, "海路") == ["c/d"]
    assert len(found(lake, "鉄道")) == 7
    assert harvests == [8, 1]
    assert len(segments(lake) - before) == 1
    assert len(before - segments(lake)) == 1, "the piece that is no longer used is removed"


def test_what_is_new_and_what_is_gone_is_noticed(tmp_path: Path) -> None:
    lake = lake_at(tmp_path)
    document(lake, "c/a", chunk("c/a", text="鉄道"))
    document(lake, "c/b", chunk("c/b", text="鉄道"))
    assert found(lake, "鉄道") == ["c/a", "c/b"]
    document(lake, "c/c", chunk("c/c", text="鉄道"))
    for table in ("sources", "chunks"):
        lake.delete(table, "c/a")
    assert found(lake, "鉄道") == ["c/b", "c/c"]


def test_a_document_that_its_corpus_no_longer_has_is_not_found(tmp_path: Path) -> None:
    """Its tables may still be there; a space leaves it out, too."""
    lake = lake_at(tmp_path)
    document(lake, "c/a", chunk("c/a", text="鉄道"))
    document(lake, "c/b", chunk("c/b", text="鉄道"))
    listed = {"corpus": "c", "root": "/data", "uri": "", "byte_count": 1, "source_version": "1", "modified": 0.0}
    lake.write("listing", "c", encode_table(rows_table("listing", [{"key": "c/b", "path": "b", **listed}])))
    assert found(lake, "鉄道") == ["c/b"]


def test_vectors_that_come_later_are_noticed(tmp_path: Path) -> None:
    lake = lake_at(tmp_path)
    document(lake, "c/a", chunk("c/a", text="鉄道"))
    assert found(lake, "鉄道") == ["c/a"]
    document(lake, "c/a", chunk("c/a", text="鉄道"), matrix=[[1.0, 0.0]])
    (hit,) = search(lake, vector=[1.0, 0.0], space="s")
    assert hit.found_by == {"s": 1.0}


@pytest.mark.usefixtures("small_pieces")
def test_the_pieces_depend_on_the_lake_and_not_on_its_history(tmp_path: Path) -> None:
    """Whatever was added or replaced in between: the same tables give the same bytes."""
    at_once, in_steps = lake_at(tmp_path / "one"), lake_at(tmp_path / "other")
    names = "abcdefgh"
    for name in names:
        document(at_once, f"c/{name}", chunk(f"c/{name}", text=f"鉄道 {name}"), matrix=[[1.0, 2.0]])
    for name in reversed(names):
        document(in_steps, f"c/{name}", chunk(f"c/{name}", text="海"), matrix=[[3.0, 4.0]])
        search(in_steps, text="海")
        document(in_steps, f"c/{name}", chunk(f"c/{name}", text=f"鉄道 {name}"), matrix=[[1.0, 2.0]])
    found(at_once, "鉄道")
    found(in_steps, "鉄道")
    stored = [
        {name: data for name, data in objects(lake).items() if name.count("/") == 2} for lake in (at_once, in_steps)
    ]
    assert stored[0] == stored[1]
    assert len(segments(at_once)) > 1


def test_a_shard_is_indexed_document_by_document(tmp_path: Path) -> None:
    lake = lake_at(tmp_path)
    document(lake, "c/b", chunk("c/b", text="鉄道"), chunk("c/a", text="鉄道 rail"), partition="shard-00001")
    assert sorted(found(lake, "鉄道")) == ["c/a", "c/b"]
    assert found(lake, "rail") == ["c/a"]


def test_a_lake_that_takes_no_index_is_searched_all_the_same(tmp_path: Path, monkeypatch, harvests: list[int]) -> None:
    from indx_core.contracts.errors import LakeUnavailable

    lake = lake_at(tmp_path / "lake")
    document(lake, "c/a", chunk("c/a", text="鉄道"))

    def refuse(name: str, data: bytes) -> None:
        raise LakeUnavailable("read only")

    monkeypatch.setattr(lake.store, "put", refuse)
    with overriding({"INDX_SEARCH_CACHE": str(tmp_path / "cache")}):
        assert found(lake, "鉄道") == found(lake, "鉄道") == ["c/a"]
    assert objects(lake) == {}
    assert harvests == [1], "the second search finds the index in the cache"


@pytest.mark.parametrize("damage", [b"", b"{}", b'{"format":"0"}', b'{"format":"1.2","stamp":1}'])
def test_a_state_that_cannot_be_read_is_built_anew(tmp_path: Path, damage: bytes) -> None:
    lake = lake_at(tmp_path)
    document(lake, "c/a", chunk("c/a", text="鉄道"))
    assert found(lake, "鉄道") == ["c/a"]
    lake.store.put("search/state.json", damage)
    assert found(lake, "鉄道") == ["c/a"]


def test_a_piece_that_somebody_removed_is_built_anew(tmp_path: Path) -> None:
    lake = lake_at(tmp_path)
    document(lake, "c/a", chunk("c/a", text="鉄道"))
    found(lake, "鉄道")
    for name in objects(lake):
        if name.count("/") == 2:
            (tmp_path / name).unlink()
    assert found(lake, "鉄道") == ["c/a"]


def test_beyond_the_limit_the_nearest_are_looked_up(tmp_path: Path) -> None:
    """With as many candidates as vectors the approximate index finds what exact comparison does."""
    pytest.importorskip("usearch")
    lake = lake_at(tmp_path)
    matrix = np.random.default_rng(0).normal(size=(30, 8)).astype(np.float32)
    document(lake, "c/a", *(chunk("c/a", at, f"text {at}") for at in range(30)), matrix=matrix)
    exact = search(lake, vector=matrix[7], space="s", k=5)
    with overriding({"INDX_SEARCH_EXACT_VECTORS": "10"}):
        near = search(lake, vector=matrix[7], space="s", k=5)
        few = search(lake, vector=matrix[7], space="s", k=5, filters=SearchFilters(documents=("none",)))
    assert near == exact
    assert few == []
    assert any(name.endswith(".usearch") for name in objects(lake))


def test_the_same_vectors_give_the_same_approximate_index() -> None:
    pytest.importorskip("usearch")
    from indx_core.knowledge.search.near import built

    matrix = np.random.default_rng(0).normal(size=(500, 16)).astype(np.float32)
    assert built(matrix) == built(matrix)
