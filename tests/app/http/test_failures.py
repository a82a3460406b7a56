"""Every failure is the one envelope, says where the fault is, and can be found in the log."""

import base64
import json
import logging

import pytest
from app.http.serving import BOUNDARY, Reply, Running, file_part, form, request_part, running
from starlette.routing import Mount

from indx_core.contracts.errors import SettingsInvalid

NOTE = base64.b64encode(b"note").decode()
SOURCE = {"type": "inline", "data": NOTE, "filename": "note.txt"}


def fault(reply: Reply) -> tuple[int, str | None, str | None]:
    assert set(reply.json) == {"error"}
    assert set(reply.error) <= {"type", "code", "message", "param", "request_id"}
    assert reply.headers["content-type"] == "application/json"
    assert reply.headers["x-request-id"]
    return reply.status, reply.error.get("code"), reply.error.get("param")


@pytest.mark.parametrize("path", ["/nope", "/v1", "/v1/plan/", "/docs", "/v1/plan/%0d%0aX-Injected:%20yes"])
def test_an_unknown_path_is_the_envelope_too(service: Running, path: str) -> None:
    reply = service.get(path)
    assert fault(reply) == (404, "not_found", None)
    assert reply.error["type"] == "http_error"
    assert "x-injected" not in reply.headers


@pytest.mark.parametrize(("method", "path"), [("GET", "/v1/plan"), ("DELETE", "/health"), ("TRACE", "/v1/embed")])
def test_a_wrong_method_says_which_are_right(service: Running, method: str, path: str) -> None:
    reply = service.call(method, path)
    assert fault(reply) == (405, "method_not_allowed", None)
    assert reply.headers["allow"]


INFINITE = float("inf")
"""What a reader of JSON makes of ``1e400``; no identity could be taken of it, and no answer written."""


@pytest.mark.parametrize(
    ("path", "body", "param"),
    [
        ("/v1/plan", b"", "body"),
        ("/v1/plan", b"{", "body"),
        ("/v1/plan", b"[]", "body"),
        ("/v1/plan", b"\xff\xfe", "body"),
        ("/v1/plan", b"[" * 100_000, "body"),
        ("/v1/plan", {}, "source"),
        ("/v1/plan", {"source": {"type": "uri", "uri": ""}}, "source.uri.uri"),
        ("/v1/plan", {"source": {"type": "carrier-pigeon"}}, "source"),
        ("/v1/plan", {"source": {"type": "inline", "data": "no base64!"}}, "source.inline.data"),
        ("/v1/plan", {"source": SOURCE, "constraints": {"minimum_quality": 7}}, "constraints.minimum_quality"),
        ("/v1/plan", {"source": SOURCE, "constraints": {"maximum_cost_usd": INFINITE}}, "constraints.maximum_cost_usd"),
        ("/v1/plan", {"source": SOURCE, "granularities": ["page", "verse"]}, "granularities.1"),
        ("/v1/plan", {"source": SOURCE, "metadata": {}}, "metadata"),
        ("/v1/encode", {"source": SOURCE, "metadata": {"entities": 1}}, "metadata"),
        ("/v1/encode", {"source": SOURCE, "metadata": {"weight": INFINITE}}, "metadata"),
        ("/v1/embed", {"embedding_space_id": "x", "input": {"type": "text", "text": ""}}, "input.text.text"),
    ],
)
def test_a_request_that_does_not_validate_names_the_field(service: Running, path: str, body, param: str) -> None:
    assert fault(service.post(path, body)) == (422, "validation_error", param)


def test_a_rule_of_ours_is_told_in_its_own_words(service: Running) -> None:
    reply = service.post("/v1/encode", {"source": SOURCE, "metadata": {"entities": 1}})
    assert reply.error["message"] == "metadata: the executor writes these keys itself: entities"


@pytest.mark.parametrize(
    ("part", "param"),
    [
        (b"{", "request"),
        ({"source": SOURCE}, "source"),
        ({"constraints": {"deadline_ms": 0}}, "constraints.deadline_ms"),
        ({"metadata": {"languages": []}}, "metadata"),
    ],
)
def test_the_request_part_of_a_form_is_validated_as_json_is(service: Running, part, param: str) -> None:
    assert fault(service.upload("/v1/encode", file_part(b"note"), request_part(part))) == (
        422,
        "validation_error",
        param,
    )


def test_the_callers_request_id_is_echoed_whatever_is_wrong_beside_it(service: Running) -> None:
    for body in ({"request_id": "mine"}, {"request_id": "mine", "source": {"type": "uri", "uri": "ftp://x/y"}}):
        assert service.post("/v1/plan", body).error["request_id"] == "mine"
    part = request_part({"request_id": "mine", "nonsense": 1})
    assert service.upload("/v1/plan", file_part(b"note"), part).error["request_id"] == "mine"
    assert "request_id" not in service.post("/v1/plan", {"request_id": 7}).error


