"""The service under load on the loopback address: rate and tail of plan and encode, slow clients, memory.

Beside plan and encode stands a bare FastAPI route that does nothing but call pypdfium2 on the same one-page upload: one
process, its own threads, no isolation, no limits. Both servers are up the whole time and take turns, round after round,
so that a host that is busy for a minute is so for all of them; ratios are of the same round. Client and servers are
processes of their own and share this machine.

Run from the root: ``python benchmarks/bench_http.py [--rounds 5] [--requests 400] [--connections 8]
[--memory-requests 10000]``, some four minutes.
"""

import argparse
import asyncio
import contextlib
import json
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil
from measured import Number, load, median_of, show, write_pdf

MIB = 2**20
SLOW_CLIENTS = 1000
BOUNDARY = b"----bench"
HEALTH_MS = 500
"""/health beside slow clients, on a machine that does other work: a stopped loop answers not at all."""
GROWTH_MIB = 32
WARM_UP = 5000
"""Requests until the allocator has what it keeps: the server went from 56 to 66 MiB in them, and from there to 14,400
requests it did not grow."""


@dataclass(frozen=True)
class Load:
    """What one run of requests came to."""

    seconds: float
    latencies: list[float]
    statuses: set[int]

    @property
    def rate(self) -> float:
        return len(self.latencies) / self.seconds

    @property
    def p99_ms(self) -> float:
        return statistics.quantiles(self.latencies, n=100)[98] * 1000


def upload(path: str, data: bytes) -> bytes:
    """A whole request with a file."""
    head = b'--%s\r\ncontent-disposition: form-data; name="file"; filename="x.pdf"\r\n\r\n' % BOUNDARY
    body = head + data + b"\r\n--%s--\r\n" % BOUNDARY
    return (
        b"POST %s HTTP/1.1\r\nhost: localhost\r\ncontent-type: multipart/form-data; boundary=%s\r\n"
        b"content-length: %d\r\n\r\n" % (path.encode(), BOUNDARY, len(body))
    ) + body


