"""What isolation costs: start, overhead of a task, recovery from a death, speed-up of the second worker, memory.

Run from the root: ``python benchmarks/bench_workers.py [--tasks 1000] [--pdf FILE]``. With ``--pdf`` every task of the
memory run extracts the text of all pages of that file, which shows whether the engine leaks over a long run.
"""

import argparse
import ctypes
import hashlib
import statistics
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import psutil

from indx_core.kit.workers.heartbeat import Cells, Pulse, attach, beat
from indx_core.kit.workers.pool import WorkerPool

MIB = 2**20


def echo(value: object) -> object:
    return value


def burn(rounds: int) -> str:
    digest = b""
    for _ in range(rounds):
        digest = hashlib.sha256(digest).digest()
    return digest.hex()


def crash_on_odd(number: int) -> int:
    if number % 2:
        ctypes.string_at(0)
    return number


def allocate(mebibytes: int) -> int:
    return len(bytearray(b"x") * (mebibytes * MIB))


def extract(path: str) -> int:
    import pypdfium2

    characters = 0
    document = pypdfium2.PdfDocument(path)
    for index in range(len(document)):
        beat(page=index + 1)
        page = document[index]
        text = page.get_textpage()
        characters += len(text.get_text_bounded())
        text.close()
        page.close()
    document.close()
    return characters


def pool(work: object, workers: int, memory: int | None = None) -> WorkerPool[object, object]:
    return WorkerPool(work, environment={}, workers=workers, task_seconds=None, memory_bytes=memory)


def seconds(work: object, workers: int, tasks: Iterable[object]) -> float:
    """Wall clock of the tasks alone: the workers have started."""
    with pool(work, workers) as found:
        first, *rest = tasks
        for future in [found.submit(first) for _ in range(max(workers, 1))]:
            future.result()
        begun = time.perf_counter()
        for outcome in found.map_in_order(rest):
            assert outcome.error is None
        return time.perf_counter() - begun


def start() -> None:
    times = []
    for _ in range(5):
        begun = time.perf_counter()
        with pool(echo, 1) as found:
            found.submit(1).result()
            times.append(time.perf_counter() - begun)
            begun = time.perf_counter()
        closed = time.perf_counter() - begun
    print(f"start to first result: {statistics.median(times) * 1000:.0f} ms; close: {closed * 1000:.0f} ms")


def overhead(count: int) -> None:
    for label, payload in (("empty", None), ("10 KB", b"x" * 10_000), ("1 MB", b"x" * 1_000_000)):
        for workers in (0, 1, 2):
            taken = seconds(echo, workers, [payload] * (count + 1))
            print(f"overhead, {label} there and back, workers={workers}: {taken / count * 1000:.3f} ms per task")


def recovery() -> None:
    with pool(crash_on_odd, 1) as found:
        found.submit(0).result()
        begun = time.perf_counter()
        outcomes = list(found.map_in_order(range(1, 21)))
    assert [o.value for o in outcomes] == [None if n % 2 else n for n in range(1, 21)]
    print(f"crash and fresh worker: {(time.perf_counter() - begun) / 10 * 1000:.0f} ms each")


def ceiling(rounds: int) -> float:
    """Speed-up that two plain processes without a pool reach now: under 2 where the cores are shared or busy."""
    code = "import bench_workers, time; t = time.perf_counter(); bench_workers.burn({}); print(time.perf_counter() - t)"

    def slowest(processes: int) -> float:
        command = [sys.executable, "-c", code.format(rounds // processes)]
        running = [
            subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(__file__).parent) for _ in range(processes)
        ]
        return max(float(process.communicate()[0]) for process in running)

    return slowest(1) / slowest(2)


def speed_up() -> None:
    tasks = [100_000] * 61
    possible = ceiling(60 * 100_000)
    here, one, two = (seconds(burn, workers, tasks) for workers in (0, 1, 2))
    print(f"60 CPU-bound tasks: in process {here:.2f} s, 1 worker {one:.2f} s, 2 workers {two:.2f} s")
    print(f"speed-up of the second worker: {one / two:.2f}x; of a second plain process: {possible:.2f}x")


def memory(count: int, pdf: Path | None) -> None:
    work, task = (extract, str(pdf)) if pdf else (allocate, 50)

    def tasks() -> Iterator[object]:
        for _ in range(count):
            yield task

    parent = psutil.Process()
    samples: list[tuple[int, int]] = []
    with pool(work, 2) as found:
        for number, outcome in enumerate(found.map_in_order(tasks())):
            assert outcome.error is None, outcome.error
            if number % max(1, count // 10) == count // 20:
                workers = [c for c in parent.children() if "spawn_main" in " ".join(c.cmdline())]
                samples.append((parent.memory_info().rss // MIB, max(c.memory_info().rss // MIB for c in workers)))
    print(f"memory over {count} tasks, MiB (parent, largest worker): {samples}")


def heartbeat() -> None:
    attach(Pulse(Cells()))
    begun = time.perf_counter()
    for page in range(100_000):
        beat(page, "generic-ocr")
    print(f"heartbeat: {(time.perf_counter() - begun) * 10_000:.0f} ns")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", type=int, default=1000)
    parser.add_argument("--pdf", type=Path)
    arguments = parser.parse_args()
    start()
    overhead(arguments.tasks)
    recovery()
    speed_up()
    memory(arguments.tasks, arguments.pdf)
    heartbeat()
