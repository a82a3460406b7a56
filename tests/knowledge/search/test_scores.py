"""The arithmetic of search: BM25, cosine, fusion, and what they reach on judged sets."""

import json
from math import log, nan
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indx_core.contracts.capability import EmbedderRole
from indx_core.kit.registry import discover
from indx_core.knowledge.search import lexical
from indx_core.knowledge.search.fusion import fuse
from indx_core.knowledge.search.lexical import LexicalIndex
from indx_core.knowledge.search.terms import query_terms
from indx_core.knowledge.search.vectors import cosine
from indx_core.knowledge.search.words import Matched, Words, leading, occurrences

ARRAYS = ("terms", "offsets", "owners", "frequencies", "lengths")


def bm25(texts: list[str], query: str) -> list[float]:
    words, terms = Words([LexicalIndex.build(texts)]), query_terms(query)
    return words.weighted(terms, [words.rarity(term) for term in terms]).tolist()


def match(texts: list[str], query: str) -> Matched:
    words = Words([LexicalIndex.build(texts)])
    return words.match(query, np.ones(len(texts), bool), lambda at: [texts[n] for n in at], lambda: texts)


def same(one: LexicalIndex, other: LexicalIndex) -> bool:
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in ARRAYS)


def test_bm25_is_the_formula() -> None:
    """Worked by hand: three texts of 2, 4 and 3 terms, mean 3; the term stands once in the first, twice in the second."""
    rarity = log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    first = rarity * 1 * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 2 / 3))
    second = rarity * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 4 / 3))
    assert bm25(["iron rail", "iron road iron way", "sea and air"], "iron") == pytest.approx([first, second, 0.0])


def test_an_index_built_in_batches_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"鉄道 {n} rail {n % 3}" for n in range(20)]
    whole = LexicalIndex.build(texts)
    monkeypatch.setattr(lexical, "_BATCH", 3)
    assert same(whole, LexicalIndex.build(texts))


TEXTS = st.lists(st.text(st.sampled_from("ab 鉄道の"), max_size=8), max_size=8)


@given(TEXTS, st.integers(0, 8), st.integers(0, 8))
@settings(max_examples=40)
def test_an_index_cut_and_joined_is_the_same(texts: list[str], one: int, other: int) -> None:
    first, last = sorted(min(at, len(texts)) for at in (one, other))
    whole = LexicalIndex.build(texts)
    parts = [whole.part(0, first), whole.part(first, last), whole.part(last, len(texts))]
    assert same(parts[1], LexicalIndex.build(texts[first:last]))
    assert same(LexicalIndex.joined(parts), whole)


@given(TEXTS, st.text(st.sampled_from("ab 鉄道の"), max_size=4), st.integers(0, 8))
@settings(max_examples=40)
def test_texts_divided_among_indexes_score_as_in_one(texts: list[str], query: str, at: int) -> None:
    divided = Words([LexicalIndex.build(texts[:at]), LexicalIndex.build(texts[at:])])
    admitted = np.ones(len(texts), bool)
    found = divided.match(query, admitted, lambda numbers: [texts[n] for n in numbers], lambda: texts)
    whole = match(texts, query)
    assert np.array_equal(found.scores, whole.scores)
    assert found.conviction == whole.conviction


def test_an_index_of_nothing_answers_nothing() -> None:
    assert bm25([], "a") == []
    assert bm25(["", "、"], "a") == [0, 0]


def test_forms_of_an_english_word_are_one_term() -> None:
    assert bm25(["the parsers work", "sea and air"], "parser working")[0] > 0


def test_a_part_of_a_word_is_counted_where_no_term_matches() -> None:
    assert occurrences(["鉄道と鉄橋", "Parser", ""], "鉄").tolist() == [2, 0, 0]
    assert occurrences(["鉄道と鉄橋", "Parser", ""], "PARS").tolist() == [0, 1, 0]
    assert occurrences(["abc"], " ").tolist() == [0]


