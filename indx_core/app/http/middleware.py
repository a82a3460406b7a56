"""What every request passes: the door, a correlation id, one log line, and the rest of a body that was refused.

Pure ASGI, so that nothing is buffered and a mounted page passes the same way.
"""

import asyncio
import logging
import re
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit
from uuid import uuid4

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from indx_core.app.http.failures import refusal
from indx_core.contracts.errors import InternalError
from indx_core.kit.logs import correlated

log = logging.getLogger("indx.http")

HEADER: Final = "X-Request-ID"
_USABLE = re.compile(r"[\x21-\x7e]{1,128}")
"""What is taken over from a caller: visible ASCII of a length that suits a log."""

LONGEST_LOGGED = 200
DRAIN_BYTES: Final = 4 * 1024**2
DRAIN_SECONDS: Final = 1.0
"""What a refused client may still send before the connection is closed under it."""

LOOPBACK_NAMES: Final = ("localhost", "127.0.0.1", "[::1]")


@dataclass(slots=True)
class _Line:
    status: int = 0
    sent: int = 0
    received: int = 0


class Correlation:
    """Names every request, answers with the name, and writes one line about it when it is over."""

    def __init__(self, app: ASGIApp) -> None:
        """Args: ``app`` to pass requests to."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = Headers(scope=scope).get(HEADER, "")
        correlation_id = given if _USABLE.fullmatch(given) else uuid4().hex
        state = scope.setdefault("state", {})
        state["correlation_id"] = correlation_id
        line, started = _Line(), time.perf_counter()

        async def receiving() -> Message:
            message = await receive()
            line.received += len(message.get("body", b""))
            return message

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                line.status = message["status"]
                MutableHeaders(scope=message)[HEADER] = correlation_id
            line.sent += len(message.get("body", b""))
            await send(message)

        with correlated(x_request_id=correlation_id):
            try:
                await self._app(scope, receiving, sending)
            except Exception:
                log.exception("a request failed with an untyped exception")
                state["code"] = InternalError.type
            finally:
                facts = {
                    "method": scope["method"][:LONGEST_LOGGED],
                    "path": scope["path"][:LONGEST_LOGGED],
                    "status": line.status,
                    "code": state.get("code"),
                    "duration_ms": round((time.perf_counter() - started) * 1000),
                    "bytes_received": line.received,
                    "bytes_sent": line.sent,
                }
                log.info("request", extra={"facts": facts})


class Door:
    """Turns away requests by a host name or from a web page that are not the service's own.

    The service knows no users, and a browser on its machine lets any web page send requests to it: by a name that the
    page's owner points at this address (DNS rebinding), or as a form. Both carry a header that gives them away.
    """

    def __init__(self, app: ASGIApp, hosts: tuple[str, ...] | None) -> None:
        """Args: ``app`` to pass requests to; ``hosts`` it may be addressed by, without port, ``None`` for any."""
        self._app = app
        self._hosts = None if hosts is None else frozenset(host.lower() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and (code := self._fault(Headers(scope=scope))):
            scope["state"]["code"] = code
            response = refusal(403, code, "this service does not answer requests addressed or sent this way")
            await response(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _fault(self, headers: Headers) -> str | None:
        host = headers.get("host", "").lower()
        if self._hosts is not None and re.sub(r":\d*$", "", host) not in self._hosts:
            return "host_not_allowed"
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc.lower() != host:
            return "origin_not_allowed"
        return None


class Draining:
    """Takes in and drops what is left of a body that was refused, before the connection may close.

    A client that is still sending would otherwise meet a reset, and lose the answer that says why.
    """

    def __init__(self, app: ASGIApp) -> None:
        """Args: ``app`` to pass requests to."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or "expect" in Headers(scope=scope):  # who asks first has sent nothing yet
            await self._app(scope, receive, send)
            return
        arriving = True

        async def receiving() -> Message:
            nonlocal arriving
            message = await receive()
            arriving = message.get("more_body", False)
            return message

        async def sending(message: Message) -> None:
            last = message["type"] == "http.response.body" and not message.get("more_body", False)
            if not last or not arriving:
                await send(message)
                return
            await send({**message, "more_body": True})
            with suppress(TimeoutError):
                async with asyncio.timeout(DRAIN_SECONDS):
                    dropped = 0
                    while arriving and dropped < DRAIN_BYTES:
                        dropped += len((await receiving()).get("body", b""))
            await send({"type": "http.response.body", "body": b"", "more_body": False})

        await self._app(scope, receiving, sending)
