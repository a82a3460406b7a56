"""Dagster's share of an ingestion: CPU milliseconds per one-page document through all six assets.

    python benchmarks/bench_dagster.py [--documents 200] [--repeat 3]

A real run in one process (``INDX_WORKERS=0``), started as ``indx ingest`` starts it, after a small run that paid for
imports and schema. Its CPU is split in two while it runs: what is spent inside the chain (``run_tasks``, the lake's
writes included) and everything else, which is Dagster's share. It was the difference of two runs before, one without
Dagster: 200 documents take three seconds, and what the host took differently from one run to the next (1.3 to 17.5 ms a
document within two minutes) was larger than the number. Every repetition is a process with an instance of its own.
Postgres is a real server, over its socket, whose own CPU is not part of the number.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from measured import Number, load, median_of, show, write_one_pagers

from indx_core.contracts.ingest import CorpusConfig, Grain, IndxConfig, IngestOptions
from indx_core.kit.config import LoadedConfig
from indx_core.kit.lake import Lake
from indx_core.kit.settings import overriding

if TYPE_CHECKING:
    from indx_core.app.ingest.task import DocumentOutcome, DocumentTask

T = TypeVar("T")
ROOT = Path(__file__).resolve().parent.parent
WARM = 5
DOCUMENTS, REPEAT = 200, 3


class Case(NamedTuple):
    label: str
    grain: Grain
    postgres: bool
    limit: float


CASES = (
    Case("a document each, SQLite", Grain.SOURCE, postgres=False, limit=65),
    Case("a document each, Postgres", Grain.SOURCE, postgres=True, limit=8),
    Case("{documents} documents a shard, SQLite", Grain.SHARD, postgres=False, limit=4),
)


def numbers(documents: int = DOCUMENTS, repeat: int = REPEAT) -> Iterator[Number]:
    """Dagster's share in each case."""
    sys.path.insert(0, str(ROOT / "tests"))  # where the server for tests is
    from postgres_server import postgres_server, programs

    with ExitStack() as stack:
        where = programs()
        server = stack.enter_context(postgres_server(where)) if where else None
        for case in CASES:
            if case.postgres and server is None:
                print("no Postgres server on this machine: left out", file=sys.stderr)
                continue
            shares, chains = [], []
            for turn in range(repeat):
                url = server.database(f"bench{turn}") if case.postgres and server else ""
                run, chain = _in_a_process(case.grain, url, documents)
                shares.append((run - chain) / documents * 1000)
                chains.append(chain / documents * 1000)
            label = case.label.format(documents=documents)
            note = f"the chain {sorted(chains)[repeat // 2]:.1f} ms; {load()}"
            yield median_of(f"Dagster's share, {label}", shares, "ms CPU", case.limit, note)


def _in_a_process(grain: Grain, url: str, documents: int) -> tuple[float, float]:
    """CPU seconds of a run and of the chain inside it, in a fresh process with a fresh instance."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        home.mkdir()
        storage = f'\nstorage:\n  postgres:\n    postgres_url: "{url}"\n' if url else ""
        (home / "dagster.yaml").write_text((ROOT / "dagster.yaml").read_text() + storage)
        command = [
            sys.executable,
            __file__,
            "--measure",
            grain.value,
            "--folder",
            folder,
            "--documents",
            str(documents),
        ]
        environment = {**os.environ, "DAGSTER_HOME": str(home), "PYTHONPATH": str(ROOT)}  # noqa: TID251 - a child's
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
        run, chain = json.loads(done.stdout)
    return run, chain


def measure(grain: Grain, folder: Path, documents: int) -> tuple[float, float]:
    """CPU seconds of the run, and of the chain inside it."""
    from indx_dagster.home import prepare_home

    prepare_home()
    from assets.batches import batches
    from indx_core.app.ingest.corpus import named_corpus
    from indx_dagster.launch import Session

    corpora = {name: CorpusConfig(root=name) for name in ("warm", "bench")}
    options = IngestOptions(languages=False)
    config = IndxConfig(grain=grain, shards=1, batch_size=documents, corpora=corpora, ingest=options)
    loaded = LoadedConfig(config, folder)
    for corpus, count in (("warm", WARM), ("bench", documents)):
        write_one_pagers(folder / corpus, count)
    with overriding({"INDX_WORKERS": "0", "INDX_LAKE": str(folder / "lake")}):
        session = Session(loaded)
        listed = {name: session.discover([named_corpus(name, loaded)]) for name in corpora}
        for sources in listed.values():
            (batch,) = batches(session.stale(sources), loaded)
            with _chain() as chain:
                started = time.process_time()
                assert session.run(batch).success
                run = time.process_time() - started
    return run, chain.cpu


class _Chain:
    """The chain of a run, its CPU seconds counted; those of making the tasks are not its own."""

    def __init__(self) -> None:
        self.cpu = 0.0

    def __call__(
        self, tasks: "Iterable[DocumentTask]", lake: Lake, grain: Grain
    ) -> "Generator[DocumentOutcome, None, None]":
        from indx_core.app.ingest.batch import run_tasks

        with closing(run_tasks(self._timed(iter(tasks), -1), lake, grain)) as outcomes:
            yield from self._timed(outcomes, 1)

    def _timed(self, coming: Iterator[T], sign: int) -> Iterator[T]:
        while True:
            started = time.process_time()
            found = next(coming, None)
            self.cpu += sign * (time.process_time() - started)
            if found is None:
                return
            yield found


@contextmanager
def _chain() -> Iterator[_Chain]:
    """Counts the chain of the runs inside the block."""
    import assets.run as step

    chain, plain = _Chain(), step.run_tasks
    step.run_tasks = chain
    try:
        yield chain
    finally:
        step.run_tasks = plain


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=DOCUMENTS)
    parser.add_argument("--repeat", type=int, default=REPEAT)
    parser.add_argument("--measure", type=Grain, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        print(json.dumps(measure(arguments.measure, arguments.folder, arguments.documents)))
    else:
        show(numbers(arguments.documents, arguments.repeat))
