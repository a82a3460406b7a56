"""What a worker may use, how it is held to it, and the typed reason when it is not.

Belongs here: limits set inside the worker (memory, threads, its parent's life) and the judgement the parent passes
from outside. Does not: the killing, which is in ``process``.
"""

import os
import signal
import sys
from dataclasses import dataclass
from typing import Final, Self

from indx_core.contracts.errors import DocumentTimeout, IndxError, MemoryExceeded, WorkerCrashed, WorkerFailure
from indx_core.kit.workers.heartbeat import Position
from indx_core.kit.workers.settings import WorkerSettings

RESERVED_BYTES: Final = 2 * 1024**3
"""Address space above the memory limit. Allocators reserve what they never touch (pyarrow alone 1.1 GiB, counted by the
kernel as data), and a limit on addresses at 2 GiB makes importing OpenCV fail; so resident memory is what counts, and
this hard limit only stops what grows faster than it is looked at."""

WORN_SHARE: Final = 0.75
"""Share of the memory limit that, still held between two tasks, makes a worker due for replacement."""

_THREAD_VARIABLES: Final = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)
_PR_SET_PDEATHSIG: Final = 1  # linux/prctl.h


@dataclass(frozen=True)
class Limits:
    """Limits of one worker; ``None`` is none.

    Attributes:
        task_seconds: Wall clock of one task.
        page_seconds: Longest silence between two heartbeats.
        memory_bytes: Resident memory.
        tasks: Tasks before the process is replaced.
        threads: Threads of numeric libraries.
    """

    task_seconds: float | None
    page_seconds: float | None
    memory_bytes: int | None
    tasks: int | None
    threads: int

    @classmethod
    def of(cls, settings: WorkerSettings, *, task_seconds: float | None, memory_bytes: int | None) -> Self:
        """The limits that settings give, with the two that the caller decides."""
        return cls(
            task_seconds=task_seconds or None,
            page_seconds=settings.page_timeout_seconds or None,
            memory_bytes=memory_bytes or None,
            tasks=settings.worker_max_documents or None,
            threads=settings.worker_threads,
        )

    def breach(self, *, running: float, silent: float, resident: int) -> WorkerFailure | None:
        """The reason to kill a worker now.

        Args:
            running: Seconds since its task was handed over.
            silent: Seconds since its last heartbeat.
            resident: Its resident memory in bytes.
        """
        if self.memory_bytes is not None and resident > self.memory_bytes:
            return MemoryExceeded(
                f"memory grew beyond {self.memory_bytes} bytes", details={"limit_bytes": self.memory_bytes}
            )
        if self.task_seconds is not None and running > self.task_seconds:
            return DocumentTimeout(
                f"not done after {self.task_seconds:g} s",
                details={"limit_seconds": self.task_seconds, "clock": "document"},
            )
        if self.page_seconds is not None and silent > self.page_seconds:
            return DocumentTimeout(
                f"no progress for {self.page_seconds:g} s",
                remedy="raise INDX_PAGE_TIMEOUT_SECONDS if the page is worth it",
                details={"limit_seconds": self.page_seconds, "clock": "page"},
            )
        return None

    def worn(self, *, served: int, resident: int) -> bool:
        """Whether a worker between two tasks should give way to a fresh one."""
        if self.tasks is not None and served >= self.tasks:
            return True
        return self.memory_bytes is not None and resident > WORN_SHARE * self.memory_bytes


def crash(exit_code: int | None, *, for_memory: bool) -> WorkerFailure:
    """The error of a task under which the process died.

    Args:
        exit_code: Of the process; a negative one is minus the signal, as ever.
        for_memory: Whether the kernel killed processes for want of memory meanwhile.
    """
    if exit_code is None or exit_code >= 0:
        return WorkerCrashed(f"worker crashed (exit code {exit_code})", details={"exit_code": exit_code})
    number = -exit_code
    name = signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"
    if for_memory and number == signal.SIGKILL:
        return MemoryExceeded("the machine ran out of memory and its kernel killed the worker")
    return WorkerCrashed(f"worker crashed ({name})", details={"signal": name})


def located(error: IndxError, position: Position) -> IndxError:
    """The same error, saying where the task was."""
    message = error.message + position.phrase()
    return type(error)(message, param=error.param, remedy=error.remedy, details={**position.details(), **error.details})


def confine(limits: Limits) -> None:
    """Hold this process to its limits. Called once, in a worker, before anything heavy is imported."""
    for name in _THREAD_VARIABLES:
        os.environ[name] = str(limits.threads)  # noqa: TID251 - written for C libraries, not read
    if limits.memory_bytes is not None and sys.platform != "win32":
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        wanted = limits.memory_bytes + RESERVED_BYTES
        allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (allowed, hard))
    if sys.platform == "linux":
        _die_with_parent()


def _die_with_parent() -> None:
    """Have the kernel kill this process with its parent, even inside a native loop that never returns to Python.

    Elsewhere than on Linux a worker notices at the end of its task, when its pipe is closed.
    """
    import ctypes

    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
