"""Every real file beside the checkout through the whole chain: read, refused by code, or lost. Nothing may be lost.

    python benchmarks/bench_formats.py [CORPUS] [--only FOLDER …]

Each file goes through observe, plan, read, chunk, hashed embedding and Parquet in worker processes, as `indx ingest`
would take it, without recognition (`capability_ids`), since what is measured is the formats. A lost worker or an
internal error is a defect; a refusal is an answer. Peak memory is that of the fattest worker.
"""

import argparse
import resource
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from indx_core.app.ingest.batch import run_tasks
from indx_core.app.ingest.corpus import Corpus
from indx_core.app.ingest.listing import list_corpus
from indx_core.app.ingest.task import STAGES, DocumentTask
from indx_core.app.installation import Installation
from indx_core.contracts.capability import CapabilityKind
from indx_core.contracts.errors import InternalError, WorkerFailure
from indx_core.contracts.ingest import Grain, IngestOptions, Stage
from indx_core.contracts.plan import Constraints
from indx_core.kit.lake import Lake
from indx_core.kit.settings import overriding

DEFAULT = Path(__file__).resolve().parents[2] / "shared" / "corpus"
FOLDERS = ("pdf", "office", "mail", "dxf", "image", "text", "hostile/pdf", "hostile/office", "hostile/mail")
FOLDERS += ("hostile/dxf", "hostile/image", "hostile/text")
NOT_DOCUMENTS = ("**/*_truth/**", "**/reference_md/**", "**/*.json", "FEATURES.tsv", "OBSERVED*.tsv", "ENCODINGS.tsv")


@dataclass
class Row:
    """One folder's figures."""

    files: int = 0
    read: int = 0
    waiting: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    lost: list[str] = field(default_factory=list)
    seconds: float = 0.0


def measure(folder: Path, options: IngestOptions) -> Row:
    """Every file of a folder through the chain into a lake of its own."""
    registry = Installation.current().registry
    sources = list_corpus(Corpus("bench", str(folder), exclude=NOT_DOCUMENTS), registry)
    row, started = Row(files=len(sources)), time.perf_counter()
    with tempfile.TemporaryDirectory() as lake, overriding({"INDX_LAKE": lake, "INDX_WORKERS": "2"}):
        tasks = (
            DocumentTask(s.key, s.corpus, s.path, s.uri, s.source_version, s.key, STAGES, options) for s in sources
        )
        for outcome in run_tasks(tasks, Lake.open(), Grain.SOURCE):
            if outcome.failure is None:
                row.read += 1
                row.waiting += outcome.reports[Stage.PAGE_READS].facts["pages"]["unreadable"] > 0
            elif isinstance(outcome.failure.error, InternalError | WorkerFailure):
                row.lost.append(f"{outcome.task.path}: {outcome.failure.error.message}")
            else:
                row.refused[outcome.failure.error.code or outcome.failure.error.type] += 1
    row.seconds = time.perf_counter() - started
    return row


def main() -> None:
    """Print one line a folder, and every document that was lost."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", nargs="?", type=Path, default=DEFAULT)
    parser.add_argument("--only", nargs="*", default=FOLDERS)
    arguments = parser.parse_args()
    capabilities = Installation.current().snapshot.capabilities
    free = tuple(c.id for c in capabilities if c.kind in {CapabilityKind.NATIVE, CapabilityKind.MANUAL})
    options = IngestOptions(constraints=Constraints(capability_ids=free), languages=False)
    print(f"{'folder':16}{'files':>7}{'read':>7}{'to review':>11}{'lost':>6}{'wall s':>9}{'peak MB':>9}  refused")
    for name in arguments.only:
        row = measure(arguments.corpus / name, options)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        refused = ", ".join(f"{code} {count}" for code, count in sorted(row.refused.items()))
        counts = f"{row.files:>7}{row.read:>7}{row.waiting:>11}{len(row.lost):>6}"
        print(f"{name:16}{counts}{row.seconds:>9.1f}{peak:>9.0f}  {refused}")
        for lost in row.lost:
            print(f"    lost: {lost}")


if __name__ == "__main__":
    main()
