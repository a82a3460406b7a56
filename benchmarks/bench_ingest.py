"""What the full chain costs beside a bare PDFium loop that only extracts text: CPU seconds, same files, same run.

    python benchmarks/bench_ingest.py [FOLDER]

Dagster apart: observe, plan, read with boxes, chunk, hashed embedding, annotate (nothing named), Parquet into a lake on
local disk, in this process (``workers=0``) and in worker processes. Recognition is left out by the request
(``capability_ids``), since a bare loop does none: a page without a text layer goes to manual review.

Lakes are removed when all is measured: ext4 passes over inodes that were freed minutes ago, and to create a file among
thousands of them took 0.3 to 0.45 ms instead of 0.03. Give the lakes a folder of their own with TMPDIR.

In process, the two sides take turns document by document: on a shared host a CPU second of one minute is not one of the
next (the bare loop alone took 4.3 to 7.7 s within an hour), and a ratio of two long runs measures that.
"""

import argparse
import gc
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from measured import cpu_seconds

from indx_core.app.ingest.batch import run_tasks
from indx_core.app.ingest.corpus import Corpus
from indx_core.app.ingest.listing import list_corpus
from indx_core.app.ingest.task import STAGES, DocumentTask
from indx_core.app.installation import Installation
from indx_core.contracts.ingest import Grain, IngestOptions
from indx_core.contracts.plan import Constraints
from indx_core.kit.garbage import collect_seldom
from indx_core.kit.lake import Lake
from indx_core.kit.settings import overriding

DEFAULT = Path(__file__).resolve().parents[2] / "shared" / "corpus" / "pdf"
OPTIONS = IngestOptions(constraints=Constraints(capability_ids=("native-extraction", "manual-review")), languages=False)


@dataclass(frozen=True)
class Run:
    """What one run of the chain came to; CPU and wall are seconds, ``bare`` the loop's CPU, 0 where it did not run."""

    pages: int
    chunks: int
    refused: int
    cpu: float
    wall: float
    bare: float

    @property
    def ratio(self) -> float:
        return self.cpu / self.bare


def bare(path: Path) -> None:
    """Text extraction alone, of one file."""
    import pypdfium2 as pdfium

    try:
        document = pdfium.PdfDocument(path.read_bytes())
    except pdfium.PdfiumError:
        return
    for index in range(len(document)):
        try:
            page = document[index]
            page.get_textpage().get_text_bounded()
        except pdfium.PdfiumError:
            continue
        page.close()
    document.close()


def chain(folder: Path, lakes: Path, workers: int, most: int | None = None) -> Run:
    """The full chain over the first ``most`` files; in this process, each behind the bare loop over it."""
    registry = Installation.current().registry
    sources = [s for s in list_corpus(Corpus("pdf", str(folder)), registry) if s.path.endswith(".pdf")][:most]
    lake = tempfile.mkdtemp(dir=lakes)
    spent = 0.0

    def tasks() -> Iterator[DocumentTask]:
        nonlocal spent
        for s in sources:
            if not workers:
                before = cpu_seconds()
                bare(folder / s.path)
                spent += cpu_seconds() - before
            yield DocumentTask(s.key, s.corpus, s.path, s.uri, s.source_version, s.key, STAGES, OPTIONS)

    pages = chunks = refused = 0
    start, wall = cpu_seconds(), time.perf_counter()
    with overriding({"INDX_LAKE": lake, "INDX_WORKERS": str(workers)}):
        for outcome in run_tasks(tasks(), Lake.open(), Grain.SOURCE):
            refused += outcome.failure is not None
            for stage, report in outcome.reports.items():
                pages += report.facts["pages"] if stage == "observation" else 0
                chunks += report.facts["chunks"] if stage == "chunks" else 0
    cpu, seconds = cpu_seconds() - start - spent, time.perf_counter() - wall
    return Run(pages, chunks, refused, cpu, seconds, spent)


def warm(folder: Path, lakes: Path) -> None:
    """Bring this process where a worker is behind its first documents: all is imported, and garbage seldom sought."""
    collect_seldom()
    chain(folder, lakes, 0, most=3)
    gc.freeze()


def main(folder: Path, rounds: int) -> None:
    with tempfile.TemporaryDirectory() as root:
        lakes = Path(root)
        warm(folder, lakes)
        print(f"{'':28}{'pages':>8}{'chunks':>9}{'refused':>9}{'CPU s':>9}{'wall s':>9}{'beside bare text':>22}")
        for label, workers, times in (
            ("full chain, in process", 0, rounds),
            ("full chain, one worker", 1, 1),
            ("full chain, two workers", 2, 1),
        ):
            for r in [chain(folder, lakes, workers) for _ in range(times)]:
                beside = f"{r.ratio:.2f} of {r.bare:.2f} s" if r.bare else ""
                print(f"{label:28}{r.pages:>8}{r.chunks:>9}{r.refused:>9}{r.cpu:>9.2f}{r.wall:>9.2f}{beside:>22}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=DEFAULT)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    main(given.folder, given.rounds)
