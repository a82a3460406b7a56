"""The arithmetic of search: BM25, cosine, fusion, and what they reach on judged sets."""

import json
from math import log, nan
from pathlib import Path

import numpy as np
import pytest

from indx_core.contracts.capability import EmbedderRole
from indx_core.kit.registry import discover
from indx_core.knowledge.search import lexical
from indx_core.knowledge.search.fusion import fuse, lexical_weight_of
from indx_core.knowledge.search.lexical import LexicalIndex, Matched, match, occurrences
from indx_core.knowledge.search.terms import query_terms
from indx_core.knowledge.search.vectors import cosine


def test_bm25_is_the_formula() -> None:
    """Worked by hand: three texts of 2, 4 and 3 terms, mean 3; the term stands once in the first, twice in the second."""
    index = LexicalIndex.build(["iron rail", "iron road iron way", "sea and air"])
    rarity = log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    first = rarity * 1 * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 2 / 3))
    second = rarity * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 4 / 3))
    assert index.scores(query_terms("iron")) == pytest.approx([first, second, 0.0])


def test_an_index_built_in_batches_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"鉄道 {n} rail {n % 3}" for n in range(20)]
    whole = LexicalIndex.build(texts)
    monkeypatch.setattr(lexical, "_BATCH", 3)
    batched = LexicalIndex.build(texts)
    assert np.array_equal(whole.postings, batched.postings)
    assert np.array_equal(whole.frequencies, batched.frequencies)
    assert np.array_equal(whole.lengths, batched.lengths)


def test_an_index_of_nothing_answers_nothing() -> None:
    assert LexicalIndex.build([]).scores(query_terms("a")).shape == (0,)
    assert LexicalIndex.build(["", "、"]).scores(query_terms("a")).tolist() == [0, 0]


def test_a_part_of_a_word_is_counted_where_no_term_matches() -> None:
    assert occurrences(["鉄道と鉄橋", "Parser", ""], "鉄").tolist() == [2, 0, 0]
    assert occurrences(["鉄道と鉄橋", "Parser", ""], "PARS").tolist() == [0, 1, 0]
    assert occurrences(["abc"], " ").tolist() == [0]


def test_cosine_needs_no_normalised_vectors_and_survives_zeros() -> None:
    matrix = np.array([[3, 4], [0, 0], [-6, -8]], np.float32)
    assert cosine(matrix, np.array([6, 8], np.float32)) == pytest.approx([1, 0, -1])
    assert cosine(matrix, np.zeros(2, np.float32)).tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("words", "vectors", "fused"),
    [
        ([0, 2, 4], None, [0, 0.5, 1]),
        ([3, 3, 3], None, [1, 1, 1]),
        ([0, 0, 0], None, [0, 0, 0]),
        (None, [-1, 0, 1], [0, 0.5, 1]),
        (None, [nan, 0, 1], [0, 0, 1]),
        (None, [nan, nan, nan], [0, 0, 0]),
        ([0, 2, 4], [1, 0, -1], [0.3, 0.35 + 0.15, 0.7]),
        ([], [], []),
    ],
)
def test_scores_are_stretched_and_mixed(words, vectors, fused) -> None:
    matched = None if words is None else Matched(np.array(words, float), 0.0)
    assert fuse(matched, None if vectors is None else np.array(vectors, float), 0.7) == pytest.approx(fused)


def test_words_that_match_little_of_a_query_do_not_outweigh_what_it_means() -> None:
    texts = ["twelve yen per share", "残業時間は月平均14時間に減った", "sea and air"]
    matched = match(LexicalIndex.build(texts), texts, "overtime hours per employee")
    assert matched.scores.argmax() == 0
    cosines = np.array([0.1, 0.5, 0.0])
    assert fuse(Matched(matched.scores, 0.0), cosines, 0.7).argmax() == 0, (
        "without the attainable score the one shared word wins"
    )
    assert fuse(matched, cosines, 0.7).argmax() == 1


def test_words_that_match_the_query_count_in_full() -> None:
    texts = ["twelve yen per share", "sea and air"]
    matched = match(LexicalIndex.build(texts), texts, "twelve yen")
    assert fuse(matched, np.array([0.0, 1.0]), 0.7) == pytest.approx([0.7, 0.3])


def test_no_text_scores_more_than_is_attainable() -> None:
    texts = ["iron " * 500, "iron road", ""]
    words, attainable = match(LexicalIndex.build(texts), texts, "iron road steam")
    assert 0 < words.max() < attainable


def test_nothing_cannot_be_fused() -> None:
    with pytest.raises(ValueError, match="nothing to fuse"):
        fuse(None, None)


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("folder", "bm25_at_least", "fused_at_least"), [("ja_jsquad", 0.947, 0.948), ("en_cranfield", 0.358, 0.359)]
)
def test_fusion_with_the_hashed_space_is_no_worse_than_words_alone(
    shared_corpus: Path, folder: str, bm25_at_least: float, fused_at_least: float
) -> None:
    """nDCG@10 on judged sets. A plain BM25, the yardstick, reaches .940 and .358."""
    root = shared_corpus / "retrieval" / folder
    passages = _lines(root / "corpus.jsonl")
    queries = _lines(root / "queries.jsonl")
    judged = _judged(root / "qrels.tsv")
    texts = [f"{passage['title']}\n{passage['text']}" for passage in passages]
    asked = [query for query in queries if query["id"] in judged]
    embedder = next(e for e in discover().embedders if e.descriptor.embedding_space_id == "default-text")
    matrix = embedder.embed_texts(texts, EmbedderRole.DOCUMENT).vectors
    vectors = embedder.embed_texts([query["text"] for query in asked], EmbedderRole.QUERY).vectors
    index = LexicalIndex.build(texts)
    weight = lexical_weight_of("default-text")
    gains = []
    for query, vector in zip(asked, vectors, strict=True):
        matched = match(index, texts, query["text"])
        relevant = [passage["id"] in judged[query["id"]] for passage in passages]
        both = fuse(matched, cosine(matrix, vector), weight)
        gains.append([_ndcg(scores, relevant) for scores in (matched.scores, both)])
    bm25, fused = np.mean(gains, axis=0)
    assert bm25 >= bm25_at_least
    assert fused >= max(fused_at_least, bm25)


def _lines(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def _judged(path: Path) -> dict[str, set[str]]:
    judged: dict[str, set[str]] = {}
    for line in path.read_text("utf-8").splitlines()[1:]:
        query, passage, grade = line.split("\t")
        if int(grade) > 0:
            judged.setdefault(query, set()).add(passage)
    return judged


def _ndcg(scores, relevant: list[bool]) -> float:
    """Normalised discounted cumulative gain of the first ten, binary relevance (Järvelin and Kekäläinen 2002)."""
    discount = 1 / np.log2(np.arange(2, 12))
    best = np.argsort(-scores, kind="stable")[:10]
    return float(discount @ np.array(relevant)[best] / discount[: min(10, sum(relevant))].sum())