def test_half_a_character_in_a_request_id_is_the_caller_s_fault(service: Running) -> None:
    """JSON can spell it and UTF-8 cannot: echoing it was a 500."""
    for reply in (
        service.post("/v1/plan", rb'{"request_id": "\ud800"}'),
        service.upload("/v1/plan", file_part(b"note"), request_part(rb'{"request_id": "\ud800"}')),
    ):
        assert fault(reply)[:2] == (422, "validation_error")
        assert "request_id" not in reply.error


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ({"type": "uri", "uri": "ftp://example.org/x"}, (415, "unsupported_source", "source.uri.uri")),
        ({"type": "uri", "uri": "file:///no/such/file"}, (422, "source_unreadable", "source.uri.uri")),
        ({"type": "uri", "uri": "http://127.0.0.1:1/x"}, (422, "source_forbidden", "source.uri.uri")),
        ({"type": "uri", "uri": "http://[::ffff:169.254.169.254]/x"}, (422, "source_forbidden", "source.uri.uri")),
        ({"type": "inline", "data": NOTE, "filename": "x.pdf"}, (422, "source_unreadable", "source")),
    ],
)
def test_a_source_that_is_refused(service: Running, source: object, expected: tuple[int, str, str]) -> None:
    assert fault(service.post("/v1/plan", {"source": source})) == expected


@pytest.mark.parametrize(
    "content_type", ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonp"]
)
def test_any_other_content_type_is_a_415_of_its_own(service: Running, content_type: str) -> None:
    reply = service.call("POST", "/v1/plan", b"{}", {"content-type": content_type})
    assert fault(reply) == (415, "unsupported_content_type", None)


def test_a_packed_body_is_a_415_too(service: Running) -> None:
    """Unpacking it would take more memory than its length announces."""
    packed = {"content-type": "application/json", "content-encoding": "gzip"}
    assert fault(service.call("POST", "/v1/plan", b"{}", packed)) == (415, "unsupported_content_encoding", None)
    plain = {"content-type": "application/json", "content-encoding": "identity"}
    assert service.call("POST", "/v1/plan", b"{}", plain).status == 422


@pytest.mark.parametrize(
    ("body", "param"),
    [
        (form(request_part({})), "file"),
        (form(file_part(b"a"), file_part(b"b")), "file"),
        (form(file_part(b"a"), b'content-disposition: form-data; name="other"\r\n\r\nx'), "body"),
        (form(file_part(b"a"), b"no header at all\r\n\r\nx"), "body"),
        (form(file_part(b"a"))[:-8], "body"),
        (b"nothing of a form", "body"),
    ],
)
def test_a_form_out_of_shape_is_refused(service: Running, body: bytes, param: str) -> None:
    reply = service.call("POST", "/v1/plan", body, {"content-type": f"multipart/form-data; boundary={BOUNDARY}"})
    assert fault(reply) == (422, "validation_error", param)


def test_every_answer_carries_the_callers_correlation_id_and_so_does_its_line(service: Running) -> None:
    reply = service.get("/v1/capabilities", **{"X-Request-ID": "trace-1"})
    assert reply.headers["x-request-id"] == "trace-1"
    line = service.line("trace-1")
    assert (line["method"], line["path"], line["status"]) == ("GET", "/v1/capabilities", 200)
    assert line["bytes_sent"] == len(reply.body)


def test_a_failure_s_line_has_its_code(service: Running) -> None:
    reply = service.post("/v1/plan", {"request_id": "mine"}, {"X-Request-ID": "trace-2"})
    assert reply.headers["x-request-id"] == "trace-2"
    assert service.line("trace-2")["code"] == "validation_error"


@pytest.mark.parametrize("given", ["", "two words", "x" * 129, "caf\xe9", "tab\there"])
def test_a_correlation_id_that_does_not_suit_a_log_is_replaced(service: Running, given: str) -> None:
    sent = service.get("/health", **{"X-Request-ID": given}).headers["x-request-id"]
    assert sent != given
    assert len(sent) == 32


def test_nothing_a_caller_sends_starts_a_line_of_its_own_in_the_log(service: Running) -> None:
    service.get("/%0a%7b%22level%22:%22error%22%7d%1b[31m%e2%80%a8", **{"X-Request-ID": "trace-3"})
    assert "\n" in service.line("trace-3")["path"]  # the escape is inside the JSON string
    text = service.log.getvalue()
    assert text.isascii()
    assert "\x1b" not in text
    for line in text.splitlines():
        json.loads(line)


async def _broken(_scope, _receive, _send) -> None:
    raise RuntimeError("the detail of a defect")


def test_an_exception_nobody_typed_is_a_generic_500_with_its_traceback_in_the_log(caplog) -> None:
    with running(beside=[Mount("/broken", app=_broken)]) as broken, caplog.at_level(logging.INFO, "indx.http"):
        reply = broken.get("/broken/", **{"X-Request-ID": "trace-4"})
        assert fault(reply) == (500, None, None)
        assert "detail" not in reply.body.decode()
        assert reply.headers["x-request-id"] == "trace-4"
        assert broken.line("trace-4")["status"] == 500
        (trace,) = [line for line in broken.lines() if "traceback" in line]
        assert (trace["x_request_id"], "the detail of a defect" in trace["traceback"]) == ("trace-4", True)


def test_a_bad_setting_stops_the_service_before_it_listens_and_is_told_by_its_name_alone() -> None:
    with (
        pytest.raises(SettingsInvalid, match="INDX_MAX_INPUT_BYTES") as caught,
        running({"INDX_MAX_INPUT_BYTES": "canary"}),
    ):
        pass
    assert "canary" not in str(caught.value)


def test_without_a_worker_process_there_is_no_service() -> None:
    """Work in the serving process would stop the event loop."""
    with pytest.raises(SettingsInvalid, match="INDX_WORKERS"), running({"INDX_WORKERS": "0"}):
        pass
