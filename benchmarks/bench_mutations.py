"""Mutated files of every format through the real batch run: every one accounted for, none of them an unhandled error.

Usage: ``python benchmarks/bench_mutations.py [--count 10000] [--seed 1] [--workers 2] [--ocr] [--keep FOLDER]
[--corpus FOLDER]``.

Seeds are the corpus's ordinary files. Each input is one seed with one to four mutations, the same for the same seed
and number. It goes through ``run_tasks`` on worker processes into a lake of its own, and is then looked up there: its
pages, each exactly once, or its refusal row. Printed by format: inputs read, pages that wait for a person, refusals by
code (with the class of an exception that intake had to type), workers lost, and defects: errors nobody typed, whether
they stopped the document (``internal_error``), a reader's attempt or a chunker. ``--keep`` writes the inputs with
defects or lost workers to a folder. Recognition is left out unless ``--ocr``: it costs seconds a page and sees pixels,
not files.
"""

import argparse
import io
import random
import re
import sys
import tempfile
import time
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from indx_core.app.ingest.batch import run_tasks
from indx_core.app.ingest.task import STAGES, DocumentOutcome, DocumentTask
from indx_core.app.installation import Installation
from indx_core.contracts import tables as t
from indx_core.contracts.capability import CapabilityKind
from indx_core.contracts.errors import InternalError, WorkerFailure
from indx_core.contracts.ingest import Grain, IngestOptions, Stage
from indx_core.contracts.plan import Constraints
from indx_core.kit.lake import Lake, LakeSettings
from indx_core.kit.settings import overriding

DEFAULT_CORPUS = Path(__file__).resolve().parent.parent.parent / "shared" / "corpus"
FORMATS = {
    "pdf": (".pdf",),
    "text": (".txt", ".csv", ".tsv"),
    "office": (".docx", ".docm", ".xlsx", ".xlsm", ".pptx", ".pptm"),
    "mail": (".eml",),
    "dxf": (".dxf", ".dxfb"),
    "image": (".tif", ".tiff", ".jpg", ".jpeg", ".png"),
}
LARGEST_SEED = 1_000_000
"""Bytes; larger seeds take their time and break in no other way."""

PROGRESS = 500
"""Inputs between two signs of life: the full run takes more than an hour."""

LIMITS = {
    "INDX_PAGE_TIMEOUT_SECONDS": "60",
    "INDX_DOCUMENT_TIMEOUT_SECONDS": "180",
}
LOST = ("worker crashed", "no progress", "memory grew", "the machine ran out", "an allocation")
"""How the reason of an attempt begins that cost a worker."""

UNTYPED = re.compile(r"\((?!indx_core)\w*(?:Error|Exception|Warning|error)\)$")
"""End of the message of a refusal that intake made of an exception nobody had typed."""

Mutation = Callable[[random.Random, bytes], bytes]


# -- mutations --------------------------------------------------------------------------------------------------------


