"""The service under load on the loopback address: rate and tail of plan and encode, slow clients, memory.

Beside each rate stands that of a bare route that does nothing but call pypdfium2 on the same upload, on FastAPI where
that is installed and on Starlette otherwise: one process, its own threads, no isolation. Client, service and bare route
are processes of their own and share this machine.

Run from the root: ``python benchmarks/bench_http.py [--requests 1000] [--connections 8] [--memory-requests 10000]``.
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
from measured import Number, load, show, write_pdf

MIB = 2**20
SLOW_CLIENTS = 1000
BOUNDARY = b"----bench"
HEALTH_MS = 500
"""/health beside slow clients, on a machine that does other work: a stopped loop answers not at all."""
GROWTH_MIB = 32


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

    import pypdfium2
    import uvicorn

    lock = threading.Lock()  # PDFium is not thread-safe

    def text(data: bytes) -> str:
        with lock:
            document = pypdfium2.PdfDocument(data)
            found = "\f".join(page.get_textpage().get_text_bounded() for page in document)
            document.close()
        return found

    try:
        import fastapi

        app = fastapi.FastAPI()

        @app.post("/text")
        def extracted(file: fastapi.UploadFile) -> dict[str, str]:
            return {"text": text(file.file.read())}

    except ImportError:
        from starlette.applications import Starlette
        from starlette.concurrency import run_in_threadpool
        from starlette.requests import Request
        from starlette.responses import JSONResponse
        from starlette.routing import Route

        async def uploaded(request: Request) -> JSONResponse:
            form = await request.form()
            data = await form["file"].read()
            return JSONResponse({"text": await run_in_threadpool(text, data)})

        app = Starlette(routes=[Route("/text", uploaded, methods=["POST"])])
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning", access_log=False)


def cpu_seconds(process: psutil.Process) -> float:
    """Of a process and its children that live."""
    times = [each.cpu_times() for each in (process, *process.children(recursive=True))]
    return sum(each.user + each.system for each in times)


def rates(data: bytes, requests: int, connections: int) -> Iterator[Number]:
    with bare() as (process, port):
        yield from pressed("bare route, pypdfium2 alone", process, port, upload("/text", data), requests, connections)
    with service() as (process, port):
        for path in ("/v1/plan", "/v1/encode"):
            yield from pressed(path, process, port, upload(path, data), requests, connections)


def pressed(
    what: str, process: psutil.Process, port: int, request: bytes, requests: int, connections: int
) -> Iterator[Number]:
    asyncio.run(press(port, request, connections * 4, connections))
    before = cpu_seconds(process)
    found = asyncio.run(press(port, request, requests, connections))
    cpu = (cpu_seconds(process) - before) / len(found.latencies) * 1000
    note = f"{len(found.latencies)} requests, statuses {sorted(found.statuses)}, {load()}"
    yield Number(f"{what}: rate", found.rate, "req/s", note=note)
    yield Number(f"{what}: p99", found.p99_ms, "ms")
    yield Number(f"{what}: CPU of a request", cpu, "ms")


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
    with service() as (process, port):
        asyncio.run(press(port, upload("/v1/plan", data), 1000, connections))
        before = resident(process)
        asyncio.run(press(port, upload("/v1/plan", data), requests, connections))
        after = resident(process)
    for name in before:
        note = f"{before[name] / MIB:.0f} -> {after[name] / MIB:.0f} MiB over {requests} requests"
        yield Number(f"growth of {name}", (after[name] - before[name]) / MIB, "MiB", GROWTH_MIB, note=note)


def resident(process: psutil.Process) -> dict[str, int]:
    workers = [child.memory_info().rss for child in process.children() if "spawn_main" in " ".join(child.cmdline())]
    return {"the server": process.memory_info().rss, "the largest worker": max(workers)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=1000)
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
        yield from rates(data, arguments.requests, arguments.connections)
        yield from slow_clients(data)
        yield from memory(data, arguments.memory_requests, arguments.connections)

    sys.exit(not show(numbers()))


if __name__ == "__main__":
    main()
