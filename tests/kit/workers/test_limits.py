"""The judgement passed on a worker, and the words for a death: plain values, no processes."""

import time

import pytest

from indx_core.contracts.errors import DocumentTimeout, MemoryExceeded
from indx_core.kit.settings import overriding
from indx_core.kit.workers import kernel
from indx_core.kit.workers.heartbeat import Cells, Position, Pulse, beat, enter
from indx_core.kit.workers.kernel import memory_kills
from indx_core.kit.workers.limits import Limits, crash, located
from indx_core.kit.workers.settings import WorkerSettings

LIMITS = Limits(task_seconds=10, page_seconds=5, memory_bytes=1000, tasks=3, threads=1)
NONE = Limits(task_seconds=None, page_seconds=None, memory_bytes=None, tasks=None, threads=1)


@pytest.mark.parametrize(
    ("running", "silent", "resident", "expected"),
    [
        (10, 5, 1000, None),
        (10.1, 0, 0, DocumentTimeout),
        (6, 5.1, 0, DocumentTimeout),
        (1, 1, 1001, MemoryExceeded),
        (99, 99, 1001, MemoryExceeded),
    ],
)
def test_a_limit_is_breached_beyond_it_and_not_at_it(
    running: float, silent: float, resident: int, expected: type[Exception] | None
) -> None:
    breach = LIMITS.breach(running=running, silent=silent, resident=resident)
    assert (type(breach) if breach else None) == expected
    assert NONE.breach(running=running, silent=silent, resident=resident) is None


@pytest.mark.parametrize(("served", "resident", "expected"), [(2, 750, False), (3, 0, True), (0, 751, True)])
def test_a_worker_is_worn_by_documents_or_by_memory(served: int, resident: int, expected: bool) -> None:
    assert LIMITS.worn(served=served, resident=resident) is expected
    assert not NONE.worn(served=served, resident=resident)


@pytest.mark.parametrize(
    ("exit_code", "for_memory", "expected"),
    [
        (-11, False, "WorkerCrashed: worker crashed (SIGSEGV)"),
        (-11, True, "WorkerCrashed: worker crashed (SIGSEGV)"),
        (-200, False, "WorkerCrashed: worker crashed (signal 200)"),
        (3, True, "WorkerCrashed: worker crashed (exit code 3)"),
        (None, False, "WorkerCrashed: worker crashed (exit code None)"),
        (-9, False, "WorkerCrashed: worker crashed (SIGKILL)"),
        (-9, True, "MemoryExceeded: the machine ran out of memory and its kernel killed the worker"),
    ],
)
def test_a_death_is_told_by_its_signal_or_its_exit_code(exit_code: int | None, for_memory: bool, expected: str) -> None:
    """The kernel's own kill has the exit code of any other; what tells them apart is that it counted one."""
    error = crash(exit_code, for_memory=for_memory)
    assert f"{type(error).__name__}: {error.message}" == expected


@pytest.mark.parametrize(
    ("position", "phrase", "details"),
    [
        (Position(), "", {}),
        (Position("chunks"), " in chunks", {"stage": "chunks"}),
        (Position("", "", 7), " reading page 7", {"page": 7}),
        (
            Position("page_reads", "generic-ocr", 3),
            " reading page 3 with generic-ocr",
            {"stage": "page_reads", "capability_id": "generic-ocr", "page": 3},
        ),
    ],
)
def test_an_error_says_where_the_task_was(position: Position, phrase: str, details: dict[str, object]) -> None:
    error = located(DocumentTimeout("no progress", remedy="wait", details={"limit_seconds": 1}), position)
    assert isinstance(error, DocumentTimeout)
    assert (error.message, error.remedy) == (f"no progress{phrase}", "wait")
    assert error.details == {**details, "limit_seconds": 1}


def test_zero_is_no_limit() -> None:
    off = {"INDX_PAGE_TIMEOUT_SECONDS": "0", "INDX_WORKER_MAX_DOCUMENTS": "0"}
    with overriding(off):
        assert Limits.of(WorkerSettings.load(), task_seconds=0, memory_bytes=0) == NONE


def test_a_new_task_begins_nowhere() -> None:
    """Else a crash before the first page would be laid to the last page of the document before."""
    pulse = Pulse(Cells())
    pulse.begin()
    pulse.enter("page_reads")
    pulse.beat(12, "generic-ocr")
    assert (pulse.begun, pulse.position) == (1, Position("page_reads", "generic-ocr", 12))
    before = time.monotonic()
    pulse.begin()
    assert (pulse.begun, pulse.position) == (2, Position())
    assert pulse.last >= before


def test_a_sign_without_a_place_leaves_the_place_and_a_new_stage_leaves_it_behind() -> None:
    pulse = Pulse(Cells())
    pulse.beat(12, "generic-ocr")
    pulse.beat()
    pulse.beat(13)
    assert pulse.position == Position("", "generic-ocr", 13)
    pulse.enter("chunks")
    assert pulse.position == Position("chunks")


def test_another_capability_is_never_seen_at_the_page_of_the_one_before() -> None:
    pulse = Pulse(Cells())
    pulse.beat(12, "native")
    pulse.beat(capability_id="generic-ocr")
    assert pulse.position == Position("", "generic-ocr", None)


def test_a_name_too_long_for_the_cells_is_cut_and_harms_nothing() -> None:
    pulse = Pulse(Cells())
    pulse.beat(1, "é" * 100)
    pulse.beat(2)
    assert pulse.position == Position("", "é" * 63, 2)


def test_a_sign_outside_a_worker_does_nothing() -> None:
    beat(page=1)
    enter("chunks")


def test_the_kernels_count_of_its_kills_never_falls() -> None:
    assert 0 <= memory_kills() <= memory_kills()


def test_a_count_of_kills_is_not_read_again_for_every_task(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that reads a page in 3 ms would be asked about the kernel as often."""
    counts = iter([3, 4])
    monkeypatch.setattr(kernel, "memory_kills", lambda: next(counts))
    recent = kernel.RecentKills()
    assert [recent.count(), recent.count()] == [3, 3]
    monkeypatch.setattr(kernel, "RECENT_SECONDS", -1.0)
    assert recent.count() == 4
