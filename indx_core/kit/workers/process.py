"""One worker process and its replacements, watched from outside: the seam between our limits and pebble.

Belongs here: starting, watching, killing, replacing, and the question whose fault a death is. Does not: the queue of
tasks and their order, which are in ``pool``.

Why a pebble pool of one process per worker, and not one pool of N: in a pool of N all workers share a pipe and its
lock. With pebble 5.2, a worker killed while it sent a result took its neighbour with it after 62 s and left the pool
deaf; one killed idle broke the pool at once. ``concurrent.futures`` and loky fail every pending task when any worker
dies. Behind a pipe of its own, a dead worker can harm nobody else.
"""

import logging
import multiprocessing
import pickle
import signal
import time
from concurrent.futures import CancelledError, Future, wait
from multiprocessing import resource_tracker
from threading import Event
from typing import TYPE_CHECKING, Final

import psutil

from indx_core.contracts.errors import IndxError, MemoryExceeded, WorkerCrashed
from indx_core.kit.workers import limits as limiting
from indx_core.kit.workers import worker
from indx_core.kit.workers.heartbeat import Pulse
from indx_core.kit.workers.limits import Limits
from indx_core.kit.workers.worker import Reply

if TYPE_CHECKING:
    from pebble import ProcessPool

_log = logging.getLogger(__name__)

TICK_SECONDS: Final = 0.1
"""How often a busy worker is looked at. At 3 GB/s of fresh pages it overshoots its memory limit by 0.3 GB."""

START_SECONDS: Final = 300
"""A worker imports and loads models before it takes a task; this is for the one that never gets there."""

ATTEMPTS: Final = 3
"""Deaths before a task had begun, after which it is not bad luck but a worker that cannot start."""

GRACE_SECONDS: Final = 1.0
"""Between seeing a process gone and giving up its answer, which may still be in the pipe."""


class WorkerProcess:
    """Runs tasks one after another in a process of its own, which it replaces when it must.

    Used by one thread. The kernel ties the life of a worker to that thread (see ``limits.confine``), so the thread
    outlives the worker.
    """

    def __init__(self, setup: bytes, limits: Limits, closing: Event) -> None:
        self._setup = setup
        self._limits = limits
        self._closing = closing
        self._context = multiprocessing.get_context("spawn")
        self._pulse = Pulse.shared(self._context)
        self._number = 0
        self._served = 0
        self._pool: ProcessPool | None = None
        self._process: psutil.Process | None = None

    def run(self, task: bytes) -> Reply:
        """Run one pickled task, whatever it does to the process.

        A task that outgrows the memory of a used worker is run once more in a fresh one: what earlier tasks left
        behind must not decide about it.

        Raises:
            IndxError: The worker cannot start: the initializer's own typed error, or ``WorkerCrashed``. No task is to
                blame.
            CancelledError: The pool was closed meanwhile.
        """
        for _ in range(ATTEMPTS):
            self._ready()
            fresh = self._served == 0
            reply = self._attempt(task)
            if reply is None:
                continue
            if isinstance(reply.error, MemoryExceeded):
                self.stop()
                if not fresh:
                    continue
            return reply
        raise WorkerCrashed(f"worker processes died {ATTEMPTS} times before they began a task")

    def stop(self) -> None:
        """Kill the process, if there is one, and wait until it is gone."""
        if self._pool is None:
            return
        self._pool.stop()  # type: ignore[no-untyped-call]
        if self._process is not None:
            _kill(self._process)
        self._pool.join()
        self._pool = self._process = None

    def _ready(self) -> None:
        if self._process is not None and self._limits.worn(served=self._served, resident=_resident(self._process)):
            self.stop()
        for _ in range(ATTEMPTS):
            if self._process is not None or self._started():
                return
        raise WorkerCrashed(
            f"worker processes died {ATTEMPTS} times while they started",
            remedy="read what they wrote to stderr; a script that uses a pool needs `if __name__ == '__main__':`",
        )

    def _started(self) -> bool:
        from pebble import ProcessPool

        self._pool = ProcessPool(
            max_workers=1, context=self._context, initializer=worker.prepare, initargs=(self._pulse, self._limits)
        )
        try:
            pid = self._greeted(self._pool.schedule(worker.start, args=(self._setup,)))
            self._process = psutil.Process(pid)
        except (RuntimeError, OSError, TimeoutError, psutil.NoSuchProcess) as error:
            _log.warning("a worker process died while it started: %s", error)
            self.stop()
            return False
        except IndxError:
            self.stop()
            raise
        self._served = 0
        return True

    def _greeted(self, future: "Future[bytes]") -> int:
        deadline = time.monotonic() + START_SECONDS
        while not self._finished(future):
            if time.monotonic() > deadline:
                raise TimeoutError(f"not ready after {START_SECONDS} s")
        reply = _unpacked(future.result())
        if reply.log is not None:
            _log.error("the initializer failed with an untyped exception\n%s", reply.log)
        if reply.error is not None:
            raise reply.error
        return int(reply.value)

    def _attempt(self, task: bytes) -> Reply | None:
        """The reply of one run; ``None`` when the process died before it began the task."""
        assert self._pool is not None
        self._number += 1
        try:
            future = self._pool.schedule(worker.run, args=(self._number, task))
        except RuntimeError:  # pebble has noticed that the idle process is dead
            self.stop()
            return None
        reply = self._watched(future)
        if reply is not None:
            self._served += 1
            return reply
        self.stop()
        return None

    def _watched(self, future: "Future[bytes]") -> Reply | None:
        assert self._process is not None
        handed = time.monotonic()
        gone: float | None = None
        while not self._finished(future):
            now = time.monotonic()
            breach = self._limits.breach(
                running=now - handed,
                silent=now - max(handed, self._pulse.last),
                resident=_resident(self._process),
                page=self._page(),
            )
            if breach is not None:
                self.stop()
                return Reply(error=breach) if self._began() else None
            if gone is None and not self._process.is_running():
                gone = now
            if gone is not None and now - gone > GRACE_SECONDS:
                return self._death(None)
        error = future.exception()
        return _unpacked(future.result()) if error is None else self._death(error)

    def _death(self, error: BaseException | None) -> Reply | None:
        """What a death costs: the task that was begun, or nothing. Pebble keeps silent about an exit code of 0."""
        exit_code = getattr(error, "exitcode", None if error is not None else 0)
        reply = Reply(error=limiting.crash(exit_code, self._page())) if self._began() else None
        self.stop()
        return reply

    def _finished(self, future: "Future[bytes]") -> bool:
        if self._closing.is_set():
            self.stop()
            raise CancelledError
        return bool(wait([future], timeout=TICK_SECONDS).done)

    def _began(self) -> bool:
        return self._pulse.task == self._number

    def _page(self) -> int | None:
        return self._pulse.page if self._began() else None


def shield_from_interrupt() -> None:
    """Keep Ctrl-C from the workers that this thread starts: they inherit its signal mask.

    A terminal sends SIGINT to every process; a worker that was still importing would print a traceback of its own.
    Workers are stopped by their parent. The resource tracker comes first because starting it lifts the mask.
    """
    resource_tracker.ensure_running()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


def _unpacked(answer: bytes) -> Reply:
    try:
        reply: Reply = pickle.loads(answer)  # noqa: S301 - from our own worker
    except Exception as error:  # noqa: BLE001 - __setstate__ may raise anything
        return worker.untyped(error)
    return reply


def _resident(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.Error:  # gone, which the future tells
        return 0


def _kill(process: psutil.Process) -> None:
    try:
        process.kill()
    except psutil.NoSuchProcess:
        return
