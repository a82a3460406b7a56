"""Deadlines, disconnects, lost workers and a full house: what a caller sees, and that the next one is served."""

import base64
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from app.http.chaos import chaos
from app.http.serving import Reply, Running, running

from indx_core.app.http import engine
from indx_core.app.http.engine import Ticket
from indx_core.app.http.work import WorkerDeadline
from indx_core.contracts.errors import ClientDisconnected, RequestTimeout

SOURCE = {"type": "inline", "data": base64.b64encode(b"note").decode(), "filename": "note.txt"}


def ask(service: Running, request_id: str = "x", **headers: str) -> Reply:
    return service.post("/v1/plan", {"request_id": request_id, "source": SOURCE}, headers)


def until(condition: Callable[[], bool]) -> None:
    for _ in range(1000):
        if condition():
            return
        time.sleep(0.02)
    raise AssertionError("it never came to be")


@pytest.fixture(autouse=True)
def _short_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "GRACE_SECONDS", 0.3)


@pytest.fixture(scope="module")
def wild() -> Iterator[Running]:
    with running({"INDX_HTTP_QUEUE": "2"}, task_work=chaos) as started:
        yield started


@pytest.fixture(scope="module")
def hurried() -> Iterator[Running]:
    with running({"INDX_REQUEST_TIMEOUT_SECONDS": "0.5"}, task_work=chaos) as started:
        yield started


def test_a_worker_that_dies_costs_one_request_and_says_so(wild: Running) -> None:
    reply = ask(wild, "crash")
    assert (reply.status, reply.error["code"], reply.error["request_id"]) == (503, "worker_crashed", "crash")
    assert ask(wild).status == 200


def test_an_exception_in_a_worker_is_a_generic_500(wild: Running) -> None:
    reply = ask(wild, "untyped")
    assert (reply.status, reply.error.get("code"), reply.error["request_id"]) == (500, None, "untyped")
    assert b"detail" not in reply.body


def test_the_deadline_is_answered_whatever_the_worker_is_at(hurried: Running, tmp_path: Path) -> None:
    """The worker never looks up; it is killed, and the next request finds another."""
    marks = tmp_path / "marks"
    reply = ask(hurried, f"hang:{marks}")
    assert (reply.status, reply.error["type"], reply.error["code"]) == (504, "timeout", "request_timeout")
    assert reply.error["request_id"] == f"hang:{marks}"
    (tmp_path / "after").touch()
    until(lambda: ask(hurried).status == 200)
    until(lambda: not Path("/proc", marks.read_text().split()[1]).exists())


def test_a_worker_that_looks_up_stops_by_itself_and_lives_on(hurried: Running, tmp_path: Path) -> None:
    marks = tmp_path / "marks"
    assert ask(hurried, f"slow:{marks}").error["code"] == "request_timeout"
    until(lambda: "stopped" in marks.read_text())
    assert Path("/proc", marks.read_text().split()[1]).exists()


def test_a_caller_that_hangs_up_stops_the_work(wild: Running, tmp_path: Path) -> None:
    marks = tmp_path / "marks"
    _hang_up(wild, f"slow:{marks}", marks.exists, "gone-1")
    until(lambda: "stopped" in marks.read_text())
    line = wild.line("gone-1")
    assert line["code"] == "client_disconnected"
    assert ask(wild).status == 200


def test_a_caller_that_hangs_up_on_a_hung_worker_frees_it_too(wild: Running, tmp_path: Path) -> None:
    marks = tmp_path / "marks"
    _hang_up(wild, f"hang:{marks}", marks.exists, "gone-2")
    assert ask(wild).status == 200


def test_a_full_house_is_a_503_with_retry_after_and_health_answers(wild: Running, tmp_path: Path) -> None:
    marks = tmp_path / "marks"
    at_work = _send(wild, f"slow:{marks}")
    until(marks.exists)
    waiting = [_send(wild, f"slow:{marks}") for _ in range(2)]
    until(lambda: wild.engine._admitted == 3)
    reply = ask(wild)
    assert (reply.status, reply.error["type"], reply.error["code"]) == (503, "http_error", "server_busy")
    assert 1 <= int(reply.headers["retry-after"]) <= 60
    assert wild.get("/health").status == 200
    for caller in waiting:
        caller.close()
    until(lambda: wild.engine._admitted == 1)  # else the worker, free again, may be quicker than the news
    at_work.close()
    until(lambda: wild.engine._admitted == 0)
    assert ask(wild).status == 200
    assert marks.read_text().count("begun") == 1, "what still waited was never begun"


def test_a_refusal_for_want_of_room_comes_before_the_body(wild: Running, tmp_path: Path) -> None:
    callers = [_send(wild, f"slow:{tmp_path / 'marks'}") for _ in range(3)]
    until(lambda: wild.engine._admitted == 3)
    with socket.create_connection(("127.0.0.1", wild.port), timeout=10) as raw:
        raw.sendall(_head("/v1/plan", 100_000_000))
        assert raw.recv(1000).startswith(b"HTTP/1.1 503")
    for caller in callers:
        caller.close()
    until(lambda: wild.engine._admitted == 0)


def test_two_workers_work_at_the_same_time(tmp_path: Path) -> None:
    marks = tmp_path / "marks"
    with running({"INDX_WORKERS": "2"}, task_work=chaos) as service, _send(service, f"slow:{marks}"):
        until(marks.exists)
        assert ask(service).status == 200


def test_a_worker_deadline_hears_of_the_caller_through_a_file(tmp_path: Path) -> None:
    ticket = Ticket(tmp_path / "flag")
    deadline = WorkerDeadline(None, ticket.flag)
    deadline.check()
    ticket.give_up()
    with pytest.raises(ClientDisconnected):
        deadline.check()
    ticket.close()
    assert list(tmp_path.iterdir()) == []


def test_a_deadline_that_passed_while_the_request_waited_is_no_absent_deadline(tmp_path: Path) -> None:
    deadline = WorkerDeadline(time.monotonic() - 5, tmp_path / "flag")
    time.sleep(0.001)
    with pytest.raises(RequestTimeout):
        deadline.check()


def test_the_service_leaves_no_process_and_no_file_behind(tmp_path: Path) -> None:
    marks = tmp_path / "marks"
    with running(task_work=chaos) as service:
        caller = _send(service, f"hang:{marks}")
        until(marks.exists)
        folder = Path(service.engine._folder.name)
        threading.Timer(0.2, caller.close).start()
    assert not Path("/proc", marks.read_text().split()[1]).exists()
    assert not folder.exists()


def _head(path: str, length: int, **headers: str) -> bytes:
    lines = {"host": "127.0.0.1", "content-type": "application/json", "content-length": str(length), **headers}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"POST {path} HTTP/1.1\r\n{head}\r\n".encode()


def _send(service: Running, request_id: str, **headers: str) -> socket.socket:
    """A caller that sent its request and waits."""
    body = json.dumps({"request_id": request_id, "source": SOURCE}).encode()
    raw = socket.create_connection(("127.0.0.1", service.port), timeout=10)
    raw.sendall(_head("/v1/plan", len(body), **headers) + body)
    return raw


def _hang_up(service: Running, request_id: str, begun: Callable[[], bool], correlation_id: str) -> None:
    with _send(service, request_id, **{"x-request-id": correlation_id}):
        until(begun)
