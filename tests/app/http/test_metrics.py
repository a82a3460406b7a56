"""Counts at ``/metrics``: there where they are asked for, by path and status, and no path of a caller's among them."""

import pytest

pytest.importorskip("prometheus_client", reason="the metrics extra is not installed")
from app.http.serving import running


def test_requests_are_counted_by_path_and_status_and_a_callers_own_path_is_not_shown() -> None:
    with running({"INDX_HTTP_METRICS": "true"}) as service:
        service.call("GET", "/health")
        service.call("GET", "/health")
        service.call("GET", "/nobody/knows/me")
        reply = service.call("GET", "/metrics")
    assert reply.status == 200
    lines = reply.body.decode().splitlines()
    assert 'indx_requests_total{path="/health",status="200"} 2.0' in lines
    assert 'indx_requests_total{path="other",status="404"} 1.0' in lines
    assert "indx_workers 1.0" in lines
    assert "indx_admitted_requests 0.0" in lines
    assert 'indx_request_seconds_count{path="/health"} 2.0' in lines
    assert not any("nobody" in line for line in lines)


def test_nothing_is_shown_unless_somebody_asks_for_it() -> None:
    with running() as service:
        assert service.call("GET", "/metrics").status == 404