async def one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: bytes) -> int:
    writer.write(request)
    head = await reader.readuntil(b"\r\n\r\n")
    length = next(
        int(line.split(b":")[1]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length")
    )
    await reader.readexactly(length)
    return int(head.split()[1])


async def press(port: int, request: bytes, requests: int, connections: int) -> Load:
    latencies: list[float] = []
    statuses: set[int] = set()

    async def connection(count: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for _ in range(count):
            started = time.perf_counter()
            statuses.add(await one(reader, writer, request))
            latencies.append(time.perf_counter() - started)
        writer.close()

    started = time.perf_counter()
    await asyncio.gather(*(connection(requests // connections) for _ in range(connections)))
    return Load(time.perf_counter() - started, latencies, statuses)


@contextlib.contextmanager
def service(**environment: str) -> Iterator[tuple[psutil.Process, int]]:
    """``indx serve`` and its port."""
    variables = [f"{name}={value}" for name, value in environment.items()]
    code = "from indx_core.app.cli import main; main(['serve', '--port', '0'])"
    command = ["env", *variables, sys.executable, "-c", code]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    assert process.stderr is not None
    with process:
        try:
            line = next(line for line in process.stderr if '"listening"' in line)
            drain = subprocess.Popen(["cat"], stdin=process.stderr, stdout=subprocess.DEVNULL)
            yield psutil.Process(process.pid), json.loads(line)["port"]
        finally:
            process.terminate()
    drain.wait()


@contextlib.contextmanager
def bare() -> Iterator[tuple[psutil.Process, int]]:
    """The bare route and its port."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    with subprocess.Popen([sys.executable, __file__, "--bare", str(port)]) as process:
        try:
            for _ in range(200):
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                    break
                time.sleep(0.05)
            yield psutil.Process(process.pid), port
        finally:
            process.terminate()


def serve_bare(port: int) -> None:
    import threading

    import fastapi
    import pypdfium2
    import uvicorn

    lock = threading.Lock()  # PDFium is not thread-safe
    app = fastapi.FastAPI()

    @app.post("/text")
    def extracted(file: fastapi.UploadFile) -> dict[str, str]:
        with lock:
            document = pypdfium2.PdfDocument(file.file.read())
            text = "\f".join(page.get_textpage().get_text_bounded() for page in document)
            document.close()
        return {"text": text}

    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning", access_log=False)


def cpu_seconds(process: psutil.Process) -> float:
    """Of a process and its children that live."""
    times = [each.cpu_times() for each in (process, *process.children(recursive=True))]
    return sum(each.user + each.system for each in times)


class Route:
    """One route under load, round after round."""

    def __init__(self, what: str, process: psutil.Process, port: int, request: bytes) -> None:
        self.what, self._process, self._port, self._request = what, process, port, request
        self.rounds: list[Load] = []
        self.cpu_ms: list[float] = []

    def press(self, requests: int, connections: int) -> None:
        asyncio.run(press(self._port, self._request, connections * 2, connections))  # imports, caches
        before = cpu_seconds(self._process)
        found = asyncio.run(press(self._port, self._request, requests, connections))
        self.cpu_ms.append((cpu_seconds(self._process) - before) / len(found.latencies) * 1000)
        self.rounds.append(found)

    def numbers(self, bare: "Route") -> Iterator[Number]:
        latencies = [each for one in self.rounds for each in one.latencies]
        statuses = sorted(set().union(*(one.statuses for one in self.rounds)))
        p99 = [one.p99_ms for one in self.rounds]
        yield median_of(f"{self.what}: rate", [one.rate for one in self.rounds], "req/s", note=f"statuses {statuses}")
        whole = Load(1, latencies, set())
        yield Number(f"{self.what}: p99", whole.p99_ms, "ms", spread=p99, note=f"of {len(latencies)} requests")
        yield median_of(f"{self.what}: CPU of a request", self.cpu_ms, "ms")
        if self is not bare:
            ratios = [own / other for own, other in zip(self.cpu_ms, bare.cpu_ms, strict=True)]
            yield median_of(f"{self.what}: CPU beside the bare route's", ratios, "x")
            ratios = [other.rate / own.rate for own, other in zip(self.rounds, bare.rounds, strict=True)]
            yield median_of(f"{self.what}: the bare route's rate beside it", ratios, "x")


def rates(data: bytes, rounds: int, requests: int, connections: int) -> Iterator[Number]:
    with bare() as (alone, alone_port), service() as (served, port):
        routes = [Route("bare FastAPI route, pypdfium2", alone, alone_port, upload("/text", data))]
        routes += [Route(path, served, port, upload(path, data)) for path in ("/v1/plan", "/v1/encode")]
        for number in range(rounds):
            for route in routes if number % 2 else routes[::-1]:
                route.press(requests, connections)
    for route in routes:
        yield from route.numbers(routes[0])


def slow_clients(data: bytes) -> Iterator[Number]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 4096)), hard))
    with service(INDX_HTTP_SILENCE_SECONDS="600") as (process, port), contextlib.ExitStack() as stack:
        half = upload("/v1/encode", data)
        for _ in range(SLOW_CLIENTS):
            slow = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
            slow.sendall(half[: len(half) // 2])
        get = b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n"
        asyncio.run(press(port, get, 1, 1))  # the last of the thousand has been accepted then
        health = asyncio.run(press(port, get, 200, 1))
        yield Number(f"/health beside {SLOW_CLIENTS} half-sent uploads: p99", health.p99_ms, "ms", HEALTH_MS)
        encoded = asyncio.run(press(port, half, 50, 1))
        yield Number("/v1/encode beside them: p99", encoded.p99_ms, "ms", note=f"statuses {sorted(encoded.statuses)}")
        yield Number("resident memory of the server then", process.memory_info().rss / MIB, "MiB")


def memory(data: bytes, requests: int, connections: int) -> Iterator[Number]:
    held = []
    with service() as (process, port):
        for count in (WARM_UP, requests // 2, requests - requests // 2):
            asyncio.run(press(port, upload("/v1/plan", data), count, connections))
            held.append(resident(process))
    for name in held[0]:
        first, middle, last = (each[name] / MIB for each in held)
        note = f"{first:.0f} -> {middle:.0f} -> {last:.0f} MiB, at the start, half way and after {requests} requests"
        yield Number(f"growth of {name}", last - first, "MiB", GROWTH_MIB, note=note)


def resident(process: psutil.Process) -> dict[str, int]:
    workers = [child.memory_info().rss for child in process.children() if "spawn_main" in " ".join(child.cmdline())]
    return {"the server": process.memory_info().rss, "the largest worker": max(workers)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--requests", type=int, default=400, help="of a route in a round")
    parser.add_argument("--connections", type=int, default=8)
    parser.add_argument("--memory-requests", type=int, default=10_000)
    parser.add_argument("--bare", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.bare:
        serve_bare(arguments.bare)
        return
    with tempfile.TemporaryDirectory() as folder:
        write_pdf(Path(folder) / "one.pdf", 1)
        data = (Path(folder) / "one.pdf").read_bytes()

    def numbers() -> Iterator[Number]:
        yield from rates(data, arguments.rounds, arguments.requests, arguments.connections)
        yield from slow_clients(data)
        yield from memory(data, arguments.memory_requests, arguments.connections)

    print(load())
    held = show(numbers())
    print(load())
    sys.exit(not held)


if __name__ == "__main__":
    main()
