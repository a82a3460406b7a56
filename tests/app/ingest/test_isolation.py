"""Isolation with real processes: a batch full of documents that crash, hang, eat memory and kill, on two workers.

The culprits come in as any third party does: a distribution installed by pip (``tests/plugins/indx-plugin-chaos``).
"""

import os
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

import psutil
import pytest
from app.ingest.documents import Corner
from plugins.installing import install

from indx_core.app.ingest.batch import run_tasks
from indx_core.app.ingest.task import DocumentOutcome, DocumentTask
from indx_core.contracts.ingest import Grain, Stage
from indx_core.kit.lake import Lake, LakeSettings
from indx_core.kit.settings import overriding

pytestmark = pytest.mark.slow

LIMITS = {
    "INDX_WORKERS": "2",
    "INDX_PAGE_TIMEOUT_SECONDS": "15",
    "INDX_WORKER_MEMORY_BYTES": str(2**30),
}
"""Seconds enough for a worker that starts on a busy machine, and memory enough for what a clean document needs."""

CRASHED = "worker crashed (%s) reading page 2 with chaos-reader"
LOST_PAGE = {
    "segfault": CRASHED % "SIGSEGV",
    "abort": CRASHED % "SIGABRT",
    "exit": CRASHED % "exit code 0",
    "kill": CRASHED % "SIGKILL",
    "hang": "no progress for 15 s reading page 2 with chaos-reader",
    "memory": f"memory grew beyond {2**30} bytes reading page 2 with chaos-reader",
    "wrong": "nothing came back",
    "failed": "smudged",
}
"""The reason in the trace, by the directive of the second of three pages."""

BROKEN_OFF = {
    "raise": "chaos-reader broke off: ZeroDivisionError",
    "allocate": "chaos-reader broke off: MemoryError",
}
"""What a reader raises ends its attempt: the pages it had still to read descend with the one that raised."""

CLEAN = {
    "clean-1.chaos": "CHAOS\nok one\n---\nok two",
    "clean-2.chaos": "CHAOS\nslow",
    "clean-3.txt": "plain text\fof two pages",
    "clean-4.chaos": "CHAOS\nok " + "many words " * 500,
}


def three_pages(directive: str) -> str:
    return f"CHAOS\nok first\n---\n{directive}\n---\nok third"


CULPRITS = {
    **{f"page-{directive}.chaos": three_pages(directive) for directive in [*LOST_PAGE, *BROKEN_OFF]},
    "two-pages.chaos": "CHAOS\nsegfault\n---\nok\n---\nabort\n---\nok",
    "all-pages.chaos": "CHAOS\n" + "\n---\n".join(["segfault"] * 10),
    "observe-segfault.chaos": "CHAOS observe=segfault\nok",
    "chunk-abort.chaos": "CHAOS chunk=abort\nok",
}


@dataclass
class Batch:
    """A batch that was run."""

    corner: Corner
    tasks: list[DocumentTask]
    outcomes: list[DocumentOutcome]

    def outcome(self, name: str) -> DocumentOutcome:
        return next(outcome for outcome in self.outcomes if outcome.task.path == name)

    def rows(self, table: str, name: str) -> list[dict]:
        task = self.outcome(name).task
        found = self.corner.lake.read_document(table, task.partition, task.key)
        return found.to_pylist() if found else []

    def pages(self, name: str) -> list[tuple[int, str, str]]:
        return [(row["page"], row["status"], row["text"]) for row in self.rows("pages", name)]

    def objects(self, names: Iterable[str]) -> dict[str, bytes]:
        """The Parquet objects of these documents by name, clocked tables left out."""
        return {path: data for path, data in self.corner.objects().items() if any(name in path for name in names)}


