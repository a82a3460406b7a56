"""Memory over a long ingestion and in a long document, and what the second worker gives.

    python benchmarks/bench_memory.py [--documents 1000] [--pages 1000] [--pdfs FOLDER]

- Resident memory of this process and of the largest worker after every document of a generated corpus of one-page PDFs,
  compared as the peaks of the last and of the second quarter: once through the chain with one pool of two workers, once
  as ``indx ingest`` does it, in Dagster runs of 200.
- Peak of the worker that took a generated PDF of 1,000 pages through the whole chain.
- Pages per second of two workers beside one, over real PDFs and without recognition, and the same for two plain
  processes that only count: where that ceiling is under 2, cores are shared or busy, and no pool can reach 2 either.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
from measured import Number, load, show, write_one_pagers, write_pdf

from indx_core.contracts.ingest import CorpusConfig, IndxConfig, IngestOptions
from indx_core.contracts.plan import Constraints
from indx_core.kit.config import LoadedConfig
from indx_core.kit.settings import overriding

if TYPE_CHECKING:
    from indx_core.app.ingest.task import DocumentOutcome

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS, PAGES, REPEAT = 1_000, 1_000, 3
MIB = 2**20
FLAT = 1.05
PDFS = ROOT.parent / "shared" / "corpus" / "pdf"
WITHOUT_RECOGNITION = IngestOptions(
    constraints=Constraints(capability_ids=("native-extraction", "manual-review")), languages=False
)


@dataclass
class Watch:
    """Resident bytes of this process and of its largest worker, one sample a document."""

    parent: list[int] = field(default_factory=list)
    worker: list[int] = field(default_factory=list)

    def sample(self) -> None:
        self.parent.append(psutil.Process().memory_info().rss)
        self.worker.append(max((process.memory_info().rss for process in workers()), default=0))

    def numbers(self, how: str) -> Iterator[Number]:
        for who, samples in (("parent", self.parent), ("largest worker", self.worker)):
            quarter = len(samples) // 4
            second, last = max(samples[quarter : 2 * quarter]), max(samples[-quarter:])
            note = f"{second / MIB:.0f} -> {last / MIB:.0f} MiB"
            yield Number(f"{len(samples)} documents, {how}: {who}", last / second, "x", FLAT, note=note)


def workers() -> list[psutil.Process]:
    return [child for child in psutil.Process().children() if "spawn_main" in " ".join(child.cmdline())]


def numbers(
    documents: int = DOCUMENTS, pages: int = PAGES, pdfs: Path = PDFS, repeat: int = REPEAT
) -> Iterator[Number]:
    """Everything this benchmark measures."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_one_pagers(folder / "many", documents)
        (folder / "long").mkdir()
        write_pdf(folder / "long" / "long.pdf", pages)
        yield from flat_alone(folder)
        yield from flat_in_dagster(folder)
        yield long_document(folder, pages)
    if pdfs.is_dir():
        yield from second_worker(pdfs, repeat)
    else:
        print(f"no PDFs at {pdfs}: the second worker is left out", file=sys.stderr)


def chain(root: Path, options: IngestOptions, count: int) -> "Iterator[DocumentOutcome]":
    """Every PDF below a folder through the chain without Dagster, in worker processes, into a lake of its own."""
    from indx_core.app.ingest.batch import run_tasks
    from indx_core.app.ingest.corpus import Corpus
    from indx_core.app.ingest.listing import list_corpus
    from indx_core.app.ingest.task import STAGES, DocumentTask
    from indx_core.app.installation import Installation
    from indx_core.contracts.ingest import Grain
    from indx_core.kit.lake import Lake

    sources = list_corpus(Corpus("bench", str(root)), Installation.current().registry)
    tasks = (
        DocumentTask(s.key, s.corpus, s.path, s.uri, s.source_version, s.key, STAGES, options)
        for s in sources
        if s.path.endswith(".pdf")
    )
    with (
        tempfile.TemporaryDirectory() as lake,
        overriding({"INDX_LAKE": lake, "INDX_WORKERS": str(count)}),
    ):
        yield from run_tasks(tasks, Lake.open(), Grain.SOURCE)