def test_the_best_lend_their_words_and_bring_in_no_text_of_their_own() -> None:
    """Two texts about the query say ``turbine`` beside it: of the two others about ``wing`` the one with it is better.
    One that has nothing of the query stays out, whatever it shares with the best."""
    texts = [
        "flutter of a wing, turbine",
        "flutter of the wing, turbine",
        "a wing with turbine noise",
        "a wing with window noise",
        "turbine turbine turbine",
        *["sea and air"] * 8,
    ]
    found = match(texts, "wing flutter")
    assert found.plain[2] == found.plain[3]
    assert found.scores[2] > found.scores[3]
    assert found.scores[4] == 0


def test_pairs_of_characters_lend_nothing() -> None:
    """They are no words: what two texts share of them says little of what they are about."""
    found = match(["鉄道の橋と駅", "鉄道の橋と駅", "鉄道と海", "山"], "鉄道")
    assert np.array_equal(found.scores, found.plain)


def test_the_leading_scores_are_the_best_in_order() -> None:
    scores = np.array([0.0, 2.0, 3.0, 2.0, 0.0, 2.0])
    assert leading(scores, 3).tolist() == [2, 1, 3]
    assert leading(scores, 99).tolist() == [2, 1, 3, 5]
    assert leading(scores[:0], 3).tolist() == []


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
        (None, [-1, 0, 1], [0, 0, 1]),
        (None, [nan, 0.5, 1], [0, 0.5, 1]),
        (None, [nan, nan, nan], [0, 0, 0]),
        ([0, 2, 4], [1, 0.5, -1], [0.3, 0.35 + 0.15, 0.7]),
        ([], [], []),
    ],
)
def test_words_count_beside_the_best_and_a_cosine_as_it_is(words, vectors, fused) -> None:
    matched = None if words is None else Matched(np.array(words, float), np.array(words, float), 1.0)
    found = fuse(matched, None if vectors is None else np.array(vectors, float), 0.7)
    assert found.scores == pytest.approx(fused)


def test_what_each_side_gave_adds_up() -> None:
    found = fuse(Matched(np.array([1.0, 4.0]), np.zeros(2), 0.145), np.array([0.5, 0.25]), 0.8)
    assert found.words == pytest.approx([0.1, 0.4])
    assert found.vectors == pytest.approx([0.3, 0.15])
    assert found.scores == pytest.approx([0.4, 0.55])


def test_words_that_match_little_of_a_query_do_not_outweigh_what_it_means() -> None:
    texts = ["twelve yen per share", "残業時間は月平均14時間に減った", "sea and air"]
    matched = match(texts, "overtime hours per employee")
    assert matched.scores.argmax() == 0
    cosines = np.array([0.1, 0.5, 0.0])
    assert fuse(matched._replace(conviction=1.0), cosines).scores.argmax() == 0, "words that convince would win"
    assert fuse(matched, cosines).scores.argmax() == 1


def test_words_that_match_the_query_count_in_full() -> None:
    matched = match(["twelve yen per share", "sea and air"], "twelve yen")
    assert fuse(matched, np.array([0.0, 1.0]), 0.7).scores == pytest.approx([0.7, 0.3])


def test_no_text_convinces_more_than_wholly() -> None:
    assert 0 < match(["iron " * 500, "iron road", ""], "iron road steam").conviction < 1


def test_nothing_cannot_be_fused() -> None:
    with pytest.raises(ValueError, match="nothing to fuse"):
        fuse(None, None)


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("folder", "words_at_least", "fused_at_least"), [("ja_jsquad", 0.947, 0.947), ("en_cranfield", 0.421, 0.423)]
)
def test_fusion_with_the_hashed_space_is_no_worse_than_words_alone(
    shared_corpus: Path, folder: str, words_at_least: float, fused_at_least: float
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
    words, admitted = Words([LexicalIndex.build(texts)]), np.ones(len(texts), bool)
    gains = []
    for query, vector in zip(asked, vectors, strict=True):
        matched = words.match(query["text"], admitted, lambda at: [texts[n] for n in at], lambda: texts)
        relevant = [passage["id"] in judged[query["id"]] for passage in passages]
        both = fuse(matched, cosine(matrix, vector)).scores
        gains.append([_ndcg(scores, relevant) for scores in (matched.scores, both)])
    alone, fused = np.mean(gains, axis=0)
    assert alone >= words_at_least
    assert fused >= max(fused_at_least, alone)


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
