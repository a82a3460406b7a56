"""What reaches the service and is no request: answered in its own words, bounded, and never waited for without end."""

import asyncio
import json
import socket
import threading
import time
from collections.abc import Iterator

import pytest

pytest.importorskip("uvicorn", reason="the serve extra is not installed")

import uvicorn

from indx_core.app.http.connection import HEAD_BYTES, GuardedH11, protocol

SILENCE = 0.3
HEAD = b"GET /health HTTP/1.1\r\nHost: localhost\r\n"


def _h11() -> type[asyncio.Protocol]:
    return type("H11", (GuardedH11,), {"silence": SILENCE})


def _preferred() -> type[asyncio.Protocol]:
    pytest.importorskip("httptools")
    return protocol(SILENCE)


async def _answering(_scope, receive, send) -> None:
    """Reads whatever is sent and answers two bytes."""
    while (await receive()).get("more_body", False):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


@pytest.fixture(scope="module", params=[_preferred, _h11], ids=["httptools", "h11"])
def port(request: pytest.FixtureRequest) -> Iterator[int]:
    config = uvicorn.Config(_answering, http=request.param(), log_config=None, access_log=False, lifespan="off")
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        yield listening.getsockname()[1]
        server.should_exit = True
        thread.join()


@pytest.fixture
def raw(port: int) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connected:
        yield connected


def everything(raw: socket.socket) -> bytes:
    """What comes until the service ends the connection."""
    received = b""
    while piece := raw.recv(65536):
        received += piece
    return received


def refused(received: bytes) -> tuple[int, str]:
    head, _, body = received.partition(b"\r\n\r\n")
    lines = dict(line.split(b": ", 1) for line in head.split(b"\r\n")[1:])
    assert lines[b"content-type"] == b"application/json"
    assert lines[b"x-request-id"]
    error = json.loads(body)["error"]
    assert error["type"] == "http_error"
    return int(head.split()[1]), error["code"]


@pytest.mark.parametrize(
    "sent",
    [
        b"\x16\x03\x01 this is TLS\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET /health HTTP/1.1\r\nno colon\r\n\r\n",
        b"POST /v1/plan HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
        b"POST /v1/plan HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n{}\r\n0\r\n\r\n",
    ],
)
def test_what_is_no_http_is_answered_with_the_envelope(raw: socket.socket, sent: bytes) -> None:
    raw.sendall(sent)
    assert refused(everything(raw)) == (400, "malformed_request")


def test_a_head_without_end_is_refused_however_much_is_sent(raw: socket.socket) -> None:
    """httptools keeps every byte of it: 180 MB of headers were 180 MB of memory."""
    raw.sendall(HEAD)
    for number in range(50):
        raw.sendall(b"x-%d: " % number + b"y" * HEAD_BYTES + b"\r\n")
    assert refused(everything(raw))[0] in (431, 400)  # h11 has a limit of its own and no other status for it


def test_a_head_that_does_not_arrive_is_given_up(raw: socket.socket) -> None:
    raw.sendall(HEAD)
    assert refused(everything(raw)) == (408, "head_timeout")


def test_a_second_request_of_a_connection_has_no_more_patience_than_the_first(raw: socket.socket) -> None:
    raw.sendall(HEAD + b"\r\n")
    assert raw.recv(1000).endswith(b"ok")
    raw.sendall(b"GET /hea")
    assert refused(everything(raw)) == (408, "head_timeout")


def test_a_connection_on_which_nothing_is_asked_is_closed_without_a_word(raw: socket.socket) -> None:
    assert everything(raw) == b""


def test_a_head_in_pieces_is_waited_for(raw: socket.socket) -> None:
    for piece in (HEAD[:10], HEAD[10:], b"\r\n"):
        raw.sendall(piece)
        time.sleep(0.02)
    assert raw.recv(1000).endswith(b"ok")


def test_a_body_is_not_a_head(raw: socket.socket) -> None:
    """Its silence and its length are bounded where it is read."""
    raw.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n" + b"x" * 99_999)
    time.sleep(SILENCE * 1.5)
    raw.sendall(b"x")
    assert raw.recv(1000).endswith(b"ok")


def test_requests_that_follow_each_other_on_one_connection_are_all_answered(raw: socket.socket) -> None:
    raw.sendall((HEAD + b"\r\n") * 3)
    received = b""
    while received.count(b"ok") < 3:
        received += raw.recv(1000)
    assert received.count(b"HTTP/1.1 200") == 3
