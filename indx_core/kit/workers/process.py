"""One worker process and its replacements, watched from outside.

Belongs here: starting, watching, killing, replacing, and the question whose fault a death is. Does not: the queue of
tasks and their order, which are in ``pool``.

Every worker has a line of its own to its parent. Where workers share one, as in the pools of pebble, loky and
``concurrent.futures``, a death harms the neighbours; docs/adr/0005 has what was tried.
"""

import logging
import multiprocessing
import pickle
import signal
import socket
import time
from collections.abc import Callable
from concurrent.futures import CancelledError
from multiprocessing import resource_tracker
from threading import Event
from typing import Final

import psutil

from indx_core.contracts.errors import IndxError, MemoryExceeded, RequestTimeout, WorkerCrashed
from indx_core.kit.workers import limits as limiting
from indx_core.kit.workers import worker
from indx_core.kit.workers.channel import Channel
from indx_core.kit.workers.heartbeat import Pulse
from indx_core.kit.workers.kernel import RecentKills, memory_kills
from indx_core.kit.workers.limits import Limits
from indx_core.kit.workers.worker import Reply

_log = logging.getLogger(__name__)

Abandoned = Callable[[], bool]
"""Whether nobody waits for a task any longer."""

TICK_SECONDS: Final = 0.1
"""How often a busy worker is looked at. At 3 GB/s of fresh pages it overshoots its memory limit by 0.3 GB."""

START_SECONDS: Final = 300
"""A worker imports and loads models before it takes a task; this is for the one that never gets there."""

ATTEMPTS: Final = 3
"""Deaths before a task had begun, after which it is not bad luck but a worker that cannot start."""

EXIT_SECONDS: Final = 5.0
"""Between the end of a worker's line and its exit code; a process that only closed the line is killed then."""


def never() -> bool:
    """What is asked where somebody waits to the end."""
    return False


class Child:
    """One process and this side of its line."""

    def __init__(self, setup: bytes, limits: Limits) -> None:
        context = multiprocessing.get_context("spawn")
        self.pulse = Pulse.shared(context)
        ours, theirs = socket.socketpair()
        self.channel = Channel(ours)
        self.channel.post(setup)
        arguments = (theirs, self.pulse, limits)
        self._process = context.Process(target=worker.serve, args=arguments, name="indx-worker", daemon=True)
        self._seen: psutil.Process | None = None
        try:
            # Our copy of the worker's end is closed at once: the worker's death must leave nobody holding it.
            with theirs:
                self._process.start()
        except BaseException:
            ours.close()
            raise

    def turn(self) -> bytes | None:
        """A message from the worker, or ``None`` after a tick without one.

        Raises:
            EOFError: It is dead and said nothing more.
        """
        message = self.channel.turn(TICK_SECONDS)
        if message is None and self._process.exitcode is not None:
            # Dead while something that it started still holds its end: there is no EOF, and nothing more to come.
            message = self.channel.turn(TICK_SECONDS)
            if message is None:
                raise EOFError
        return message

    def resident(self) -> int:
        """Its resident memory in bytes; 0 when it is gone."""
        try:
            self._seen = self._seen or psutil.Process(self._process.pid)
            return int(self._seen.memory_info().rss)
        except psutil.Error:
            return 0

    def exit_code(self, seconds: float = EXIT_SECONDS) -> int | None:
        """Wait for it to exit. A negative code is minus the signal; ``None`` when it does not exit.

        Asked again and again because another thread that starts a process may be reaping this one just now.
        """
        deadline = time.monotonic() + seconds
        while (code := self._process.exitcode) is None and time.monotonic() < deadline:
            self._process.join(0.01)
        return code

    def end(self) -> None:
        """Kill it, unless it is gone, and reap it."""
        self._process.kill()
        while self.exit_code() is None:  # a process in uninterruptible sleep dies when the disk answers
            pass
        self._process.close()
        self.channel.close()


class WorkerProcess:
    """Runs tasks one after another in a process of its own, which it replaces when it must.

    Used by one thread. The kernel ties the life of a worker to that thread (see ``limits.confine``), so the thread
    outlives the worker.
    """

    def __init__(self, setup: bytes, limits: Limits, closing: Event) -> None:
        self._setup = setup
        self._limits = limits
        self._closing = closing
        self._kills = RecentKills()
        self._child: Child | None = None
        self._served = 0

    def run(self, task: bytes, abandoned: Abandoned = never) -> Reply:
        """Run one pickled task, whatever it does to the process.

        A task that outgrows the memory of a used worker is run once more in a fresh one: what earlier tasks left
        behind must not decide about it.

        Raises:
            IndxError: The worker cannot start: the initializer's own typed error, or ``WorkerCrashed``. No task is to
                blame.
            CancelledError: The pool was closed meanwhile.
        """
        for _ in range(ATTEMPTS):
            child = self._ready()
            fresh = self._served == 0
            reply = self._attempt(child, task, abandoned)
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
        if self._child is not None:
            self._child.end()
            self._child = None

    def _ready(self) -> Child:
        if self._child is not None and self._limits.worn(served=self._served, resident=self._child.resident()):
            self.stop()
        for _ in range(ATTEMPTS):
            child = self._child or self._started()
            if child is not None:
                return child
        raise WorkerCrashed(
            f"worker processes died {ATTEMPTS} times while they started",
            remedy="read what they wrote to stderr; a script that uses a pool needs `if __name__ == '__main__':`",
        )

    def _started(self) -> Child | None:
        try:
            self._child = Child(self._setup, self._limits)
            self._greeted(self._child)
        except (EOFError, OSError) as error:  # TimeoutError included
            _log.warning("a worker process died while it started: %s", error)
            self.stop()
            return None
        except IndxError:
            self.stop()
            raise
        self._served = 0
        return self._child

    def _greeted(self, child: Child) -> None:
        deadline = time.monotonic() + START_SECONDS
        while (answer := self._turn(child)) is None:
            if time.monotonic() > deadline:
                raise TimeoutError(f"not ready after {START_SECONDS} s")
        reply = _unpacked(answer)
        if reply.log is not None:
            _log.error("the initializer failed with an untyped exception\n%s", reply.log)
        if reply.error is not None:
            raise reply.error

    def _attempt(self, child: Child, task: bytes, abandoned: Abandoned) -> Reply | None:
        """The reply of one run; ``None`` when the process died before it began the task."""
        kills = self._kills.count()
        child.channel.post(task)
        handed = time.monotonic()
        try:
            while (answer := self._turn(child)) is None:
                now = time.monotonic()
                breach = self._limits.breach(
                    running=now - handed, silent=now - max(handed, child.pulse.last), resident=child.resident()
                )
                if breach is not None:
                    return self._lost(child, breach)
                if abandoned():
                    self.stop()
                    return Reply(error=RequestTimeout("nobody waits for this task any longer"))
        except EOFError:
            death = limiting.crash(child.exit_code(), for_memory=memory_kills() > kills)
            return self._lost(child, death)
        self._served += 1
        return _unpacked(answer)

    def _lost(self, child: Child, error: IndxError) -> Reply | None:
        """End a child for a reason, and lay it to the task if that had begun."""
        self.stop()
        if child.pulse.begun <= self._served:
            return None
        return Reply(error=limiting.located(error, child.pulse.position))

    def _turn(self, child: Child) -> bytes | None:
        if self._closing.is_set():
            self.stop()
            raise CancelledError
        return child.turn()


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
