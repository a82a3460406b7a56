"""A corpus that is a manifest, on an empty instance and lake: what the benchmarks of both grains measure over.

Belongs here: the manifest and its documents, a session, runs in which no document is processed, and the clocks. Does
not: what is measured (``bench_shards.py``, ``bench_partitions.py``).
"""

import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from measured import Number

from indx_core.contracts.ingest import CorpusConfig, Grain, IndxConfig, IngestOptions, Stage
from indx_core.contracts.source import SourceEntry
from indx_core.kit.settings import overriding

if TYPE_CHECKING:
    from indx_core.app.ingest.listing import ListedSource
    from indx_core.app.ingest.task import DocumentOutcome, DocumentTask
    from indx_core.kit.lake import Lake
    from indx_dagster.launch import Session

ROOT = Path(__file__).resolve().parent.parent
CORPUS = "bench"
MODIFIED = 1_767_225_600.0
PARAGRAPH = (
    "Minutes {number}: the committee met on day {day} and approved {amount} yen for the repair of building {building}. "
)
_RECIPES: dict[IngestOptions, Any] = {}


class Manifest:
    """A lister of documents that need not exist: ``manifest:`` followed by their folder's URI.

    Attributes:
        revised: Documents that have another version than the first.
    """

    distribution = "bench-manifest"
    schemes = ("manifest",)

    def __init__(self, documents: int) -> None:
        self.documents = documents
        self.revised: dict[int, int] = {}

    def load(self, uri: str, _max_bytes: int | None) -> Any:
        raise NotImplementedError(uri)

    def list(self, root: str) -> Iterator[SourceEntry]:
        folder = root.removeprefix("manifest:")
        for number in range(self.documents):
            path = path_of(number)
            revision = self.revised.get(number, 0)
            yield SourceEntry(f"{folder}/{path}", path, 1_500, f"1500-{number}-{revision}", MODIFIED)


def path_of(number: int) -> str:
    """A thousand documents a folder, as an archive by date has."""
    return f"{number // 1_000:04}/議事録-{number:07}.txt"


def text_of(number: int, revision: int = 0) -> str:
    line = PARAGRAPH.format(number=number, day=number % 365, amount=1_000 + number, building=number % 97)
    return f"{line * 12}\nrevision {revision}\n"


def in_its_own_process(section: Callable[..., list[Number]], **arguments: Any) -> list[Number]:
    """What a section measured, in a process of its own, so that its peak memory is its own."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(section, **arguments).result()


@contextmanager
def opened_session(grain: Grain, shards: int, *, postgres: bool = False) -> "Iterator[Session]":
    """A session on an empty instance and lake."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        home = folder / "home"
        home.mkdir()
        storage = ""
        if postgres:
            sys.path.insert(0, str(ROOT / "tests"))  # where the server for tests is
            from postgres_server import postgres_server, programs

            where = programs()
            if where is None:
                raise SystemExit("no Postgres server on this machine")
            url = stack.enter_context(postgres_server(where)).database("bench")
            storage = f'\nstorage:\n  postgres:\n    postgres_url: "{url}"\n'
        (home / "dagster.yaml").write_text((ROOT / "dagster.yaml").read_text() + storage)
        os.environ["DAGSTER_HOME"] = str(home)  # noqa: TID251 - of this process, which measures one section
        from indx_core.kit.config import LoadedConfig
        from indx_dagster.home import prepare_home

        prepare_home()
        from indx_dagster.launch import Session

        config = IndxConfig(
            grain=grain,
            shards=shards,
            batch_size=500,
            corpora={CORPUS: CorpusConfig(root="documents")},
            ingest=IngestOptions(languages=False),
        )
        stack.enter_context(overriding({"INDX_WORKERS": "0", "INDX_LAKE": str(folder / "lake")}))
        yield Session(LoadedConfig(config, folder))


@contextmanager
def documents_left_out() -> Iterator[None]:
    """Runs in which no document is processed: the first of them is, and the others' outcomes are its, renamed.

    Data versions are made as the chain makes them, so that a later question finds every document up to date.
    """
    from unittest.mock import patch

    from indx_core.app.ingest.batch import run_tasks

    pattern: list[DocumentOutcome] = []

    def renamed(tasks: "Iterator[DocumentTask]", lake: "Lake", grain: Grain) -> "Iterator[DocumentOutcome]":
        for task in tasks:
            if not pattern:
                pattern.append(_processed(task, run_tasks))
            yield _copy(pattern[0], task, lake if grain is Grain.SOURCE else None)

    with patch("assets.run.run_tasks", renamed):
        yield


