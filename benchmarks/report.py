"""The numbers of the main job beside their limits, in one table; ends with 1 when one is missed.

    python benchmarks/report.py [ingest] [dagster] [memory] [startup]

Without names, all four; takes some ten minutes. Every other benchmark of this folder prints a table of its own
(``make bench`` runs them all). Ratios of CPU seconds hold on a busy machine; wall-clock numbers carry the load.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import bench_dagster
import bench_ingest
import bench_memory
import bench_startup
from measured import Number, load, median_of, show

REPEAT = 3


def ingest() -> Iterator[Number]:
    """CPU of the full chain, Dagster apart, as a multiple of a bare PDFium loop over the same files."""
    folder = bench_ingest.DEFAULT
    if not folder.is_dir():
        print(f"no PDFs at {folder}: the full chain is left out", file=sys.stderr)
        return
    with TemporaryDirectory() as lakes:
        bench_ingest.warm(folder, Path(lakes))
        runs = [bench_ingest.chain(folder, Path(lakes), 0) for _ in range(REPEAT)]
    note = f"{runs[0].pages} pages of real PDFs; {load()}"
    yield median_of("full chain with boxes, beside bare PDFium text", [run.ratio for run in runs], "x CPU", 2.0, note)


SECTIONS: dict[str, Callable[[], Iterator[Number]]] = {
    "ingest": ingest,
    "dagster": bench_dagster.numbers,
    "memory": bench_memory.numbers,
    "startup": bench_startup.numbers,
}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sections", nargs="*", choices=list(SECTIONS), metavar="SECTION", help=", ".join(SECTIONS))
    wanted = parser.parse_args().sections or list(SECTIONS)
    found = (number for name in SECTIONS if name in wanted for number in SECTIONS[name]())
    sys.exit(0 if show(found) else 1)