@pytest.fixture(scope="module", autouse=True)
def _chaos(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The plugin on the path of the workers, which take that of their parent."""
    target = tmp_path_factory.mktemp("chaos")
    install("indx-plugin-chaos", target)
    sys.path.insert(0, str(target))
    yield
    sys.path.remove(str(target))


def children() -> set[int]:
    found = psutil.Process().children(recursive=True)
    return {child.pid for child in found if "resource_tracker" not in " ".join(child.cmdline())}


def run(corner: Corner, lake: Path, names: Iterable[str]) -> Batch:
    """Run documents of the corner into a lake of their own."""
    corner = copy(corner)
    corner.lake = Lake.open(LakeSettings(lake=str(lake)))
    tasks = [corner.task(name) for name in names]
    before = children()
    with overriding({**LIMITS, "INDX_LAKE": str(lake)}):
        outcomes = list(run_tasks(tasks, corner.lake, corner.config.grain))
    assert children() == before, "a worker was left"
    return Batch(corner, tasks, outcomes)


@pytest.fixture(scope="module")
def corner(tmp_path_factory: pytest.TempPathFactory) -> Corner:
    found = Corner(tmp_path_factory.mktemp("corner"))
    for name, text in {**CLEAN, **CULPRITS}.items():
        found.write(name, text)
    return found


@pytest.fixture(scope="module")
def mixed(corner: Corner, tmp_path_factory: pytest.TempPathFactory) -> Batch:
    """Culprits with a clean document between every few of them."""
    culprits, clean = list(CULPRITS), list(CLEAN)
    names = [name for n, culprit in enumerate(culprits) for name in (culprit, *clean[n : n + 1])]
    return run(corner, tmp_path_factory.mktemp("mixed"), names)


def test_there_is_one_outcome_per_task_in_the_order_of_the_tasks(mixed: Batch) -> None:
    assert [outcome.task for outcome in mixed.outcomes] == mixed.tasks


def test_clean_documents_are_written_byte_for_byte_as_in_a_run_without_culprits(mixed: Batch, tmp_path: Path) -> None:
    alone = run(mixed.corner, tmp_path, CLEAN)
    assert [outcome.failure for outcome in alone.outcomes] == [None] * len(CLEAN)
    assert mixed.objects(CLEAN) == alone.objects(CLEAN)
    assert {path.split("/")[0] for path in alone.objects(CLEAN)} >= {"sources", "plans", "pages", "chunks", "vectors"}


@pytest.mark.parametrize("directive", LOST_PAGE)
def test_a_culprit_costs_exactly_its_page_which_descends_to_a_person(mixed: Batch, directive: str) -> None:
    name = f"page-{directive}.chaos"
    assert mixed.outcome(name).failure is None
    assert mixed.pages(name) == [(1, "completed", "first"), (2, "unreadable", ""), (3, "completed", "third")]
    (lost,) = [row for row in mixed.rows("trace", name) if row["status"] == "failed"]
    assert (lost["scope"], lost["actual_capability_id"], lost["reason"]) == (
        "page:2",
        "chaos-reader",
        LOST_PAGE[directive],
    )


@pytest.mark.parametrize("directive", BROKEN_OFF)
def test_an_exception_ends_the_attempt_and_keeps_what_was_read_before(mixed: Batch, directive: str) -> None:
    name = f"page-{directive}.chaos"
    assert [status for _, status, _ in mixed.pages(name)] == ["completed", "unreadable", "unreadable"]
    reasons = {row["reason"] for row in mixed.rows("trace", name) if row["status"] == "failed"}
    assert reasons == {BROKEN_OFF[directive]}


def test_two_pages_that_cost_a_worker_each_are_left_out_one_after_the_other(mixed: Batch) -> None:
    assert [status for _, status, _ in mixed.pages("two-pages.chaos")] == [
        "unreadable",
        "completed",
        "unreadable",
        "completed",
    ]


@pytest.mark.parametrize(
    ("name", "stage", "standing"),
    [
        ("observe-segfault.chaos", Stage.OBSERVATION, []),
        ("all-pages.chaos", Stage.PAGE_READS, ["plans", "sources"]),
        ("chunk-abort.chaos", Stage.CHUNKS, ["pages", "plans", "sources"]),
    ],
)
def test_what_is_lost_outside_a_page_is_a_refusal_of_its_stage_and_the_stages_before_stand(
    mixed: Batch, name: str, stage: Stage, standing: list[str]
) -> None:
    (refusal,) = mixed.rows("refusals", name)
    assert (refusal["stage"], refusal["code"], refusal["cause"]) == (stage.value, "worker_crashed", "permanent")
    found = {path.split("/")[0] for path in mixed.objects([name])} - {"refusals"}
    assert sorted(found) == standing


def test_a_page_read_in_spite_of_a_culprit_gives_the_chunks_it_gives_without(mixed: Batch) -> None:
    chunks = mixed.rows("chunks", "page-segfault.chaos")
    assert [(row["page"], row["text"]) for row in chunks] == [(1, "first"), (3, "third")]


def test_kill_9_from_outside_costs_nothing_at_all(corner: Corner, tmp_path: Path) -> None:
    """Nobody can say that the document did it, so it is read again as it is."""
    note = tmp_path / "pid"
    corner.write("victim.chaos", f"CHAOS\nok before\n---\nwait {note}\n---\nok after")

    def kill() -> None:
        while not note.exists():
            time.sleep(0.05)
        os.kill(int(note.read_text()), signal.SIGKILL)

    killer = Thread(target=kill, daemon=True)
    killer.start()
    batch = run(corner, tmp_path / "lake", ["clean-1.chaos", "victim.chaos", "clean-2.chaos"])
    killer.join(timeout=1)
    assert not killer.is_alive(), "nobody was killed"
    assert [outcome.failure for outcome in batch.outcomes] == [None] * 3
    assert [(status, text) for _, status, text in batch.pages("victim.chaos")] == [
        ("completed", "before"),
        ("completed", "waited"),
        ("completed", "after"),
    ]
    assert {row["status"] for row in batch.rows("trace", "victim.chaos")} == {"completed"}


def test_at_shard_grain_culprits_and_clean_documents_share_objects_and_nothing_is_lost(tmp_path: Path) -> None:
    sharded = Corner(tmp_path, Grain.SHARD)
    names = ["page-segfault.chaos", "clean-1.chaos", "observe-segfault.chaos", "clean-3.txt"]
    for name in names:
        sharded.write(name, {**CLEAN, **CULPRITS}[name])
    batch = run(sharded, tmp_path / "lake", names)
    statuses = {name: [status for _, status, _ in batch.pages(name)] for name in names}
    assert statuses == {
        "page-segfault.chaos": ["completed", "unreadable", "completed"],
        "clean-1.chaos": ["completed", "completed"],
        "observe-segfault.chaos": [],
        "clean-3.txt": ["completed", "completed"],
    }
    assert len(batch.rows("refusals", "observe-segfault.chaos")) == 1
