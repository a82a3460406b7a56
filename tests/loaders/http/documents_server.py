"""A real HTTP server on a loopback address whose answers a test writes down, raw bytes included."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

Answer = bytes | Callable[[socket.socket], None]
"""The whole answer as bytes on the wire, or a function that writes to the connection as it likes."""


@dataclass
class DocumentsServer:
    """Answers by path. A list of answers is given one a request, the last one for ever."""

    port: int
    answers: dict[str, Answer | list[Answer]] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)
    heads: list[bytes] = field(default_factory=list)

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    def _answer(self, connection: socket.socket) -> None:
        head = b""
        while b"\r\n\r\n" not in head:
            received = connection.recv(65536)
            if not received:
                return
            head += received
        path = head.split(b" ", 2)[1].decode()
        self.requests.append(path)
        self.heads.append(head)
        answer = self.answers.get(path, reply(b"", status="404 Not Found"))
        if isinstance(answer, list):
            answer = answer.pop(0) if len(answer) > 1 else answer[0]
        if callable(answer):
            answer(connection)
        else:
            connection.sendall(answer)


def reply(body: bytes = b"", *headers: str, status: str = "200 OK", length: int | None = None) -> bytes:
    """An answer with a body and a Content-Length, which ``length`` may make a lie."""
    length = len(body) if length is None else length
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {length}", "Connection: close", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def redirect(location: str, status: int = 302) -> bytes:
    return reply(b"", f"Location: {location}", status=f"{status} Found")


def dripping(data: bytes, seconds: float = 0.05) -> Callable[[socket.socket], None]:
    """Sends one byte at a time, so that no single read ever waits long."""

    def write(connection: socket.socket) -> None:
        for at in range(len(data)):
            connection.sendall(data[at : at + 1])
            time.sleep(seconds)

    return write


@contextmanager
def serving(wrap: Callable[[socket.socket], socket.socket] = lambda plain: plain) -> Iterator[DocumentsServer]:
    """A server for the duration of a block; ``wrap`` may put TLS over its connections."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = DocumentsServer(listener.getsockname()[1])

        def handle(plain: socket.socket) -> None:
            with plain:
                try:
                    with wrap(plain) as connection:
                        server._answer(connection)
                except OSError:  # the loader hung up, as several tests want it to
                    pass

        def accept() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                threading.Thread(target=handle, args=(connection,), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        try:
            yield server
        finally:
            listener.shutdown(socket.SHUT_RDWR)
