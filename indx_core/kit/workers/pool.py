"""A pool of worker processes that no task can take down: tasks in, one outcome for each, in order.

Belongs here: the public pool, its queue and its order. Does not: the life of a single worker, which is in ``process``.
"""

import logging
import pickle
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue
from threading import Event, Lock, Thread
from types import TracebackType
from typing import Any, Final, Generic, Self, TypeVar

from indx_core.contracts.errors import IndxError
from indx_core.kit import settings
from indx_core.kit.workers import worker
from indx_core.kit.workers.limits import Limits
from indx_core.kit.workers.process import Abandoned, WorkerProcess, never, shield_from_interrupt
from indx_core.kit.workers.settings import WorkerSettings
from indx_core.kit.workers.worker import Reply, Setup

T = TypeVar("T")
R = TypeVar("R")

AHEAD: Final = 8
"""Tasks in flight per worker in ``map_in_order``: one being worked on, and others so that a slow one ahead of them in
the order does not leave the other workers idle. With two others, the second of two workers stood idle for 4 % of a
corpus in which reports of 80 pages stand side by side; with fifteen it was no faster, and results wait in memory."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Outcome(Generic[T, R]):
    """How one task ended. Exactly one of ``value`` and ``error`` speaks: ``error`` is ``None`` on success.

    Attributes:
        task: The task as it was given.
        value: What ``work`` returned.
        error: ``WorkerCrashed``, ``DocumentTimeout`` or ``MemoryExceeded`` where the task cost its worker, the typed
            error that ``work`` raised, or ``InternalError`` for any other exception, whose traceback is logged. What
            cost a worker carries in ``details`` where the task was (``stage``, ``capability_id``, ``page``), as far
            as ``enter`` and ``beat`` had told it.
    """

    task: T
    value: R | None
    error: IndxError | None


class WorkerPool(Generic[T, R]):
    """Runs ``work`` on tasks in worker processes, each held to its limits, each replaced when it dies.

    Processes are spawned, never forked, when a task first needs one. ``work``, ``initializer`` and the tasks are
    pickled, so the functions live at the top level of a module, and a script that uses a pool keeps its own code under
    ``if __name__ == "__main__"``. Threads may share a pool.

    Args:
        work: What is done with a task.
        initializer: Called once in every new worker with ``environment``, after the settings are installed. Clients
            and models are built there. Its error (``InternalError`` for an untyped one) is raised by ``map_in_order``
            and by futures: a worker that cannot start is no task's fault.
        environment: The ``INDX_*`` variables of the workers (``kit.settings.environment()``). The limits that are not
            arguments are read from it, see ``WorkerSettings``.
        workers: Number of processes. 0 runs every task in the calling process as it is submitted: same outcomes, but
            no isolation and no limits.
        task_seconds: Wall clock of one task; ``None`` or 0 for none.
        memory_bytes: Resident memory of one worker; ``None`` or 0 for no limit.
    """

    def __init__(
        self,
        work: Callable[[T], R],
        *,
        initializer: Callable[[Mapping[str, str]], None] | None = None,
        environment: Mapping[str, str],
        workers: int,
        task_seconds: float | None,
        memory_bytes: int | None,
    ) -> None:
        self._setup = Setup(work, initializer, dict(environment))
        self._workers = workers
        with settings.overriding(environment):
            self._limits = Limits.of(WorkerSettings.load(), task_seconds=task_seconds, memory_bytes=memory_bytes)
        self._packed_setup = pickle.dumps(self._setup) if workers else b""
        self._jobs: SimpleQueue[tuple[T, Future[Outcome[T, R]], Abandoned] | None] = SimpleQueue()
        self._closing = Event()
        self._lock = Lock()
        self._threads: list[Thread] = []
        self._initialized = False

    @classmethod
    def configured(
        cls, work: Callable[[T], R], *, initializer: Callable[[Mapping[str, str]], None] | None = None
    ) -> Self:
        """A pool as ``WorkerSettings`` has it, its workers with the ``INDX_*`` variables in force here."""
        found = WorkerSettings.load()
        return cls(
            work,
            initializer=initializer,
            environment=settings.environment(),
            workers=found.workers,
            task_seconds=found.document_timeout_seconds,
            memory_bytes=found.worker_memory_bytes,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def map_in_order(self, tasks: Iterable[T]) -> Iterator[Outcome[T, R]]:
        """Yield the outcome of every task, in the order of the tasks.

        Tasks are pulled as they are needed: at most ``AHEAD * workers`` are in flight, so neither a long list of tasks
        nor a slow consumer makes memory grow.

        Raises:
            IndxError: The workers cannot start.
        """
        window: deque[Future[Outcome[T, R]]] = deque()
        try:
            for task in tasks:
                window.append(self.submit(task))
                while window and (len(window) >= AHEAD * self._workers or window[0].done()):
                    yield window.popleft().result()
            while window:
                yield window.popleft().result()
        finally:
            for future in window:
                future.cancel()

    def submit(self, task: T, abandoned: Abandoned = never) -> "Future[Outcome[T, R]]":
        """Queue one task. The future holds its outcome; cancelling it works until a worker has taken it.

        Args:
            task: What to do.
            abandoned: Asked every tick while a worker is at it; once it says so, the worker is killed and the outcome
                is ``RequestTimeout``. Called on another thread.

        Raises:
            RuntimeError: The pool is closed.
        """
        future: Future[Outcome[T, R]] = Future()
        with self._lock:
            if self._closing.is_set():
                raise RuntimeError("the worker pool is closed")
            if self._workers:
                self._jobs.put((task, future, abandoned))
                self._grow()
        if not self._workers:
            _settle(future, partial(self._here, task))
        return future

    def close(self) -> None:
        """End the pool now: queued tasks are cancelled, running ones killed, no process is left. Idempotent."""
        with self._lock:
            self._closing.set()
            for _ in self._threads:
                self._jobs.put(None)
        for thread in self._threads:
            thread.join()

    def _grow(self) -> None:
        if len(self._threads) < self._workers:
            thread = Thread(target=self._serve, name=f"indx-worker-{len(self._threads)}", daemon=True)
            self._threads.append(thread)
            thread.start()

    def _serve(self) -> None:
        shield_from_interrupt()
        process = WorkerProcess(self._packed_setup, self._limits, self._closing)
        try:
            while (job := self._jobs.get()) is not None:
                task, future, abandoned = job
                if self._closing.is_set():
                    future.cancel()
                elif future.set_running_or_notify_cancel():
                    _settle(future, partial(self._there, task, process, abandoned))
        finally:
            process.stop()

    def _there(self, task: T, process: WorkerProcess, abandoned: Abandoned) -> Outcome[T, R]:
        try:
            packed = pickle.dumps(task, protocol=pickle.HIGHEST_PROTOCOL)
        except Exception as error:  # noqa: BLE001 - __reduce__ may raise anything
            return _outcome(task, worker.untyped(error))
        return _outcome(task, process.run(packed, abandoned))

    def _here(self, task: T) -> Outcome[T, R]:
        with settings.overriding(self._setup.environment):
            self._initialize_here()
            return _outcome(task, worker.attempt(self._setup.work, task))

    def _initialize_here(self) -> None:
        if self._setup.initializer is not None and not self._initialized:
            outcome = _outcome(None, worker.attempt(self._setup.initializer, self._setup.environment))
            if outcome.error is not None:
                raise outcome.error
        self._initialized = True


def _outcome(task: T, reply: Reply) -> Outcome[T, Any]:
    if reply.log is not None:
        _log.error("a task failed with an untyped exception\n%s", reply.log)
    return Outcome(task, reply.value, reply.error)


def _settle(future: "Future[Any]", call: Callable[[], Any]) -> None:
    try:
        result = call()
    except Exception as error:  # noqa: BLE001 - it belongs to whoever waits for the future
        future.set_exception(error)
    else:
        future.set_result(result)
