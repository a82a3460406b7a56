"""Limits hold while a body is arriving, and clients that are slow or many stop nobody else."""

import base64
import json
import resource
import socket
from collections.abc import Iterator

import pytest
from app.http.serving import BOUNDARY, Running, file_part, form, request_part, running

LIMIT = 100_000


@pytest.fixture(scope="module")
def small() -> Iterator[Running]:
    variables = {
        "INDX_MAX_INPUT_BYTES": str(LIMIT),
        "INDX_HTTP_MAX_BODY_BYTES": "1000000",
        "INDX_HTTP_BUFFER_BYTES": "1500000",
        "INDX_HTTP_SILENCE_SECONDS": "0.4",
    }
    with running(variables) as started:
        yield started


def opened(service: Running, head: str, body: bytes = b"") -> socket.socket:
    raw = socket.create_connection(("127.0.0.1", service.port), timeout=30)
    raw.sendall(f"POST /v1/plan HTTP/1.1\r\nhost: localhost\r\n{head}\r\n\r\n".encode() + body)
    return raw


def answer(raw: socket.socket) -> tuple[int, dict]:
    received = b""
    while piece := raw.recv(65536):
        received += piece
        head, _, body = received.partition(b"\r\n\r\n")
        if body.endswith(b"}}"):
            break
    return int(head.split()[1]), json.loads(body)["error"]


def test_the_limit_is_advertised_outside_the_snapshot_s_identity(small: Running, service: Running) -> None:
    limited, free = small.get("/v1/capabilities").json, service.get("/v1/capabilities").json
    assert (limited["limits"]["max_input_bytes"], free["limits"]["max_input_bytes"]) == (LIMIT, None)
    assert limited["snapshot_id"] == free["snapshot_id"]


def test_a_source_of_just_the_limit_is_taken_in_either_form(small: Running) -> None:
    data = b"a" * LIMIT
    inline = {"source": {"type": "inline", "data": base64.b64encode(data).decode(), "filename": "x.txt"}}
    assert small.post("/v1/plan", inline).status == 200
    assert small.upload("/v1/plan", file_part(data)).status == 200


def test_one_byte_more_is_a_413_naming_the_field(small: Running) -> None:
    data = b"a" * (LIMIT + 1)
    inline = {"source": {"type": "inline", "data": base64.b64encode(data).decode(), "filename": "x.txt"}}
    reply = small.post("/v1/plan", inline)
    assert (reply.status, reply.error["code"], reply.error["param"]) == (413, "input_too_large", "source.inline.data")
    reply = small.upload("/v1/plan", file_part(data))
    assert (reply.status, reply.error["code"], reply.error["param"]) == (413, "input_too_large", "file")


def test_an_announced_body_is_refused_before_it_is_sent(small: Running) -> None:
    with opened(small, "content-type: application/json\r\ncontent-length: 9000000000") as raw:
        assert answer(raw)[1]["code"] == "input_too_large"


def test_a_body_of_unknown_length_is_refused_at_the_piece_that_is_too_much(small: Running) -> None:
    with opened(small, "content-type: application/json\r\ntransfer-encoding: chunked") as raw:
        for _ in range(40):
            raw.sendall(b"8000\r\n" + b" " * 0x8000 + b"\r\n")
        status, error = answer(raw)
    assert (status, error["code"]) == (413, "input_too_large")


def test_a_file_is_refused_while_the_rest_of_it_is_still_to_come(small: Running) -> None:
    body = form(file_part(b"a" * 900_000))
    head = f"content-type: multipart/form-data; boundary={BOUNDARY}\r\ncontent-length: {len(body)}"
    with opened(small, head, body[: LIMIT + 2000]) as raw:
        status, error = answer(raw)
    assert (status, error["param"]) == (413, "file")


def test_a_client_that_sends_on_after_a_refusal_still_reads_it(small: Running) -> None:
    """Without the service taking in what comes, the kernel answers with a reset and the answer is lost."""
    for _ in range(5):
        reply = small.upload("/v1/plan", file_part(b"a" * 900_000))
        assert reply.status == 413


def test_who_asks_before_sending_is_told_without_sending(small: Running) -> None:
    head = "content-type: application/json\r\ncontent-length: 9000000\r\nexpect: 100-continue"
    with opened(small, head) as raw:
        assert answer(raw)[0] == 413
    with opened(small, "content-type: application/json\r\ncontent-length: 2\r\nexpect: 100-continue") as raw:
        assert raw.recv(1000).startswith(b"HTTP/1.1 100")


def test_a_client_that_falls_silent_is_a_408(small: Running) -> None:
    with opened(small, "content-type: application/json\r\ncontent-length: 100", b'{"source"') as raw:
        status, error = answer(raw)
    assert (status, error["type"], error["code"]) == (408, "http_error", "body_timeout")


def test_bodies_together_do_not_pass_the_memory_set_aside_for_them(service: Running) -> None:
    variables = {"INDX_HTTP_BUFFER_BYTES": "100000"}
    with running(variables) as service:
        head = "content-type: application/json\r\ncontent-length: 90000"
        with opened(service, head, b" " * 80_000):
            reply = service.post("/v1/plan", b" " * 80_000)
            assert (reply.status, reply.error["code"]) == (503, "server_busy")
            assert reply.headers["retry-after"]
        assert service.post("/v1/plan", b" " * 80_000).status == 422


def test_the_request_part_has_its_limit_too(small: Running) -> None:
    reply = small.upload("/v1/plan", request_part(b" " * 1_000_001), file_part(b"a"))
    assert (reply.status, reply.error["param"]) == (413, "body")


@pytest.mark.slow
def test_a_thousand_slow_clients_do_not_stop_anybody(service: Running) -> None:
    """Each has sent half of its request. Both ends are in this process, so each takes two of its files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 4096)), hard))
    many = 1000
    slow = [
        opened(service, "content-type: application/json\r\ncontent-length: 1000", b'{"source"') for _ in range(many)
    ]
    try:
        assert service.get("/health").status == 200
        assert service.upload("/v1/plan", file_part(b"note")).status == 200
        assert service.engine._admitted == 0, "a request takes no worker before its body is there"
    finally:
        for each in slow:
            each.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
