"""What runs inside a worker process, and the shape of its answer.

Belongs here: the three functions that the parent has a worker call. They take and return bytes, so that nothing a
task or its result does while it is pickled can break the pipe that all tasks of the worker share.
"""

import os
import pickle
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from indx_core.contracts.errors import IndxError, InternalError, MemoryExceeded
from indx_core.kit import settings
from indx_core.kit.workers import heartbeat
from indx_core.kit.workers.limits import Limits, confine


@dataclass(frozen=True)
class Setup:
    """What makes a process a worker of its pool: the function, its initializer and the ``INDX_*`` variables."""

    work: Callable[[Any], Any]
    initializer: Callable[[Mapping[str, str]], None] | None
    environment: Mapping[str, str]


@dataclass(frozen=True)
class Reply:
    """How a task ended: a value, or a typed error. ``log`` is a traceback for the log, never for the caller."""

    value: Any = None
    error: IndxError | None = None
    log: str | None = None


_work: Callable[[Any], Any] | None = None
_pulse: heartbeat.Pulse | None = None


def prepare(pulse: heartbeat.Pulse, limits: Limits) -> None:
    """First call in the process: limits, heartbeat."""
    global _pulse  # noqa: PLW0603 - one worker process, one pulse
    confine(limits)
    heartbeat.attach(pulse)
    _pulse = pulse


def start(setup: bytes) -> bytes:
    """Second call: settings, then the pool's initializer. Answers the pickled reply whose value is the process id."""
    return _packed(attempt(_start, setup))


def run(number: int, task: bytes) -> bytes:
    """Every further call: one task. Answers the pickled reply."""
    assert _pulse is not None
    _pulse.begin(number)
    return _packed(attempt(_run, task))


def attempt(work: Callable[[Any], Any], task: Any) -> Reply:
    """Run ``work`` and turn whatever it raises into a typed error. Lets ``KeyboardInterrupt`` through."""
    try:
        return Reply(value=work(task))
    except IndxError as error:
        return Reply(error=error)
    except MemoryError:
        return Reply(error=MemoryExceeded("an allocation was refused"))
    except (Exception, SystemExit) as error:  # noqa: BLE001 - this is the boundary behind which nothing is untyped
        return untyped(error)


def _start(setup: bytes) -> int:
    global _work  # noqa: PLW0603 - one worker process, one kind of work
    unpacked: Setup = pickle.loads(setup)  # noqa: S301 - from our own parent
    settings.install(unpacked.environment)
    if unpacked.initializer is not None:
        unpacked.initializer(unpacked.environment)
    _work = unpacked.work
    return os.getpid()


def _run(task: bytes) -> Any:
    assert _work is not None
    return _work(pickle.loads(task))  # noqa: S301 - from our own parent


def _packed(reply: Reply) -> bytes:
    try:
        return pickle.dumps(reply, protocol=pickle.HIGHEST_PROTOCOL)
    except MemoryError:
        return pickle.dumps(Reply(error=MemoryExceeded("the result does not fit in memory")))
    except Exception as error:  # noqa: BLE001 - __reduce__ may raise anything
        return pickle.dumps(untyped(error))


def untyped(error: BaseException) -> Reply:
    """The reply to an exception nobody typed: its class for the caller, its traceback for the log."""
    typed = InternalError("an unexpected error; the log has it", details={"exception": type(error).__name__})
    return Reply(error=typed, log="".join(traceback.format_exception(error)))
