"""Search: milliseconds a query, and what an index costs to build and keep.

Usage: ``python benchmarks/bench_search.py [SIZE …]`` (default 10000 100000; 1000000 takes some 20 minutes, 8 GB of
memory and 8 GB of ``TMPDIR``). Approximate search beside exact search is ``bench_nearest.py``.

Passages are sentences of the shared judged sets, drawn anew and half of them Japanese, some 300 characters each; their
vectors those of the sets' passages (sentence-multilingual, 512 dimensions) with as much noise again; queries are the
sets' own, half and half. Baselines in the same run: numpy alone (one matrix product and a partial sort; for words, an
index built for the query, as search did before there was one), and bm25s where it is installed.

Then a lake of 1,000 documents: the first search, one with nothing changed, one after a document changed.
"""

import json
import random
import re
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from indx_core.contracts.capability import EmbedderRole
from indx_core.engines.embed_sentence.embedder import SentenceEmbedder
from indx_core.kit.lake import Lake, LakeSettings, encode_table, rows_table, vector_rows
from indx_core.knowledge.search import SearchFilters, search
from indx_core.knowledge.search.content import DOCUMENTS, MARKS, PASSAGES, Content, Vectors
from indx_core.knowledge.search.lake_index import LakeIndex
from indx_core.knowledge.search.lexical import LexicalIndex
from indx_core.knowledge.search.pieces import PASSAGES as PIECE
from indx_core.knowledge.search.pieces import Piece, State
from indx_core.knowledge.search.rank import Query, rank
from indx_core.knowledge.search.segment import members_of, name_of
from indx_core.knowledge.search.settings import SearchSettings
from indx_core.knowledge.search.shelf import Shelf
from indx_core.knowledge.search.terms import cut, query_terms
from indx_core.knowledge.search.words import Words

CORPUS = Path(__file__).resolve().parent.parent.parent / "shared" / "corpus" / "retrieval"
SPACE = "sentence-multilingual"
QUERIES = 40
EVERY = SearchFilters()