def flip(chance: random.Random, data: bytes) -> bytes:
    """Some bytes become others."""
    found = bytearray(data)
    for _ in range(chance.choice((1, 4, 32, max(1, len(data) // 200)))):
        found[chance.randrange(len(found))] = chance.randrange(256)
    return bytes(found)


def truncate(chance: random.Random, data: bytes) -> bytes:
    """The end is missing."""
    return data[: chance.randrange(len(data))]


def swap(chance: random.Random, data: bytes) -> bytes:
    """Two blocks change places."""
    size = min(chance.choice((16, 256, 4096)), len(data) // 2)
    first, second = sorted(chance.randrange(len(data) - size + 1) for _ in range(2))
    second = max(second, first + size)
    blocks = data[first : first + size], data[second : second + size]
    return data[:first] + blocks[1] + data[first + size : second] + blocks[0] + data[second + size :]


def insert(chance: random.Random, data: bytes) -> bytes:
    """Something is there that was not: noise, zeros, or a piece of the file once more."""
    size = chance.choice((1, 7, 64, 2048))
    start = chance.randrange(len(data))
    piece = chance.choice((chance.randbytes(size), bytes(size), data[start : start + size]))
    at = chance.randrange(len(data) + 1)
    return data[:at] + piece + data[at:]


def cut(chance: random.Random, data: bytes) -> bytes:
    """A piece is missing."""
    start = chance.randrange(len(data))
    return data[:start] + data[start + chance.choice((1, 7, 64, 2048)) :]


def binary_length(chance: random.Random, data: bytes) -> bytes:
    """A field of two or four bytes holds an extreme number, as a lying length or offset does."""
    size, order = chance.choice((2, 4)), chance.choice(("little", "big"))
    limit = 2 ** (8 * size)
    value = chance.choice((0, 1, limit - 1, limit // 2 - 1, limit // 2, len(data) % limit, chance.randrange(limit)))
    at = chance.randrange(max(1, len(data) - size))
    return data[:at] + value.to_bytes(size, order) + data[at + size :]


def written_length(chance: random.Random, data: bytes) -> bytes:
    """A number in digits becomes another: lengths, offsets and counts of PDF, XML and DXF."""
    digits = [at for at in range(len(data)) if data[at : at + 1].isdigit()][:200_000]
    if not digits:
        return binary_length(chance, data)
    start = end = chance.choice(digits)
    while end < len(data) and data[end : end + 1].isdigit():
        end += 1
    value = chance.choice((b"0", b"-1", b"1", b"65536", b"2147483647", b"4294967296", b"99999999999999999999"))
    return data[:start] + value + data[end:]


def member(chance: random.Random, data: bytes) -> bytes:
    """A mutation inside a packed file, packed again: past the checksum, where the XML is."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = {info.filename: archive.read(info) for info in archive.infolist()}
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, ValueError, OSError):
        return flip(chance, data)
    filled = sorted(name for name, content in members.items() if len(content) > 16)
    if not filled:
        return flip(chance, data)
    chosen = chance.choice(filled)
    members[chosen] = chance.choice(PLAIN)(chance, members[chosen])
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return packed.getvalue()


PLAIN: tuple[Mutation, ...] = (flip, truncate, swap, insert, cut, binary_length, written_length)
PACKED: tuple[Mutation, ...] = (member, member, member, *PLAIN)


def mutated(seed: int, number: int, seeds: Sequence[Path]) -> tuple[Path, bytes]:
    """Input ``number`` of a run: the file it was made from, and its bytes."""
    chance = random.Random(f"{seed}/{number}")
    path = chance.choice(seeds)
    data = path.read_bytes()
    for _ in range(chance.choice((1, 1, 2, 4))):
        if len(data) > 16:
            data = chance.choice(PACKED if data.startswith(b"PK") else PLAIN)(chance, data)
    return path, data


# -- the run ----------------------------------------------------------------------------------------------------------


@dataclass
class Tally:
    """What became of the inputs of one format. Everything but ``seconds`` counts inputs or, where it says so, pages."""

    inputs: int = 0
    read: int = 0
    pages: int = 0
    waiting_pages: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    lost_workers: Counter[str] = field(default_factory=Counter)
    internal: int = 0
    defects: Counter[str] = field(default_factory=Counter)
    unaccounted: list[str] = field(default_factory=list)
    seconds: float = 0.0


@dataclass
class Report:
    """A whole run. ``left`` are processes that outlived it."""

    formats: dict[str, Tally]
    wall: float
    left: int


class Mutations:
    """The inputs of one run, written as they are asked for, looked up when they are done, and removed."""

    def __init__(self, corpus: Path, folder: Path, seed: int, options: IngestOptions, keep: Path | None) -> None:
        self.seeds = {name: _seeds(corpus / name, endings) for name, endings in FORMATS.items()}
        self.folder = folder
        self.seed = seed
        self.options = options
        self.keep = keep
        self.tallies = {name: Tally() for name, seeds in self.seeds.items() if seeds}

    def tasks(self, count: int) -> Iterator[DocumentTask]:
        names = list(self.tallies)
        for number in range(count):
            name = names[number % len(names)]
            origin, data = mutated(self.seed, number, self.seeds[name])
            path = self.folder / f"{number:05d}_{name}_{origin.name}"
            path.write_bytes(data)
            key = f"mutations/{path.name}"
            yield DocumentTask(key, "mutations", path.name, path.as_uri(), "1", key, STAGES, self.options)

    def account(self, outcome: DocumentOutcome, lake: Lake) -> None:
        """Count an outcome by what the lake holds of it."""
        task = outcome.task
        tally = self.tallies[task.path.split("_")[1]]
        tally.inputs += 1
        tally.seconds += outcome.cpu_ms / 1000
        if outcome.failure is None:
            self._account_pages(outcome, lake, tally)
        elif lake.read_document(t.REFUSALS.name, task.partition, task.key) is None:
            tally.unaccounted.append(f"{task.path}: no refusal row")
        else:
            error = outcome.failure.error
            typed_late = UNTYPED.search(error.message)
            what = f"{outcome.failure.stage.value}:{error.code or error.type}"
            tally.refused[f"{what} {typed_late.group()}" if typed_late else what] += 1
            tally.internal += isinstance(error, InternalError)
        lost, defects = _lost(outcome, lake), _defects(outcome, lake)
        tally.lost_workers.update(lost)
        tally.defects.update(defects)
        path = self.folder / task.path
        if self.keep is not None and (lost or defects):
            self.keep.mkdir(parents=True, exist_ok=True)
            (self.keep / task.path).write_bytes(path.read_bytes())
            print(f"{task.path}: {'; '.join((*lost, *defects))}", file=sys.stderr)
        path.unlink()
        for table in (*t.TABLES, *(item.name.rpartition("/")[0] for item in lake.objects(t.VECTORS.name))):
            lake.delete(table, task.partition)

    def _account_pages(self, outcome: DocumentOutcome, lake: Lake, tally: Tally) -> None:
        task = outcome.task
        pages = lake.read_document(t.PAGES.name, task.partition, task.key)
        observed = outcome.reports[Stage.PAGE_READS].facts["pages_observed"]
        numbers = pages.column("page").to_pylist() if pages is not None else []
        if numbers != list(range(1, observed + 1)):
            tally.unaccounted.append(f"{task.path}: {observed} pages observed, {len(numbers)} in the lake")
            return
        tally.read += 1
        tally.pages += observed
        tally.waiting_pages += sum(status != "completed" for status in pages.column("status").to_pylist())


def _lost(outcome: DocumentOutcome, lake: Lake) -> list[str]:
    failure = outcome.failure
    found = [failure.error.message] if failure and isinstance(failure.error, WorkerFailure) else []
    return found + [reason for reason in _reasons(outcome, lake) if reason.startswith(LOST)]


def _defects(outcome: DocumentOutcome, lake: Lake) -> list[str]:
    """Errors nobody typed, each where it was caught."""
    found = [reason for reason in _reasons(outcome, lake) if " broke off: " in reason]
    if outcome.failure and isinstance(outcome.failure.error, InternalError):
        found.append(outcome.failure.error.message)
    if Stage.CHUNKS in outcome.reports:
        findings = outcome.reports[Stage.CHUNKS].facts["findings"]
        found += [each["message"].partition("\n")[0] for each in findings if each["code"] == "chunker_failed"]
    return found


def _reasons(outcome: DocumentOutcome, lake: Lake) -> list[str]:
    trace = lake.read_document(t.TRACE.name, outcome.task.partition, outcome.task.key)
    return [] if trace is None else sorted({reason for reason in trace.column("reason").to_pylist() if reason})


def _seeds(folder: Path, endings: tuple[str, ...]) -> list[Path]:
    found = sorted(path for path in folder.rglob("*") if path.suffix.lower() in endings)
    return [path for path in found if 0 < path.stat().st_size <= LARGEST_SEED]


def _options(*, ocr: bool) -> IngestOptions:
    slow = (CapabilityKind.VLM,) if ocr else (CapabilityKind.OCR, CapabilityKind.VLM)
    allowed = [each.id for each in Installation.current().snapshot.capabilities if each.kind not in slow]
    return IngestOptions(constraints=Constraints(capability_ids=tuple(allowed)), languages=False)


def run(
    corpus: Path, count: int, seed: int, *, workers: int = 2, ocr: bool = False, keep: Path | None = None
) -> Report:
    """Run ``count`` inputs. Needs a corpus with at least one of the folders of ``FORMATS``."""
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory() as work:
        inputs = Path(work) / "inputs"
        inputs.mkdir()
        settings = {**LIMITS, "INDX_WORKERS": str(workers), "INDX_LAKE": str(Path(work) / "lake")}
        with overriding(settings):
            mutations = Mutations(corpus, inputs, seed, _options(ocr=ocr), keep)
            lake = Lake.open(LakeSettings.load())
            for done, outcome in enumerate(run_tasks(mutations.tasks(count), lake, Grain.SOURCE), 1):
                mutations.account(outcome, lake)
                if done % PROGRESS == 0:
                    print(f"{done} of {count} after {time.perf_counter() - begun:.0f} s", file=sys.stderr, flush=True)
    left = [child for child in psutil.Process().children(recursive=True) if child.pid not in before]
    still = [child for child in left if "resource_tracker" not in " ".join(child.cmdline())]
    return Report(mutations.tallies, time.perf_counter() - begun, len(still))


def show(report: Report) -> None:
    print("format   inputs   read  pages waiting  refused  workers lost  internal  other defects  CPU s")
    for name, tally in report.formats.items():
        refused, lost = tally.refused.total(), tally.lost_workers.total()
        print(
            f"{name:8} {tally.inputs:6} {tally.read:6} {tally.pages:6} {tally.waiting_pages:7} {refused:8} {lost:13}"
            f" {tally.internal:9} {tally.defects.total() - tally.internal:14} {tally.seconds:6.0f}"
        )
    for name, tally in report.formats.items():
        for label, counted in (("refused", tally.refused), ("lost", tally.lost_workers), ("defect", tally.defects)):
            for what, times in counted.most_common():
                print(f"{name}: {label} {times}x {what}")
        for line in tally.unaccounted:
            print(f"{name}: UNACCOUNTED {line}")
    inputs = sum(tally.inputs for tally in report.formats.values())
    print(f"{inputs} inputs in {report.wall:.0f} s; processes left: {report.left}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--ocr", action="store_true")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--corpus", type=Path, default=DEFAULT_CORPUS)
    given = parser.parse_args()
    show(run(given.corpus, given.count, given.seed, workers=given.workers, ocr=given.ocr, keep=given.keep))
