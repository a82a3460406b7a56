"""The one place where a failure becomes an HTTP response: status, headers and the typed envelope.

Belongs here: failures of the transport itself (they exist on no other transport, so they are no ``IndxError``) and the
envelope of both kinds. Does not: who raises what.
"""

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from indx_core.contracts.errors import ErrorBody, ErrorEnvelope, IndxError, InternalError

HTTP_ERROR = "http_error"
_CODES = {404: "not_found", 405: "method_not_allowed"}


class TransportError(Exception):
    """A failure before an operation was reached.

    Attributes:
        status: HTTP status.
        code: Machine-readable reason; the type on the wire is ``http_error``.
        headers: Further response headers.
    """

    def __init__(self, status: int, code: str, message: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.headers = headers or {}


class Busy(TransportError):
    """Every worker is at work and the queue is full, or no memory is left for another body."""

    def __init__(self, message: str, retry_after_seconds: int) -> None:
        super().__init__(503, "server_busy", message, {"Retry-After": str(retry_after_seconds)})


def envelope_json(error: IndxError, request_id: str | None = None) -> bytes:
    """The body of a typed failure."""
    return _json(error.envelope(request_id))


def refusal(status: int, code: str, message: str, headers: dict[str, str] | None = None) -> Response:
    """The response to a failure of the transport."""
    envelope = ErrorEnvelope(error=ErrorBody(type=HTTP_ERROR, code=code, message=message))
    return Response(_json(envelope), status, headers, "application/json")


async def on_indx_error(request: Request, error: Exception) -> Response:
    """Answer a typed error that reached no worker, or came from the loss of one."""
    assert isinstance(error, IndxError)
    request.state.code = error.code or error.type
    return Response(envelope_json(error), error.http_status, media_type="application/json")


async def on_transport_error(request: Request, error: Exception) -> Response:
    """Answer a refusal of our own."""
    assert isinstance(error, TransportError)
    request.state.code = error.code
    return refusal(error.status, error.code, error.message, error.headers)


async def on_http_exception(request: Request, error: Exception) -> Response:
    """Answer what the router raises: no such path, no such method."""
    assert isinstance(error, HTTPException)
    code = _CODES.get(error.status_code, f"http_{error.status_code}")
    request.state.code = code
    message = {404: "no such path", 405: f"{request.method[:20]} is not a method of this path"}
    return refusal(error.status_code, code, message.get(error.status_code, "refused"), dict(error.headers or {}))


async def on_exception(_request: Request, _error: Exception) -> Response:
    """Answer what nobody typed. ``Correlation`` logs it."""
    error = InternalError("an unexpected error; the log has it")
    return Response(envelope_json(error), error.http_status, media_type="application/json")


def _json(envelope: ErrorEnvelope) -> bytes:
    return envelope.model_dump_json(exclude_none=True).encode()
