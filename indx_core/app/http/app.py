"""The paths of the service: five operations, the OpenAPI document, and whatever is mounted beside them.

Belongs here: path to handler. Does not: what a handler needs done (``upload``, ``engine``), and what every request
passes (``middleware``).
"""

import importlib.metadata
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from indx_core.app.http import failures
from indx_core.app.http.engine import Engine
from indx_core.app.http.middleware import Correlation, Door, Draining
from indx_core.app.http.openapi import document
from indx_core.app.http.parts import Operation
from indx_core.app.http.upload import Allowance, Buffer, disconnected, read_upload
from indx_core.contracts.errors import IndxError, SettingsInvalid

if TYPE_CHECKING:
    from indx_core.app.http.metrics import Metrics

JSON = "application/json"


def create_app(engine: Engine, *, hosts: tuple[str, ...] | None = None, beside: Sequence[BaseRoute] = ()) -> ASGIApp:
    """The service as an ASGI application.

    Args:
        engine: The running workers; the caller closes them.
        hosts: Names it may be addressed by; ``None`` for any.
        beside: Further routes, such as a ``Mount`` of a page for people with its own files. They pass the same door,
            log and correlation, and come after the service's own.
    """
    service = _Handlers(engine)
    routes = [
        Route("/health", service.health),
        Route("/openapi.json", service.openapi),
        Route("/v1/capabilities", service.capabilities),
        *(Route(f"/v1/{each}", service.operation(each), methods=["POST"]) for each in Operation),
        *beside,
    ]
    middleware = [Middleware(Draining), Middleware(Door, hosts=hosts)]
    if engine.settings.http_metrics:
        metrics = _metrics(engine, [route.path for route in routes if isinstance(route, Route)])
        routes.append(Route("/metrics", metrics.answer))
        middleware.insert(0, metrics.middleware())
    app = Starlette(
        routes=routes,
        middleware=middleware,
        exception_handlers={
            IndxError: failures.on_indx_error,
            failures.TransportError: failures.on_transport_error,
            HTTPException: failures.on_http_exception,
            Exception: failures.on_exception,
        },
    )
    app.router.redirect_slashes = False  # the redirect would name a host that the caller chose
    return Correlation(app)


def _metrics(engine: Engine, paths: Sequence[str]) -> "Metrics":
    """The service's counts.

    Raises:
        SettingsInvalid: They are asked for and their library is not installed.
    """
    try:
        from indx_core.app.http.metrics import Metrics
    except ModuleNotFoundError:
        reason = "INDX_HTTP_METRICS: prometheus_client is not installed"
        raise SettingsInvalid(reason, remedy="install the extra `metrics`, or leave the variable out") from None
    return Metrics(engine, paths)


def version() -> str:
    """Of the installed distribution."""
    return importlib.metadata.version("indx-dagster")


class _Handlers:
    """One method a path."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._buffer = Buffer(engine.settings.http_buffer_bytes)
        self._allowance = Allowance.of(engine.settings)
        self._health = {"status": "ok", "version": version()}
        self._openapi = document()

    async def health(self, _request: Request) -> Response:
        return JSONResponse(self._health)

    async def openapi(self, _request: Request) -> Response:
        return Response(self._openapi, media_type=JSON)

    async def capabilities(self, request: Request) -> Response:
        snapshot = await self._engine.capabilities(request.query_params.get("snapshot_id"))
        return Response(snapshot.model_dump_json(), media_type=JSON)

    def operation(self, operation: Operation) -> Callable[[Request], Awaitable[Response]]:
        """The handler of an operation that takes a body."""

        async def handle(request: Request) -> Response:
            self._engine.check_room()
            with self._buffer.share() as take:
                upload = await read_upload(request, self._allowance, take)
                gone = partial(disconnected, request.receive)
                answer = await self._engine.run(operation, upload, request.state.correlation_id, gone)
            request.state.code = answer.code
            return Response(answer.body, answer.status, media_type=JSON)

        return handle
