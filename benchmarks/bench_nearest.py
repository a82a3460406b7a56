"""The ten nearest vectors: exact comparison beside approximate graphs, milliseconds a query and what is missed.

Usage: ``python benchmarks/bench_nearest.py [SIZE …]`` (default 10000 100000 1000000: some ten minutes on two cores that
are free, most of them for the graphs of a million; 8 GB of memory and of ``TMPDIR``).

Vectors and queries are those of ``bench_search.py``: 512 dimensions, real passages with as much noise again, real
questions. Recall is the share of the ten that numpy finds in one product over all vectors. Beside our two ways stand
usearch's own exact comparison, and one usearch graph over all vectors up to 100,000, built on every core.
"""

import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from os import cpu_count
from pathlib import Path

import numpy as np
from bench_search import QUERIES, SPACE, Material, asked, built, milliseconds, shelf_in
from measured import load
from usearch.index import Index, search

from indx_core.knowledge.search import near
from indx_core.knowledge.search.lake_index import LakeIndex
from indx_core.knowledge.search.pieces import Piece
from indx_core.knowledge.search.refresh import segment_of
from indx_core.knowledge.search.segment import near_member
from indx_core.knowledge.search.settings import SearchSettings

SIZES = [10_000, 100_000, 1_000_000]
ONE_GRAPH = 100_000
"""Most vectors that are put into one graph: a million would take as long again as all else here."""

Ask = Callable[[int], Iterable[int]]
"""From the number of a query to the numbers of the ten nearest vectors."""


def compared(material: Material, size: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        shelf, state, _ = built(material, size, Path(name), words=False)
        exact = LakeIndex(shelf, state, SearchSettings(search_exact_vectors=10**9))
        approximate = LakeIndex(shelf, state, SearchSettings(search_exact_vectors=0))
        matrix = np.concatenate([part.matrix for part in exact.vectors(SPACE)])
        queries = material.query_vectors

        def by_numpy(number: int) -> Iterable[int]:
            scores = matrix @ queries[number]
            return np.argpartition(-scores, 10)[:10].tolist()

        nearest = [set(by_numpy(number)) for number in range(QUERIES)]
        print(f"\n{size:,} vectors of {matrix.shape[1]} dimensions in {len(state.pieces)} pieces; {load()}")
        print(f"    {'ms a query':<46}{'median':>9} {'90 %':>9} {'CPU':>9} {'recall':>9}", flush=True)

        def show(what: str, ask: Ask) -> None:
            recall = np.mean([len(nearest[number] & set(ask(number))) / 10 for number in range(QUERIES)])
            print(f"    {what:<46}{milliseconds(ask, QUERIES)} {recall:>9.3f}", flush=True)

        show("numpy: one product, ten best", by_numpy)
        show("usearch, exact", lambda number: search(matrix, queries[number], 10, "cos", exact=True).keys.tolist())
        show("ours, exact", asked(material, exact, "vectors"))
        wall, cpu = graphs(Path(name), state.pieces)
        show("ours, a usearch graph a piece", asked(material, approximate, "vectors", exact_up_to=0))
        kept = sum(file.stat().st_size for file in Path(name).rglob(near_member(SPACE)))
        print(f"    graphs: {cpu:.0f} CPU s, {wall:.0f} s in {cpu_count()} processes, {kept / size:.0f} bytes a vector")
        if size <= ONE_GRAPH:
            index = Index(ndim=matrix.shape[1], metric="cos", dtype="f16")
            index.add(np.arange(size), matrix)
            show("usearch, one graph, its own defaults", lambda number: index.search(queries[number], 10).keys.tolist())
        print(f"    peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.1f} GiB", flush=True)


def graphs(folder: Path, pieces: Iterable[Piece]) -> tuple[float, float]:
    """Build the graph of every piece, as a search beyond the exact limit would; wall clock and CPU seconds."""
    before = time.perf_counter()
    with ProcessPoolExecutor(cpu_count(), get_context("spawn")) as processes:
        cpu = sum(processes.map(graph, *zip(*((folder, each) for each in pieces), strict=True)))
    return time.perf_counter() - before, cpu


def graph(folder: Path, piece: Piece) -> float:
    """Build one, with one thread as ever; its CPU seconds."""
    shelf = shelf_in(folder)
    found = segment_of(shelf, piece).vectors(SPACE)
    assert found is not None
    before = time.process_time()
    shelf.keep(f"{piece.name}/{near_member(SPACE)}", near.built(found[0].matrix))
    return time.process_time() - before


def main() -> None:
    material = Material()
    for size in [int(each) for each in sys.argv[1:]] or SIZES:
        compared(material, size)


if __name__ == "__main__":
    main()
