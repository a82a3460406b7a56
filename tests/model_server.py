"""A server on the loopback address that speaks OpenAI's chat and embedding protocol, for tests of the model lanes.

It answers real HTTP requests with what a test scripted, one entry per request, and remembers what it was sent.
"""

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Reply:
    """One scripted answer.

    Attributes:
        content: The model's message.
        finish_reason: ``stop``, ``length`` (cut off) or ``content_filter``.
        status: HTTP status; any but 200 answers an error body.
        body: Raw bytes in the place of everything else.
        headers: Further response headers.
        delay_seconds: Wait before answering.
    """

    content: str | None = ""
    finish_reason: str = "stop"
    status: int = 200
    body: bytes | None = None
    headers: dict[str, str] = field(default_factory=dict)
    delay_seconds: float = 0.0


@dataclass
class ModelServer:
    """What a test scripts and reads back. The last reply is repeated when the script is over."""

    base: str
    replies: list[Reply] = field(default_factory=lambda: [Reply("hello")])
    requests: list[dict[str, Any]] = field(default_factory=list)
    authorizations: list[str | None] = field(default_factory=list)
    prompt_tokens: int = 1000
    completion_tokens: int = 100
    dimension: int = 8

    def next_reply(self) -> Reply:
        return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]


@contextmanager
def model_server() -> Iterator[ModelServer]:
    """A running server on a free port; connections are closed after each answer, so a stopped server is gone."""
    httpd = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    httpd.daemon_threads = True
    server = ModelServer(f"http://127.0.0.1:{httpd.server_address[1]}/v1")
    httpd.script = server
    thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        httpd.shutdown()
        httpd.server_close()
        thread.join()


def closed_port() -> str:
    """An address on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}/v1"


class _Handler(BaseHTTPRequestHandler):
    server: Any

    def do_POST(self) -> None:
        script: ModelServer = self.server.script
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        script.requests.append(request)
        script.authorizations.append(self.headers.get("authorization"))
        reply = script.next_reply()
        time.sleep(reply.delay_seconds)
        body = reply.body if reply.body is not None else json.dumps(_body(request, reply, script)).encode()
        try:
            self.send_response(reply.status)
            for name, value in {"content-type": "application/json", "connection": "close", **reply.headers}.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        except (BrokenPipeError, ConnectionResetError):
            pass  # the client gave up waiting: that is what the test is about
        self.close_connection = True

    def log_message(self, *args: Any) -> None:
        """Say nothing."""


def _body(request: dict[str, Any], reply: Reply, script: ModelServer) -> dict[str, Any]:
    if reply.status != 200:
        return {"error": {"message": "refused; the key was sk-secret-echo", "type": "error", "code": None}}
    if "input" in request:
        return _embeddings(request, script)
    usage = {"prompt_tokens": script.prompt_tokens, "completion_tokens": script.completion_tokens}
    return {
        "id": "answer-1",
        "object": "chat.completion",
        "created": 0,
        "model": request["model"],
        "choices": [
            {
                "index": 0,
                "finish_reason": reply.finish_reason,
                "message": {"role": "assistant", "content": reply.content},
            }
        ],
        "usage": {**usage, "total_tokens": sum(usage.values())},
    }


def _embeddings(request: dict[str, Any], script: ModelServer) -> dict[str, Any]:
    """A vector per text that depends on the text alone, not of length 1, listed backwards: the index says which."""
    data = [
        {"object": "embedding", "index": index, "embedding": _vector(text, script.dimension)}
        for index, text in enumerate(request["input"])
    ]
    usage = {"prompt_tokens": script.prompt_tokens, "total_tokens": script.prompt_tokens}
    return {"object": "list", "model": request["model"], "data": data[::-1], "usage": usage}


def _vector(text: str, dimension: int) -> list[float]:
    return [float(sum(text.encode()[at::dimension]) % 97) + at / 10 for at in range(dimension)]