def _processed(task: "DocumentTask", run_tasks: Any) -> "DocumentOutcome":
    """One document really processed, into a lake that is thrown away."""
    from indx_core.kit.lake import Lake

    number = int(task.path.rpartition("-")[2].removesuffix(".txt"))
    with tempfile.TemporaryDirectory() as folder, overriding({"INDX_LAKE": folder}):
        file = Path(folder) / "document.txt"
        file.write_text(text_of(number), encoding="utf-8")
        (outcome,) = run_tasks([replace(task, uri=file.as_uri())], Lake.open(), Grain.SOURCE)
    assert outcome.failure is None, outcome.failure
    return outcome


def _copy(pattern: "DocumentOutcome", task: "DocumentTask", lake: "Lake | None") -> "DocumentOutcome":
    from indx_core.app.ingest.task import DocumentOutcome
    from indx_core.contracts import tables as t

    made = {stage: pattern.reports[stage].data_version for stage in (Stage.OBSERVATION, Stage.PLAN)}
    versions = derived_versions(made, task.options, task.version)
    reports = {stage: replace(report, data_version=versions[stage]) for stage, report in pattern.reports.items()}
    if lake is not None:
        for table in (t.SOURCES, t.PLANS, t.PAGES):
            lake.write(table.name, task.partition, b"PAR1")  # a name is all that is asked for
    return DocumentOutcome(task, reports=reports)


def derived_versions(made: dict[Stage, str], options: IngestOptions, source_version: str) -> dict[Stage, str]:
    """The versions of all stages from those of the first two."""
    from indx_core.app.ingest.recipe import data_version, recipes, upstream
    from indx_core.app.installation import Installation

    if options not in _RECIPES:
        _RECIPES[options] = recipes(options, Installation.current().snapshot)
    found = dict(made)
    for stage in (Stage.PAGE_READS, Stage.CHUNKS, Stage.EMBEDDINGS, Stage.ANNOTATIONS):
        above = {up: found[up] for up in upstream(stage)}
        found[stage] = data_version(stage, above, _RECIPES[options][stage], source_version)
    return found


def listed(session: "Session", manifest: Manifest) -> list["ListedSource"]:
    from indx_core.app.ingest.corpus import Corpus
    from indx_core.app.ingest.listing import list_corpus
    from indx_core.kit.registry import discover

    registry = discover()
    registry = replace(registry, loaders=(*registry.loaders, manifest))
    root = (session.loaded.folder / "documents").as_uri()
    return list_corpus(Corpus(CORPUS, f"manifest:{root}"), registry)


def listed_and_recorded(session: "Session", manifest: Manifest) -> list["ListedSource"]:
    from indx_core.app.ingest.listings import record_listing

    sources = listed(session, manifest)
    record_listing(session.lake, CORPUS, sources, session.loaded.config)
    return sources


def write_document(session: "Session", number: int, revision: int = 0) -> None:
    file = session.loaded.folder / "documents" / path_of(number)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text_of(number, revision), encoding="utf-8")


def event_bytes(session: "Session") -> float:
    """Bytes of the event log: files of SQLite, or what Postgres counts for its tables and indexes."""
    home = Path(session.instance.root_directory)
    files = sum(file.stat().st_size for file in (home / "history").rglob("*") if file.is_file())
    if "Postgres" not in type(session.instance.event_log_storage).__name__:
        return files
    from sqlalchemy import text

    with session.instance.event_log_storage.index_connection() as connection:
        return float(connection.execute(text("SELECT pg_database_size(current_database())")).scalar_one())


class Took(NamedTuple):
    """Seconds of CPU of this process, and on the clock."""

    cpu: float
    wall: float


def timed(function: Any, *arguments: Any) -> tuple[Any, Took]:
    cpu, wall = time.process_time(), time.perf_counter()
    value = function(*arguments)
    return value, Took(time.process_time() - cpu, time.perf_counter() - wall)


def cpu(what: str, took: Took, note: str = "") -> Number:
    return Number(what, took.cpu, "s CPU", note=f"wall {took.wall:.2f} s" + (f"; {note}" if note else ""))


def peak() -> float:
    """Peak resident memory of this process so far, MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
