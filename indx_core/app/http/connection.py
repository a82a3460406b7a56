"""A connection before it is a request: bytes that are no HTTP, a head without end, a client that says nothing.

uvicorn answers the first in plain text and waits for the others as long as they like. Belongs here: what has no ASGI
scope yet. Does not: requests (``middleware``) and their bodies (``upload``).
"""

import asyncio
import logging
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, cast
from uuid import uuid4

from uvicorn.protocols.http.h11_impl import H11Protocol

from indx_core.app.http.failures import refusal
from indx_core.app.http.middleware import DRAIN_SECONDS, HEADER

log = logging.getLogger("indx.http")

HEAD_BYTES: Final = 64 * 1024
"""Of a request's head. h11 has the same bound; httptools, which uvicorn prefers where it is installed, has none."""

if TYPE_CHECKING:
    _Protocol = H11Protocol
else:
    _Protocol = object


def protocol(silence: float) -> type[asyncio.Protocol]:
    """The protocol that uvicorn would choose, with our refusals.

    Args:
        silence: Seconds a head may take to arrive.
    """
    try:
        from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
    except ImportError:
        bases: tuple[type, ...] = (GuardedH11,)
    else:
        bases = (GuardedHttpTools, HttpToolsProtocol)
    return cast("type[asyncio.Protocol]", type("GuardedProtocol", bases, {"silence": silence}))


class Guarded(_Protocol):
    """What both of uvicorn's protocols are given. ``silence`` is set by ``protocol``."""

    silence: float
    _head_bytes = 0
    _patience: asyncio.TimerHandle | None = None
    _refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if not self._refused:  # who sends on after a refusal would meet a reset, and lose the answer that says why
            super().data_received(data)
            self._count(len(data))

    def send_400_response(self, msg: str) -> None:
        """What uvicorn calls for what is no HTTP."""
        del msg
        self._refuse(400, "malformed_request", "this is not an HTTP request, or one out of shape")

    def _count(self, arrived: int) -> None:
        """Hold the head of a request, where one is still arriving, to its limits."""
        if self._refused or not self._head_is_open():
            self._stop_waiting()
            self._head_bytes = 0
            return
        self._head_bytes += arrived
        if self._head_bytes > HEAD_BYTES:
            self._refuse(431, "headers_too_large", f"the head of a request may have {HEAD_BYTES} bytes")
        elif self._patience is None:
            self._wait()

    def _head_is_open(self) -> bool:
        """Whether the head of a request is still arriving."""
        raise NotImplementedError

    def _wait(self) -> None:
        self._patience = self.loop.call_later(self.silence, self._give_up)

    def _stop_waiting(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _give_up(self) -> None:
        self._patience = None
        if self._head_bytes:
            self._refuse(408, "head_timeout", f"the head of the request was not there after {self.silence:g} s")
        else:
            self.transport.close()  # nothing was asked

    def _refuse(self, status: int, code: str, message: str) -> None:
        self._refused = True
        self._stop_waiting()
        if self.cycle is not None and self.cycle.response_started and not self.cycle.response_complete:
            self.transport.close()  # an answer is on its way, and this would stand in the middle of it
            return
        name = uuid4().hex
        response = refusal(status, code, message, {HEADER: name, "connection": "close"})
        head = b"".join(b"%s: %s\r\n" % header for header in response.raw_headers)
        phrase = HTTPStatus(status).phrase.encode()
        self.transport.write(b"HTTP/1.1 %d %s\r\n%s\r\n%s" % (status, phrase, head, response.body))
        facts: dict[str, Any] = {"x_request_id": name, "status": status, "code": code, "bytes_sent": len(response.body)}
        log.info("request", extra={"facts": facts})
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.loop.call_later(DRAIN_SECONDS, self.transport.close)


class GuardedHttpTools(Guarded):
    """For uvicorn's protocol on httptools."""

    def _head_is_open(self) -> bool:
        return self.scope is None or "path" not in self.scope


class GuardedH11(Guarded, H11Protocol):
    """For uvicorn's protocol on h11."""

    def _head_is_open(self) -> bool:
        import h11

        return self.conn.their_state is h11.IDLE
