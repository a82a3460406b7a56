"""A real service on a real socket in this process, and a client that speaks plain HTTP to it."""

import http.client
import io
import json
import logging
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the serve extra is not installed")
pytest.importorskip("uvicorn", reason="the serve extra is not installed")
pytest.importorskip("python_multipart", reason="the serve extra is not installed")

import uvicorn

from indx_core.app.http.app import create_app
from indx_core.app.http.connection import protocol
from indx_core.app.http.engine import Engine
from indx_core.app.http.middleware import LOOPBACK_NAMES
from indx_core.app.http.settings import HttpSettings
from indx_core.kit.logs import JsonLines
from indx_core.kit.settings import overriding

BOUNDARY = "----boundary"


@dataclass
class Reply:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def error(self) -> dict[str, Any]:
        return self.json["error"]


@dataclass
class Running:
    """A service that listens on ``port``; its log is one JSON object a line."""

    port: int
    engine: Engine
    log: io.StringIO = field(default_factory=io.StringIO)

    def call(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Reply:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body, dict(headers or {}))
            answer = connection.getresponse()
            return Reply(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> Reply:
        return self.call("GET", path, headers=headers)

    def post(self, path: str, document: Any, headers: Mapping[str, str] | None = None) -> Reply:
        body = document if isinstance(document, bytes) else json.dumps(document).encode()
        return self.call("POST", path, body, {"content-type": "application/json", **(headers or {})})

    def upload(self, path: str, *parts: bytes) -> Reply:
        return self.call("POST", path, form(*parts), {"content-type": f"multipart/form-data; boundary={BOUNDARY}"})

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.log.getvalue().splitlines()]

    def line(self, correlation_id: str) -> dict[str, Any]:
        """The one line about a request; it is written after the answer was sent."""
        for _ in range(200):
            found = [e for e in self.lines() if e["message"] == "request" and e["x_request_id"] == correlation_id]
            if found:
                (line,) = found
                return line
            time.sleep(0.02)
        raise AssertionError(f"no line about {correlation_id}")


def form(*parts: bytes) -> bytes:
    """A multipart body."""
    return b"".join(b"--%s\r\n%s\r\n" % (BOUNDARY.encode(), part) for part in parts) + b"--%s--\r\n" % BOUNDARY.encode()


def file_part(data: bytes, filename: str = "note.txt", media_type: str = "application/octet-stream") -> bytes:
    head = f'content-disposition: form-data; name="file"; filename="{filename}"\r\ncontent-type: {media_type}\r\n\r\n'
    return head.encode() + data


def request_part(document: Any) -> bytes:
    data = document if isinstance(document, bytes) else json.dumps(document).encode()
    return b'content-disposition: form-data; name="request"\r\n\r\n' + data


@contextmanager
def running(
    environment: Mapping[str, str] | None = None, hosts: tuple[str, ...] | None = LOOPBACK_NAMES, **engine: Any
) -> Iterator[Running]:
    """A service with these ``INDX_*`` variables, of one worker unless they say otherwise."""
    beside = engine.pop("beside", ())
    with overriding({"INDX_WORKERS": "1", **(environment or {})}):
        made = Engine(HttpSettings.load(), **engine)
        app = create_app(made, hosts=hosts, beside=beside)
    wire = protocol(made.settings.http_silence_seconds)
    with made as started, _listening() as listening:
        config = uvicorn.Config(app, http=wire, log_config=None, access_log=False, lifespan="off")
        server = uvicorn.Server(config)
        service = Running(listening.getsockname()[1], started)
        with _logging_to(service.log):
            thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
            thread.start()
            while not server.started:
                time.sleep(0.01)
            try:
                yield service
            finally:
                server.should_exit = True
                thread.join()


@contextmanager
def _listening() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0), backlog=2048) as listening:
        yield listening


@contextmanager
def _logging_to(stream: io.StringIO) -> Iterator[None]:
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    log = logging.getLogger("indx.http")
    level = log.level
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(level)
