"""What runs inside a worker process, and the shape of its answer.

Belongs here: the loop of a worker and what it does with a message. Messages are bytes on both ways, pickled before they
are sent and unpickled after they arrived, so that nothing a task or its result does meanwhile can break the line.
"""

import gc
import pickle
import socket
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any

from indx_core.contracts.errors import IndxError, InternalError, MemoryExceeded
from indx_core.kit import settings
from indx_core.kit.garbage import collect_seldom
from indx_core.kit.workers import heartbeat
from indx_core.kit.workers.channel import Channel
from indx_core.kit.workers.limits import Limits, confine, located


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


def serve(end: socket.socket, pulse: heartbeat.Pulse, limits: Limits) -> None:
    """The life of a worker: the setup, then one task after another, a pickled ``Reply`` to each, until EOF.

    Args:
        end: This side of the line.
        pulse: Where the parent looks for signs of progress.
        limits: What the process is held to.
    """
    confine(limits)
    collect_seldom()
    heartbeat.attach(pulse)
    end.set_inheritable(False)  # a program that an engine starts must not keep the line open after our death
    channel = Channel(end)
    try:
        prepared = attempt(_prepare, channel.receive())
        channel.post(_packed(Reply(error=prepared.error, log=prepared.log)))
        for number in count():
            task = channel.receive()
            pulse.begin()
            channel.post(_packed(_answer(prepared.value, task, pulse)))
            if not number:  # what the first task imported and built stays for life: walking it took 47 ms a collection
                gc.freeze()
    except EOFError:
        return


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


def _prepare(packed: bytes) -> Callable[[Any], Any]:
    setup: Setup = pickle.loads(packed)  # noqa: S301 - from our own parent
    settings.install(setup.environment)
    if setup.initializer is not None:
        setup.initializer(setup.environment)
    return setup.work


def _answer(work: Callable[[Any], Any], task: bytes, pulse: heartbeat.Pulse) -> Reply:
    reply = attempt(lambda packed: work(pickle.loads(packed)), task)  # noqa: S301 - from our own parent
    if isinstance(reply.error, MemoryExceeded):
        return Reply(error=located(reply.error, pulse.position))
    return reply


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