def flat_alone(folder: Path) -> Iterator[Number]:
    watch = Watch()
    for outcome in chain(folder / "many", WITHOUT_RECOGNITION, 2):
        assert outcome.failure is None, outcome.failure
        watch.sample()
    yield from watch.numbers("chain alone")


def flat_in_dagster(folder: Path) -> Iterator[Number]:
    os.environ["DAGSTER_HOME"] = str(folder / "home")  # noqa: TID251 - Dagster's own variable
    from indx_dagster.home import prepare_home

    prepare_home()
    from assets.batches import batches
    from indx_core.app.ingest.corpus import named_corpus
    from indx_dagster.launch import Session

    watch = Watch()
    config = IndxConfig(corpora={"many": CorpusConfig(root="many")}, ingest=WITHOUT_RECOGNITION)
    with overriding({"INDX_LAKE": str(folder / "lake"), "INDX_WORKERS": "2"}):
        loaded = LoadedConfig(config, folder)
        session = Session(loaded, on_outcome=lambda _outcome: watch.sample())
        for batch in batches(session.stale(session.discover([named_corpus("many", loaded)])), loaded):
            assert session.run(batch).success
    yield from watch.numbers("indx ingest")


def long_document(folder: Path, pages: int) -> Number:
    peaks = []
    for outcome in chain(folder / "long", WITHOUT_RECOGNITION, 1):
        assert outcome.failure is None, outcome.failure
        peaks += [peak_bytes(process) for process in workers()]
    return Number(f"a PDF of {pages:,} pages: peak of its worker", max(peaks) / MIB, "MiB", 400)


def peak_bytes(process: psutil.Process) -> int:
    """Largest resident memory that a process ever had, as Linux keeps it."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) * 1024


def second_worker(pdfs: Path, repeat: int) -> Iterator[Number]:
    at_work: dict[int, list[float]] = {1: [], 2: []}
    in_all: dict[int, list[float]] = {1: [], 2: []}
    ceilings = []
    for _ in range(repeat):
        for count in (1, 2):
            steady, whole = pages_per_second(pdfs, count)
            at_work[count].append(steady)
            in_all[count].append(whole)
        ceilings.append(ceiling())
    yield _ratio("two workers beside one, real PDFs", at_work, 1.7)
    yield _ratio("the same, from before the workers start", in_all, None)
    yield Number("two plain processes beside one", statistics.median(ceilings), "x", spread=ceilings)


def _ratio(what: str, speeds: dict[int, list[float]], limit: float | None) -> Number:
    ratios = [two / one for one, two in zip(speeds[1], speeds[2], strict=True)]
    one, two = (statistics.median(speeds[count]) for count in (1, 2))
    note = f"{one:.0f} -> {two:.0f} pages/s; {load()}"
    return Number(what, statistics.median(ratios), "x", limit, at_least=True, spread=ratios, note=note)


def pages_per_second(pdfs: Path, count: int) -> tuple[float, float]:
    """By wall clock until the last row is in the lake: behind the first document, and behind the first task.

    Starting a worker takes about a second, whatever their number, which is a fifth of this corpus for two of them.
    """
    started, pages = time.perf_counter(), []
    first = started
    for outcome in chain(pdfs, WITHOUT_RECOGNITION, count):
        pages.append(sum(r.facts["pages"] for stage, r in outcome.reports.items() if stage == "observation"))
        if len(pages) == 1:
            first = time.perf_counter()
    ended = time.perf_counter()
    return sum(pages[1:]) / (ended - first), sum(pages) / (ended - started)


def ceiling() -> float:
    """Speed-up of two processes that share nothing, which the machine gives now."""
    code = "import time; t = time.perf_counter(); sum(i * i for i in range({})); print(time.perf_counter() - t)"
    rounds = 20_000_000

    def slowest(processes: int) -> float:
        command = [sys.executable, "-c", code.format(rounds // processes)]
        running = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(processes)]
        return max(float(process.communicate()[0]) for process in running)

    return slowest(1) / slowest(2)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=DOCUMENTS)
    parser.add_argument("--pages", type=int, default=PAGES)
    parser.add_argument("--pdfs", type=Path, default=PDFS)
    parser.add_argument("--repeat", type=int, default=REPEAT)
    arguments = parser.parse_args()
    show(numbers(arguments.documents, arguments.pages, arguments.pdfs, arguments.repeat))