class Material:
    """Sentences, vectors and queries of the judged sets."""

    def __init__(self) -> None:
        folders = [CORPUS / "ja_jsquad", CORPUS / "en_cranfield"]
        passages = [_texts(folder / "corpus.jsonl") for folder in folders]
        self.queries = [text for folder in folders for text in _texts(folder / "queries.jsonl")[: QUERIES // 2]]
        self.sentences = [_sentences(texts) for texts in passages]
        embedder = SentenceEmbedder()
        sample = [text[:300] for texts in passages for text in texts[:400]]
        self.vectors = embedder.embed_texts(sample, EmbedderRole.DOCUMENT).vectors
        self.query_vectors = embedder.embed_texts(self.queries, EmbedderRole.QUERY).vectors

    def texts(self, count: int, seed: int) -> list[str]:
        draw = random.Random(seed)
        return [self._text(draw, number % 2) for number in range(count)]

    def matrix(self, count: int, seed: int) -> np.ndarray:
        draw = np.random.default_rng(seed)
        chosen = self.vectors[draw.integers(0, len(self.vectors), count)]
        noise = draw.normal(size=chosen.shape).astype(np.float32)
        near_them = chosen + noise / np.linalg.norm(noise, axis=1, keepdims=True)
        return near_them / np.linalg.norm(near_them, axis=1, keepdims=True)

    def _text(self, draw: random.Random, language: int) -> str:
        text = ""
        while len(text) < 300:
            text += draw.choice(self.sentences[language])
        return text


def _texts(path: Path) -> list[str]:
    return [json.loads(line)["text"] for line in path.read_text("utf-8").splitlines()]


def _sentences(texts: Sequence[str]) -> list[str]:
    return [part for text in texts for part in re.split(r"(?<=。)|(?<= \.) ", text) if len(part) > 10]


# -- an index of a size ------------------------------------------------------------------------------------------------


def content(texts: list[str], matrix: np.ndarray, number: int) -> Content:
    document = {"key": f"c/{number:05d}", "corpus": "c", "path": f"{number:05d}", "uri": "", "type": "text"}
    rows = [{"chunk_id": f"page:1/chunk:{at}", "page": 1, "text": text} for at, text in enumerate(texts)]
    return Content(
        pa.Table.from_pylist([{**document, "media_type": "text/plain", "passages": len(texts)}], DOCUMENTS),
        pa.Table.from_pylist(rows, PASSAGES),
        MARKS.empty_table(),
        LexicalIndex.build(texts),
        {SPACE: Vectors(matrix, np.arange(len(texts), dtype=np.int32))},
    )


def shelf_in(folder: Path) -> Shelf:
    return Shelf(Lake.open(LakeSettings(lake=str(folder))), folder / "cache")


def built(material: Material, size: int, folder: Path, *, words: bool = True) -> tuple[Shelf, State, float]:
    """An index of ``size`` passages with or without their words, and the CPU seconds of cutting and storing them."""
    shelf, pieces, seconds = shelf_in(folder), [], 0.0
    for number, start in enumerate(range(0, size, PIECE)):
        count = min(PIECE, size - start)
        texts = material.texts(count, number) if words else [""] * count
        matrix = material.matrix(count, number)
        before = time.process_time()
        members = members_of(content(texts, matrix, number))
        name = name_of(members)
        for member, data in members.items():
            shelf.keep(f"{name}/{member}", data)
        seconds += time.process_time() - before
        pieces.append(Piece(name, (SPACE,), ()))
    return shelf, State("", tuple(pieces)), seconds


def asked(material: Material, index: LakeIndex, sides: str, *, exact_up_to: int = 10**9) -> Callable[[int], list[int]]:
    admitted = index.admitted(EVERY)

    def ask(number: int) -> list[int]:
        query = Query(
            material.queries[number] if "words" in sides else None,
            material.query_vectors[number] if "vectors" in sides else None,
            SPACE if "vectors" in sides else None,
            exact_up_to=exact_up_to,
        )
        return [each.at for each in rank(index, query, admitted, 10)]

    return ask


def milliseconds(ask: Callable[[int], object], count: int) -> str:
    """Median and 90th percentile over the queries, each asked once after one that warms up; and CPU time of each."""
    ask(0)
    taken, cpu = [], time.process_time()
    for number in range(count):
        before = time.perf_counter()
        ask(number % QUERIES)
        taken.append((time.perf_counter() - before) * 1000)
    cpu = (time.process_time() - cpu) / count * 1000
    return f"{np.median(taken):>9.1f} {np.percentile(taken, 90):>9.1f} {cpu:>9.1f}"


def latencies(material: Material, size: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        shelf, state, seconds = built(material, size, Path(name))
        index = LakeIndex(shelf, state, SearchSettings(search_exact_vectors=10**9))
        stored = sum(file.stat().st_size for file in Path(name).rglob("*.arrow") if not file.name.startswith("vectors"))
        print(f"\n{size:,} passages: cut and stored in {seconds:.0f} CPU s; {stored / size:.0f} bytes a passage")
        print(f"    {'ms a query':<46}{'median':>9} {'90 %':>9} {'CPU':>9}")
        for sides in ("words", "vectors", "words and vectors"):
            print(f"    {sides:<46}{milliseconds(asked(material, index, sides), QUERIES)}", flush=True)
        parts = index.vectors(SPACE)
        plain = np.concatenate([part.matrix for part in parts]) if size <= 100_000 else None

        def numpy_alone(number: int) -> object:
            query = material.query_vectors[number]
            scores = plain @ query if plain is not None else np.concatenate([part.matrix @ query for part in parts])
            return np.argpartition(-scores, 10)[:10]

        print(f"    {'numpy: one product, ten best':<46}{milliseconds(numpy_alone, QUERIES)}", flush=True)
        if size <= 10_000:
            texts = list(index.texts())
            rebuilt = milliseconds(lambda number: _rebuilt(texts, material.queries[number]), 3)
            print(f"    {'words, index built for the query':<46}{rebuilt}", flush=True)
        if size <= 100_000:
            _bm25s(material, index)


def _rebuilt(texts: list[str], query: str) -> object:
    words = Words([LexicalIndex.build(texts)])
    return words.match(query, np.ones(len(texts), bool), lambda at: [texts[n] for n in at], lambda: texts)


def _bm25s(material: Material, index: LakeIndex) -> None:
    try:
        import bm25s
    except ImportError:
        return
    before = time.process_time()
    terms, owners = cut(list(index.texts()))
    distinct, ids = np.unique(terms, return_inverse=True)
    order = np.argsort(owners, kind="stable")
    documents = [each.tolist() for each in np.split(ids[order], np.cumsum(np.bincount(owners))[:-1])]
    other = bm25s.BM25(k1=1.2, b=0.75)
    other.index((documents, {str(n): n for n in range(len(distinct))}), show_progress=False)
    seconds = time.process_time() - before

    def ask(number: int) -> object:
        asked_for = query_terms(material.queries[number])
        at = np.searchsorted(distinct, asked_for)
        known = at[(at < len(distinct)) & (distinct[np.minimum(at, len(distinct) - 1)] == asked_for)]
        return other.retrieve([known.astype(np.int32).tolist()], k=10, show_progress=False)

    print(f"    {f'bm25s, words, built in {seconds:.0f} CPU s':<46}{milliseconds(ask, QUERIES)}", flush=True)


# -- a lake that changes -----------------------------------------------------------------------------------------------


def changing_lake(material: Material, documents: int = 1_000, passages: int = 10) -> None:
    texts, matrix = material.texts(documents * passages, 99), material.matrix(documents * passages, 99)
    with tempfile.TemporaryDirectory() as name:
        lake = Lake.open(LakeSettings(lake=name))
        for number in range(documents):
            held = slice(number * passages, (number + 1) * passages)
            _write(lake, f"c/{number:05d}.txt", texts[held], matrix[held])
        print(f"\na lake of {documents:,} documents, {documents * passages:,} passages: seconds of `search`")
        for what in ("first search", "nothing changed", "one document changed"):
            if what.startswith("one"):
                _write(lake, "c/00500.txt", texts[:passages], matrix[:passages])
            before = time.perf_counter()
            search(lake, text=material.queries[0], vector=material.query_vectors[0], space=SPACE)
            print(f"    {what:<46}{time.perf_counter() - before:>9.2f}", flush=True)


def _write(lake: Lake, key: str, texts: Sequence[str], matrix: np.ndarray) -> None:
    source = {"key": key, "corpus": "c", "path": key[2:], "uri": "", "media_type": "text/plain", "observer": "o"}
    source |= {"source_digest": "sha256:0", "byte_count": 1, "page_count": 1, "observation": "{}", "findings": 0}
    lake.write("sources", key, encode_table(rows_table("sources", [source])))
    about = {"key": key, "page": 1, "bbox_reason": "no_geometry", "modality": "text", "chunker": "c"}
    rows = [{**about, "chunk_id": f"page:1/chunk:{at}", "position": at, "text": text} for at, text in enumerate(texts)]
    lake.write("chunks", key, encode_table(rows_table("chunks", rows)))
    ids = [(f"page:1/chunk:{at}", 1) for at in range(len(texts))]
    lake.write(f"vectors/{SPACE}", key, encode_table(vector_rows(key, ids, SPACE, "e", matrix)))


def main() -> None:
    material = Material()
    changing_lake(material)
    for size in [int(each) for each in sys.argv[1:]] or [10_000, 100_000]:
        latencies(material, size)


if __name__ == "__main__":
    main()
