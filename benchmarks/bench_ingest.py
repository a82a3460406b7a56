"""What the full chain costs beside a bare PDFium loop that only extracts text: CPU seconds, same files, same run.

    python benchmarks/bench_ingest.py [FOLDER]

Dagster apart: observe, plan, read with boxes, chunk, hashed embedding, annotate (nothing named), Parquet into a lake on
local disk, in this process (``workers=0``) and in one worker process. Recognition is left out by the request
(``capability_ids``), since a bare loop does none: a page without a text layer goes to manual review.
"""

import argparse
import resource
import shutil
import tempfile
import time
from pathlib import Path

from indx_core.app.ingest.batch import run_tasks
from indx_core.app.ingest.listing import Corpus, list_corpus
from indx_core.app.ingest.task import STAGES, DocumentTask
from indx_core.app.installation import Installation
from indx_core.contracts.ingest import Grain, IngestOptions
from indx_core.contracts.plan import Constraints
from indx_core.kit.lake import Lake
from indx_core.kit.settings import overriding

DEFAULT = Path(__file__).resolve().parents[2] / "shared" / "corpus" / "pdf"
OPTIONS = IngestOptions(constraints=Constraints(capability_ids=("native-extraction", "manual-review")), languages=False)


def cpu_seconds() -> float:
    """User and system seconds of this process and its finished children."""
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def bare(folder: Path) -> tuple[int, float]:
    """Pages and CPU seconds of text extraction alone."""
    import pypdfium2 as pdfium

    start, pages = cpu_seconds(), 0
    for path in sorted(folder.glob("*.pdf")):
        try:
            document = pdfium.PdfDocument(path.read_bytes())
        except pdfium.PdfiumError:
            continue
        for index in range(len(document)):
            try:
                page = document[index]
                page.get_textpage().get_text_bounded()
            except pdfium.PdfiumError:
                continue
            pages += 1
            page.close()
        document.close()
    return pages, cpu_seconds() - start


def chain(folder: Path, workers: int, most: int | None = None) -> tuple[int, int, int, float, float]:
    """Pages, chunks, refusals, CPU and wall seconds of the full chain over the first ``most`` files."""
    registry = Installation.current().registry
    sources = [s for s in list_corpus(Corpus("pdf", str(folder)), registry) if s.path.endswith(".pdf")][:most]
    lake = tempfile.mkdtemp()
    start, wall = cpu_seconds(), time.perf_counter()
    pages = chunks = refused = 0
    with overriding({"INDX_LAKE": lake, "INDX_WORKERS": str(workers)}):
        tasks = (
            DocumentTask(s.key, s.corpus, s.path, s.uri, s.source_version, s.key, STAGES, OPTIONS) for s in sources
        )
        for outcome in run_tasks(tasks, Lake.open(), Grain.SOURCE):
            refused += outcome.failure is not None
            for stage, report in outcome.reports.items():
                pages += report.facts["pages"] if stage == "observation" else 0
                chunks += report.facts["chunks"] if stage == "chunks" else 0
    shutil.rmtree(lake)
    return pages, chunks, refused, cpu_seconds() - start, time.perf_counter() - wall


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=DEFAULT)
    folder = parser.parse_args().folder
    bare(folder)  # fills the file cache and imports PDFium
    chain(folder, 0, most=3)  # imports what a worker imports once in its life
    pages, base = bare(folder)
    print(f"{'':28}{'pages':>8}{'chunks':>9}{'refused':>9}{'CPU s':>9}{'ratio':>8}{'wall s':>9}")
    print(f"{'bare PDFium text':28}{pages:>8}{'':>9}{'':>9}{base:>9.2f}{1.0:>8.2f}")
    for label, workers in (
        ("full chain, in process", 0),
        ("full chain, one worker", 1),
        ("full chain, two workers", 2),
    ):
        pages, chunks, refused, cpu, wall = chain(folder, workers)
        print(f"{label:28}{pages:>8}{chunks:>9}{refused:>9}{cpu:>9.2f}{cpu / base:>8.2f}{wall:>9.2f}")
