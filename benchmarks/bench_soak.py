"""A soak: small documents through sensor and daemon with injected faults, until every document is accounted for.

    python benchmarks/bench_soak.py [--documents 1500] [--folder PATH]

A bucket (moto's S3 server) is watched by a sensor under a real Dagster daemon. Between the two stands a proxy that
throttles: it answers 503 to the first requests of some documents, as many as the client's own retries do not outlast.
Some documents are damaged. While runs work, their processes, their worker processes and the daemon are killed, by
SIGKILL and without warning. Meanwhile documents are added, changed, renamed and deleted. In the end every document is
in the lake or refused, once, and no two runs were ever about one document at a time. Prints a table; fails if not.
"""

import argparse
import http.client
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

import psutil

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from dagster_daemon import Daemon, daemon_of  # noqa: E402
from measured import load  # noqa: E402
from object_servers import ObjectServer, s3_server  # noqa: E402

from indx_core.kit.lake import Lake  # noqa: E402
from indx_core.kit.settings import overriding  # noqa: E402

BUCKET = "soak"
THROTTLED, DAMAGED = 0.03, 0.02
REFUSALS_OF_A_STORE = 5
"""503 answers per throttled document: the client asks four times."""
KILLS = 4
"""Run processes killed; half as often the daemon with everything below it is."""
TOML = """
batch_size = 200
[ingest]
languages = false
[corpora.soak]
root = "s3://soak"
[corpora.soak.sensor]
running = true
every_seconds = 2
"""


