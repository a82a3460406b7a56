"""The pool's promise, kept against real processes: one outcome per task, in order, whatever a task does."""

import itertools
import os
import pickle
import random
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from pathlib import Path

import psutil
import pytest
from kit.workers import worker_jobs

from indx_core.contracts.errors import (
    DocumentTimeout,
    InternalError,
    MemoryExceeded,
    SettingsInvalid,
    SourceEncrypted,
    WorkerCrashed,
)
from indx_core.kit.workers.pool import AHEAD, WorkerPool

MIB = 2**20


def pool(
    *, workers: int = 1, seconds: float | None = None, memory: int | None = None, **settings: object
) -> WorkerPool[str, object]:
    return WorkerPool(
        worker_jobs.perform,
        initializer=worker_jobs.mark,
        environment={name: str(value) for name, value in settings.items()},
        workers=workers,
        task_seconds=seconds,
        memory_bytes=memory,
    )


@pytest.fixture(scope="module")
def shared() -> Iterator[WorkerPool[str, object]]:
    """One pool that all culprits of this module meet: what one leaves behind must not trouble the next."""
    with pool(workers=2) as found:
        yield found


def wait_until(condition: Callable[[], bool], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "never happened"
        time.sleep(0.02)


def running(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.mark.parametrize(
    ("task", "error", "details"),
    [
        ("abort", WorkerCrashed, {"signal": "SIGABRT"}),
        ("segfault", WorkerCrashed, {"signal": "SIGSEGV"}),
        ("exit:5", WorkerCrashed, {"exit_code": 5}),
        ("exit:0", WorkerCrashed, {"exit_code": 0}),
        ("bomb", WorkerCrashed, {"signal": "SIGKILL"}),
        ("sysexit", InternalError, {"exception": "SystemExit"}),
        ("typed", SourceEncrypted, {"hint": "ask"}),
        ("untyped", InternalError, {"exception": "ZeroDivisionError"}),
        ("unpicklable", InternalError, {"exception": "RuntimeError"}),
        ("unloadable", InternalError, {"exception": "RuntimeError"}),
        (
            "read:4",
            WorkerCrashed,
            {"stage": "page_reads", "capability_id": "generic-ocr", "page": 4, "signal": "SIGSEGV"},
        ),
    ],
)
def test_a_culprit_costs_itself_and_its_neighbours_end_as_without_it(
    shared: WorkerPool[str, object], task: str, error: type[Exception], details: dict[str, object]
) -> None:
    """ "bomb" dies while it sends its result, which in one pool shared by all workers takes the neighbours along."""
    outcomes = list(shared.map_in_order(["echo:a", "echo:b", task, "echo:c", "echo:d", "echo:e"]))
    assert [o.value for o in outcomes] == ["A", "B", None, "C", "D", "E"]
    assert [type(o.error) for o in outcomes if o.error] == [error]
    assert outcomes[2].error is not None
    assert outcomes[2].error.details == details


def test_an_untyped_error_is_logged_and_its_text_goes_no_further(
    shared: WorkerPool[str, object], caplog: pytest.LogCaptureFixture
) -> None:
    error = shared.submit("untyped").result().error
    assert error is not None
    assert "secret" not in f"{error.message} {error.details}"
    assert "ZeroDivisionError: secret" in caplog.text


def test_a_typed_error_arrives_whole(shared: WorkerPool[str, object]) -> None:
    error = shared.submit("typed").result().error
    assert isinstance(error, SourceEncrypted)
    assert (error.message, error.param, error.remedy) == (
        "it needs a password",
        "source.path",
        SourceEncrypted.remedy,
    )


def test_a_task_that_cannot_be_pickled_fails_alone() -> None:
    with WorkerPool(str, environment={}, workers=1, task_seconds=None, memory_bytes=None) as found:
        outcomes = list(found.map_in_order([1, worker_jobs.Unpicklable(), worker_jobs.Unloadable(), 2]))
    assert [o.value for o in outcomes] == ["1", None, None, "2"]
    assert [type(o.error) for o in outcomes] == [type(None), InternalError, InternalError, type(None)]


def test_work_that_cannot_be_pickled_is_refused_when_the_pool_is_made() -> None:
    with pytest.raises((pickle.PicklingError, AttributeError)):
        WorkerPool(lambda x: x, environment={}, workers=1, task_seconds=None, memory_bytes=None)


def test_kill_9_costs_exactly_the_task_being_worked_on(shared: WorkerPool[str, object], tmp_path: Path) -> None:
    note = tmp_path / "pid"
    futures = [shared.submit(task) for task in (f"announce:{note}", "echo:a", "echo:b", "echo:c")]
    wait_until(lambda: note.exists() and note.read_text() != "")
    os.kill(int(note.read_text()), signal.SIGKILL)
    outcomes = [future.result(timeout=30) for future in futures]
    assert [o.value for o in outcomes] == [None, "A", "B", "C"]
    assert isinstance(outcomes[0].error, WorkerCrashed)
    assert outcomes[0].error.details == {"signal": "SIGKILL", "page": 7}


def test_a_worker_that_died_is_seen_dead_though_a_process_of_its_own_holds_the_line(
    shared: WorkerPool[str, object], tmp_path: Path
) -> None:
    note = tmp_path / "pid"
    try:
        error = shared.submit(f"orphan:{note}").result(timeout=30).error
    finally:
        os.kill(int(note.read_text()), signal.SIGKILL)
    assert isinstance(error, WorkerCrashed)
    assert error.details == {"exit_code": 5}


def test_kill_9_of_an_idle_worker_costs_nothing() -> None:
    with pool() as found:
        for pause in (0.0, 0.3):
            pid = found.submit("pid").result().value
            assert isinstance(pid, int)
            os.kill(pid, signal.SIGKILL)
            time.sleep(pause)
            assert found.submit("echo:a").result(timeout=30).value == "A"


def test_a_loop_that_never_returns_to_python_is_killed_by_the_wall_clock_of_its_document() -> None:
    with pool(seconds=0.5) as found:
        hang, echo = found.map_in_order(["hang", "echo:a"])
    assert isinstance(hang.error, DocumentTimeout)
    assert hang.error.details == {"limit_seconds": 0.5, "clock": "document", "page": 3}
    assert echo.value == "A"


def test_silence_is_killed_by_the_wall_clock_of_a_page_and_progress_is_not() -> None:
    with pool(seconds=60, INDX_PAGE_TIMEOUT_SECONDS=1.5) as found:
        pages, hang = found.map_in_order(["pages:12", "hang"])
    assert pages.value == 12
    assert isinstance(hang.error, DocumentTimeout)
    assert "INDX_PAGE_TIMEOUT_SECONDS" in hang.error.remedy


def test_memory_that_grows_beyond_the_limit_costs_the_document_that_took_it() -> None:
    with pool(memory=200 * MIB) as found:
        outcomes = list(found.map_in_order(["echo:a", "grow:4000", "grow:20"]))
    assert [o.value for o in outcomes] == ["A", None, 20]
    assert isinstance(outcomes[1].error, MemoryExceeded)


def test_one_allocation_beyond_every_limit_is_refused_before_it_is_made() -> None:
    with pool(memory=200 * MIB) as found:
        outcome = found.submit(f"allocate:{2**36}").result()
    assert isinstance(outcome.error, MemoryExceeded)
    assert outcome.error.message == "an allocation was refused"  # and not: memory grew


def test_a_document_is_not_blamed_for_what_earlier_ones_left_behind() -> None:
    """The hoard alone stays under the limit, and so does the second document alone; the two together do not."""
    with pool(memory=300 * MIB) as found:
        outcomes = list(found.map_in_order(["hoard:150", "grow:170"]))
    assert [o.error for o in outcomes] == [None, None]


def test_a_worker_that_leaked_is_replaced_between_two_documents() -> None:
    with pool(memory=200 * MIB) as found:
        outcomes = list(found.map_in_order(["hoard:60"] * 6))
    assert [o.error for o in outcomes] == [None] * 6
    assert len({o.value for o in outcomes}) > 1


def test_a_worker_is_replaced_after_its_number_of_documents() -> None:
    with pool(INDX_WORKER_MAX_DOCUMENTS=2) as found:
        pids = [o.value for o in found.map_in_order(["pid"] * 5)]
    assert pids[0] == pids[1] != pids[2] == pids[3] != pids[4]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_a_long_run_with_many_culprits_has_no_wrong_outcome_and_leaves_no_process(seed: int) -> None:
    """One task in seven dies, in every way there is, so that deaths meet on both workers at once."""
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    chance = random.Random(seed)
    culprits = {"segfault": WorkerCrashed, "abort": WorkerCrashed, "exit:3": WorkerCrashed, "untyped": InternalError}
    tasks = [chance.choice(list(culprits)) if chance.random() < 0.15 else f"echo:{n}" for n in range(400)]
    with pool(workers=2) as found:
        outcomes = list(found.map_in_order(tasks))
    assert [o.task for o in outcomes] == tasks
    expected = [(None, culprits[t]) if t in culprits else (t.partition(":")[2], type(None)) for t in tasks]
    assert [(o.value, type(o.error)) for o in outcomes] == expected
    left = [c for c in psutil.Process().children(recursive=True) if c.pid not in before]
    assert [c for c in left if "resource_tracker" not in " ".join(c.cmdline())] == []


def test_order_is_that_of_the_tasks(shared: WorkerPool[str, object]) -> None:
    tasks = ["pid:0.4", "echo:b", "pid", "echo:c", "pid:0.1"]
    assert [o.task for o in shared.map_in_order(tasks)] == tasks


def test_two_workers_work_at_once(shared: WorkerPool[str, object], tmp_path: Path) -> None:
    """Each of the two tasks ends only when the other has begun."""
    futures = [shared.submit(f"meet:{tmp_path}") for _ in range(2)]
    assert len({future.result(timeout=60).value for future in futures}) == 2


@pytest.mark.parametrize("workers", [0, 2])
def test_tasks_are_pulled_as_they_are_needed(workers: int) -> None:
    pulled = itertools.count()
    endless = (f"echo:{next(pulled)}" for _ in itertools.count())
    with pool(workers=workers) as found:
        outcomes = found.map_in_order(endless)
        assert [next(outcomes).value for _ in range(20)] == [str(n) for n in range(20)]
        assert next(pulled) <= 20 + AHEAD * workers + 1


def test_the_workers_of_a_pool_give_what_the_calling_process_gives() -> None:
    tasks = ["echo:a", "typed", "untyped", "pages:1", "sysexit", "echo:b"]
    with pool(workers=0) as here, pool(workers=2) as there:
        assert [_readable(o) for o in here.map_in_order(tasks)] == [_readable(o) for o in there.map_in_order(tasks)]


def _readable(outcome: object) -> tuple:
    error = outcome.error
    return outcome.task, outcome.value, error and (type(error), error.message, error.details)


@pytest.mark.parametrize("workers", [0, 1])
def test_a_worker_has_the_settings_of_its_pool_and_is_initialized_once(
    workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in os.environ if name.startswith("INDX_")]:
        monkeypatch.delenv(name)
    worker_jobs._initialized.clear()
    with pool(workers=workers, INDX_OCR_DPI=150, INDX_WORKER_THREADS=2) as found:
        first, second = found.map_in_order(["settings", "settings"])
    assert first.value == second.value
    environment, initialized, threads = first.value
    assert environment == {"INDX_OCR_DPI": "150", "INDX_WORKER_THREADS": "2"}
    assert initialized == ["150"]
    assert threads == "2" or workers == 0


@pytest.mark.parametrize("workers", [0, 1])
def test_an_initializer_that_refuses_ends_the_run_with_its_own_error(workers: int) -> None:
    """A setting that is wrong is wrong for every document: it is raised, not counted against each."""
    found = WorkerPool(
        worker_jobs.perform,
        initializer=worker_jobs.refuse,
        environment={},
        workers=workers,
        task_seconds=None,
        memory_bytes=None,
    )
    with found, pytest.raises(SettingsInvalid, match="INDX_OCR_DPI"):
        list(found.map_in_order(["echo:a", "echo:b"]))


def test_a_worker_that_dies_while_it_starts_ends_the_run_after_some_attempts() -> None:
    found = WorkerPool(
        worker_jobs.perform,
        initializer=worker_jobs.crash_at_once,
        environment={},
        workers=1,
        task_seconds=None,
        memory_bytes=None,
    )
    with found, pytest.raises(WorkerCrashed, match="while they started"):
        list(found.map_in_order(["echo:a"]))


def test_close_kills_what_runs_cancels_what_waits_and_leaves_no_process(tmp_path: Path) -> None:
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    note = tmp_path / "pid"
    found = pool()
    futures = [found.submit(task) for task in (f"announce:{note}", "echo:a")]
    wait_until(lambda: note.exists() and note.read_text() != "")
    found.close()
    found.close()
    for future in futures:
        with pytest.raises(CancelledError):
            future.result(timeout=0)
    with pytest.raises(RuntimeError, match="closed"):
        found.submit("echo:b")
    left = [c for c in psutil.Process().children(recursive=True) if c.pid not in before]
    assert [c for c in left if "resource_tracker" not in " ".join(c.cmdline())] == []


def test_leaving_a_map_early_cancels_what_no_worker_has_taken() -> None:
    with pool() as found:
        outcomes = found.map_in_order(f"pid:{0.2 + n / 1000}" for n in range(50))
        next(outcomes)
        outcomes.close()
        assert found.submit("echo:a").result().value == "A"


def test_threads_may_share_a_pool(shared: WorkerPool[str, object]) -> None:
    results: dict[int, list[object]] = {}

    def consume(number: int) -> None:
        results[number] = [o.value for o in shared.map_in_order(f"echo:{number}-{i}" for i in range(10))]

    threads = [threading.Thread(target=consume, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {number: [f"{number}-{i}" for i in range(10)] for number in range(3)}
