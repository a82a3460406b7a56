"""What the tests have workers do: top-level functions, because a spawned process imports them by name."""

import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path

from indx_core.contracts.errors import SettingsInvalid, SourceEncrypted
from indx_core.kit.settings import environment
from indx_core.kit.workers.heartbeat import beat, enter

_initialized: list[str] = []
_hoard: list[bytearray] = []


def mark(values: Mapping[str, str]) -> None:
    _initialized.append(values.get("INDX_OCR_DPI", "none"))


def refuse(_values: Mapping[str, str]) -> None:
    raise SettingsInvalid("INDX_OCR_DPI: not a number")


def crash_at_once(_values: Mapping[str, str]) -> None:
    os.abort()


class Unpicklable:
    def __reduce__(self) -> tuple:
        raise RuntimeError("cannot be pickled")


class Unloadable:
    """Pickles, and raises where it is unpickled."""

    def __reduce__(self) -> tuple:
        return (_fail_to_load, ())


def _fail_to_load() -> None:
    raise RuntimeError("cannot be unpickled")


class KilledWhileSent:
    """Kills its process some time after its pickling began: in the middle of sending a result of many megabytes."""

    def __reduce__(self) -> tuple:
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGKILL)).start()
        return (str, ())


def perform(task: str) -> object:
    """Do what the task says: ``verb`` or ``verb:argument``. The culprits are what native engines do."""
    verb, _, argument = task.partition(":")
    return globals()[f"do_{verb}"](argument)


def do_echo(argument: str) -> str:
    return argument.upper()


def do_meet(argument: str) -> int:
    """Leave a note in a folder and wait for a second one: ends only when two workers do this at once."""
    (Path(argument) / str(os.getpid())).touch()
    while len(list(Path(argument).iterdir())) < 2:
        time.sleep(0.02)
    return os.getpid()


def do_pid(argument: str) -> int:
    time.sleep(float(argument or 0))
    return os.getpid()


def do_announce(argument: str) -> None:
    """Write the process id to a file and wait, for tests that kill from outside."""
    beat(page=7)
    Path(argument).write_text(str(os.getpid()))
    time.sleep(60)


def do_abort(_: str) -> None:
    os.abort()


def do_segfault(_: str) -> None:
    ctypes.string_at(0)


def do_orphan(argument: str) -> None:
    """Die and leave a process behind that holds everything open, as a converter does that an engine started."""
    if pid := os.fork():
        Path(argument).write_text(str(pid))
        os._exit(5)
    time.sleep(60)
    os._exit(0)


def do_exit(argument: str) -> None:
    os._exit(int(argument))


def do_sysexit(_: str) -> None:
    sys.exit(3)


def do_read(argument: str) -> None:
    """Crash at a page of a stage."""
    enter("page_reads")
    beat(1, "native")
    beat(int(argument), "generic-ocr")
    ctypes.string_at(0)


def do_hang(_: str) -> None:
    """An endless loop in C that holds the interpreter lock: no signal handler and no other thread ever runs."""
    beat(page=3)
    ctypes.PyDLL(None).pause()
    while True:
        ctypes.PyDLL(None).sleep(1000)


def do_pages(argument: str) -> int:
    """Slow as a whole, and never silent for long."""
    pages = int(argument)
    for number in range(1, pages + 1):
        beat(page=number)
        time.sleep(0.15)
    return pages


def do_grow(argument: str) -> int:
    """Take memory step by step, as a parser does that does not know when to stop."""
    taken = []
    for _ in range(int(argument)):
        taken.append(bytearray(b"x") * 2**20)
        time.sleep(0.001)
    return len(taken)


def do_hoard(argument: str) -> int:
    """Leak."""
    _hoard.append(bytearray(b"x") * (int(argument) * 2**20))
    return os.getpid()


def do_allocate(argument: str) -> int:
    return len(bytearray(int(argument)))


def do_typed(_: str) -> None:
    raise SourceEncrypted("it needs a password", param="source.path", details={"hint": "ask"})


def do_untyped(_: str) -> None:
    raise ZeroDivisionError("secret /internal/path")


def do_unpicklable(_: str) -> object:
    return Unpicklable()


def do_unloadable(_: str) -> object:
    return Unloadable()


def do_bomb(_: str) -> object:
    return [KilledWhileSent(), b"x" * 200_000_000]


def do_settings(_: str) -> tuple[dict[str, str], list[str], str | None]:
    return environment(), list(_initialized), os.environ.get("OMP_NUM_THREADS")
