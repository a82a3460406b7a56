"""The judgement passed on a worker, and the words for a death: plain values, no processes."""

import time

import pytest

from indx_core.contracts.errors import DocumentTimeout, MemoryExceeded
from indx_core.kit.settings import overriding
from indx_core.kit.workers import WorkerSettings, beat
from indx_core.kit.workers.heartbeat import Pulse
from indx_core.kit.workers.limits import Limits, crash

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
    breach = LIMITS.breach(running=running, silent=silent, resident=resident, page=4)
    assert (type(breach) if breach else None) == expected
    assert breach is None or breach.details["page"] == 4
    assert NONE.breach(running=running, silent=silent, resident=resident, page=None) is None


@pytest.mark.parametrize(("served", "resident", "expected"), [(2, 750, False), (3, 0, True), (0, 751, True)])
def test_a_worker_is_worn_by_documents_or_by_memory(served: int, resident: int, expected: bool) -> None:
    assert LIMITS.worn(served=served, resident=resident) is expected
    assert not NONE.worn(served=served, resident=resident)


@pytest.mark.parametrize(
    ("exit_code", "page", "details"),
    [
        (-11, 2, {"page": 2, "signal": "SIGSEGV"}),
        (-200, None, {"signal": "signal 200"}),
        (3, None, {"exit_code": 3}),
        (None, None, {"exit_code": None}),
    ],
)
def test_a_death_is_told_by_its_signal_or_its_exit_code(
    exit_code: int | None, page: int | None, details: dict[str, object]
) -> None:
    assert crash(exit_code, page).details == details


def test_zero_is_no_limit() -> None:
    off = {"INDX_PAGE_TIMEOUT_SECONDS": "0", "INDX_WORKER_MAX_DOCUMENTS": "0"}
    with overriding(off):
        assert Limits.of(WorkerSettings.load(), task_seconds=0, memory_bytes=0) == NONE


def test_a_new_task_begins_without_a_page() -> None:
    """Else a crash before the first page would be laid to the last page of the document before."""
    pulse = Pulse([0.0, 0.0, 0.0])
    pulse.begin(1)
    pulse.beat(12)
    assert (pulse.task, pulse.page) == (1, 12)
    before = time.monotonic()
    pulse.begin(2)
    assert (pulse.task, pulse.page) == (2, None)
    assert pulse.last >= before


def test_a_beat_outside_a_worker_does_nothing() -> None:
    beat(page=1)