class Throttling(BaseHTTPRequestHandler):
    """Passes a request on, or answers that the store is too busy."""

    target = ("", 0)
    left: Counter[str] = Counter()
    answered = 0
    lock = threading.Lock()
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        name = unquote(urlsplit(self.path).path).rpartition("/")[2]
        with self.lock:
            busy = self.left[name] > 0
            self.left[name] -= busy
            type(self).answered += busy
        if busy:
            self._answer(503, {"Content-Type": "application/xml"}, b"<Error><Code>SlowDown</Code></Error>")
            return
        connection = http.client.HTTPConnection(*self.target, timeout=60)
        connection.request(self.command, self.path, headers=dict(self.headers))
        found = connection.getresponse()
        body = found.read()
        headers = {k: v for k, v in found.getheaders() if k.lower() not in {"transfer-encoding", "connection", "date"}}
        self._answer(found.status, headers, body)
        connection.close()

    do_HEAD = do_GET  # noqa: N815 - named by http.server

    def _answer(self, status: int, headers: dict[str, str], body: bytes) -> None:
        with suppress(OSError):
            self.send_response(status)
            for name, value in headers.items():
                if name.lower() != "content-length":
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing: thousands of requests."""


class Proxy(ThreadingHTTPServer):
    """A server whose clients are killed: a broken connection is nothing to report."""

    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """Nothing."""


@contextmanager
def throttling(url: str, names: list[str]) -> Iterator[str]:
    """A proxy before a store; yields its address."""
    parts = urlsplit(url)
    Throttling.target = (parts.hostname or "", parts.port or 80)
    Throttling.left = Counter(dict.fromkeys(names, REFUSALS_OF_A_STORE))
    server = Proxy(("127.0.0.1", 0), Throttling)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()


class Soak:
    """The corpus as it should be, and what was done to it."""

    def __init__(self, server: ObjectServer, daemon: Daemon, chance: random.Random) -> None:
        self.server, self.daemon, self.chance = server, daemon, chance
        self.wanted: dict[str, str] = {}
        """Text by name; a damaged document has none."""
        self.done: Counter[str] = Counter()

    def put(self, name: str, text: str) -> None:
        damaged = not text
        data = b"\x00\x01" + name.encode() if damaged else text.encode()
        self.server.write(BUCKET, name, data, "application/octet-stream" if damaged else "text/plain")
        self.wanted[name] = text

    def remove(self, name: str) -> None:
        self.server.remove(BUCKET, name)
        del self.wanted[name]

    def change_corpus(self) -> None:
        """What people do meanwhile."""
        names = sorted(name for name, text in self.wanted.items() if text)
        for name in self.chance.sample(names, 8):
            what = self.chance.choice(["change", "delete", "rename", "add"])
            self.done[what] += 1
            text = self.wanted[name]
            if what == "change":
                self.put(name, f"{text} and more")
            elif what == "add":
                self.put(f"new-{name}", f"{text}, again")
            else:
                self.remove(name)
                if what == "rename":
                    self.put(f"renamed-{name}", text)

    def kill_something(self, turn: int) -> None:
        workers = self.daemon.workers()
        if turn % 2:
            self.daemon.kill()
            self.daemon.start()
            self.done["daemons killed"] += 1
        elif workers:
            victims = workers[0].children(recursive=True)
            victim = self.chance.choice([*victims, workers[0]])
            with suppress(psutil.NoSuchProcess):
                victim.kill()
            self.done["runs killed" if victim is workers[0] else "worker processes killed"] += 1

    def rows(self, table: str) -> dict[str, list[str]]:
        """Texts of pages, or codes of refusals, by document."""
        column = {"pages": "text", "refusals": "code", "chunks": "text", "sources": "media_type"}[table]
        found: dict[str, list[str]] = {}
        for row in Lake.open().dataset(table).to_table(columns=["key", column]).to_pylist():
            found.setdefault(row["key"].partition("/")[2], []).append(row[column])
        return found

    def faults(self) -> dict[str, int]:
        """What is not as it should be; all zeros in the end."""
        pages, refused, chunks = self.rows("pages"), self.rows("refusals"), self.rows("chunks")
        good = {name: text for name, text in self.wanted.items() if text}
        damaged = self.wanted.keys() - good.keys()
        return {
            "documents lost": len(self.wanted.keys() - pages.keys() - refused.keys()),
            "good documents without their text": sum(pages.get(name) != [text] for name, text in good.items()),
            "good documents without their chunk": sum(chunks.get(name) != [text] for name, text in good.items()),
            "damaged documents not refused": len(damaged - refused.keys()),
            "good documents refused": len(good.keys() & refused.keys()),
            "documents twice": sum(len(texts) > 1 for texts in [*pages.values(), *refused.values()]),
            "deleted documents left": len((pages.keys() | refused.keys()) - self.wanted.keys()),
            "documents in two runs at a time": len(self.daemon.overlaps()),
        }


def soak(documents: int, folder: Path) -> bool:
    """Run it; returns whether everything is accounted for."""
    chance = random.Random(20261130)
    names = [f"{number:05}.txt" for number in range(documents)]
    slow = chance.sample(names, round(documents * THROTTLED))
    (folder / "indx.toml").write_text(TOML)
    with s3_server() as server, throttling(server.loader["INDX_LOADER_S3_ENDPOINT_URL"], slow) as proxy:
        variables = {**server.loader, "INDX_LOADER_S3_ENDPOINT_URL": proxy, "INDX_RETRY_SECONDS": "5"}
        variables["INDX_RUN_START_SECONDS"] = "150"
        with daemon_of(folder, **variables) as daemon, overriding({"INDX_LAKE": str(folder / "lake")}):
            found = Soak(server, daemon, chance)
            server.create(BUCKET)
            damaged = set(chance.sample(sorted(set(names) - set(slow)), round(documents * DAMAGED)))
            for name in names:
                words = "" if name in damaged else f"document {name}, {chance.randrange(10**9)}"
                found.put(name, words)
            started = time.monotonic()
            daemon.start()
            for turn in range(KILLS):
                daemon.wait(daemon.workers, 600, "a run at work")
                time.sleep(chance.uniform(1, 6))
                found.change_corpus()
                found.kill_something(turn)
            quiet = 0
            while quiet < 3:
                time.sleep(5)
                quiet = quiet + 1 if daemon.idle() and not any(found.faults().values()) else 0
                if time.monotonic() - started > 600 + documents:
                    break
            return report(found, documents, time.monotonic() - started)


def report(found: Soak, documents: int, seconds: float) -> bool:
    """Print what was done, what it came to, and what is not as it should be."""
    faults = found.faults()
    runs = Counter(record.dagster_run.status.value for record in found.daemon.runs())
    ended = found.daemon.materialized()
    lines = {
        "documents at first": documents,
        "documents in the end": len(found.wanted),
        "of them damaged, and refused": sum(not text for text in found.wanted.values()),
        "503 answers of the store": Throttling.answered,
        **dict(sorted(found.done.items())),
        **{f"runs {status.lower()}": count for status, count in sorted(runs.items())},
        "documents materialized": len(ended),
        "materializations beyond the first, changes among them": sum(ended.values()) - len(ended),
        "seconds": round(seconds),
    }
    for name, value in {**lines, **faults}.items():
        print(f"{name:58}{value:>8}")
    print(load())
    return not any(faults.values())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=1500)
    parser.add_argument("--folder", type=Path, help="where lake and instance are kept; a temporary one if not given")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        sys.exit(0 if soak(arguments.documents, arguments.folder or Path(temporary)) else 1)
