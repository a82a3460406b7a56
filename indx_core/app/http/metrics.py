"""Counts and durations of the service in Prometheus's text format, at ``/metrics`` where the operator asks for them.

One process answers all requests, so that one registry has them all; the workers' own numbers are in the log. Needs the
extra ``metrics``. Does not: alerts, and numbers of runs, which are in the lake (``usage``, ``trace``) and in Dagster.
"""

import time
from collections.abc import Sequence

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from indx_core.app.http.engine import Engine

SECONDS = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300)
"""Upper bounds of the durations counted: a text page takes 50 ms, a scanned book minutes."""
OTHER = "other"
"""Stands for every path that is none of ours: a caller's own would be a time series each."""


class Metrics:
    """The numbers of one service."""

    def __init__(self, engine: Engine, paths: Sequence[str]) -> None:
        """Args: ``engine`` whose load is shown; ``paths`` that are counted by name."""
        self._paths = frozenset(paths)
        self._registry = CollectorRegistry()
        labels = ("path", "status")
        self._requests = Counter("indx_requests", "Requests answered.", labels, registry=self._registry)
        self._seconds = Histogram(
            "indx_request_seconds", "Wall clock of a request.", ("path",), buckets=SECONDS, registry=self._registry
        )
        admitted = Gauge("indx_admitted_requests", "Requests at work or waiting for a worker.", registry=self._registry)
        admitted.set_function(lambda: engine.admitted)
        Gauge("indx_workers", "Worker processes.", registry=self._registry).set(engine.workers)

    def count(self, path: str, status: int, seconds: float) -> None:
        """Count one answered request in."""
        named = path if path in self._paths else OTHER
        self._requests.labels(named, str(status)).inc()
        self._seconds.labels(named).observe(seconds)

    def middleware(self) -> Middleware:
        """What every request passes to be counted."""
        return Middleware(Measuring, metrics=self)

    async def answer(self, _request: Request) -> Response:
        """The numbers, as Prometheus reads them."""
        return Response(generate_latest(self._registry), media_type=CONTENT_TYPE_LATEST)


class Measuring:
    """Counts every request that passes."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        """Args: ``app`` to pass requests to; ``metrics`` to count them in."""
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status, started = 500, time.perf_counter()

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, sending)
        finally:
            self._metrics.count(scope["path"], status, time.perf_counter() - started)
