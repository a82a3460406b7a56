"""Runs an observer and a reader over files, each file in its own process with a wall clock and a memory limit.

For benchmarks of formats whose files may be hostile: what a file costs is measured, and what it breaks is only its own
process. Scoring is each benchmark's own.
"""

import multiprocessing
import resource
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SECONDS = 60
MEMORY_BYTES = 2 << 30


@dataclass(frozen=True)
class Outcome:
    """What became of one file: ``read``, ``refused:<code>``, ``crashed:<type>``, ``timeout`` or ``killed``.

    ``pages`` are the texts of its pages, ``seconds`` exclude starting the process and importing, ``peak`` is the whole
    process's resident memory in bytes.
    """

    path: Path
    what: str
    pages: tuple[str, ...]
    seconds: float
    peak: int


def run(paths: Iterable[Path], read: Callable[[bytes], list[str]], warm: Callable[[], object]) -> list[Outcome]:
    """One outcome a file. ``warm`` imports what ``read`` needs, before the clock starts."""
    context = multiprocessing.get_context("fork")
    outcomes = []
    for path in paths:
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(target=_child, args=(theirs, path, read, warm))
        process.start()
        theirs.close()
        try:
            done = ours.poll(SECONDS)
            what, pages, seconds, peak = ours.recv() if done else ("timeout", (), float(SECONDS), 0)
        except EOFError:
            what, pages, seconds, peak = "killed", (), 0.0, 0
        process.kill()
        process.join()
        outcomes.append(Outcome(path, what, tuple(pages), seconds, peak))
    return outcomes


def table(title: str, outcomes: list[Outcome]) -> str:
    """One line a format: files, read, refused by code, crashed, seconds, peak memory."""
    kinds = Counter(outcome.what for outcome in outcomes)
    refused = {kind: count for kind, count in sorted(kinds.items()) if kind.startswith("refused")}
    crashed = sum(count for kind, count in kinds.items() if kind != "read" and not kind.startswith("refused"))
    seconds = sum(outcome.seconds for outcome in outcomes)
    peak = max((outcome.peak for outcome in outcomes), default=0)
    slowest = max(outcomes, key=lambda outcome: outcome.seconds)
    return (
        f"{title}: {len(outcomes)} files, read {kinds['read']}, {refused or 'refused 0'}, crashed {crashed}, "
        f"{seconds:.2f} s in all (slowest {slowest.seconds:.2f} s, {slowest.path.name}), peak {peak / 2**20:.0f} MiB"
    )


def _child(pipe: Any, path: Path, read: Callable[[bytes], list[str]], warm: Callable[[], object]) -> None:
    from indx_core.contracts.errors import IndxError

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    warm()
    data, started, pages = path.read_bytes(), time.perf_counter(), []
    try:
        pages, what = read(data), "read"
    except IndxError as error:
        what = f"refused:{error.code}"
    except BaseException as error:  # noqa: BLE001 - the number this benchmark exists for
        what = f"crashed:{type(error).__name__}"
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    pipe.send((what, pages, time.perf_counter() - started, peak))
