"""One request and its answer: bytes, a redirect, or a typed error. Follows nothing and repeats nothing.

Messages never name an address, a redirect's target or what the server said: the caller may be probing.
"""

import re
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPResponse, IncompleteRead, RemoteDisconnected
from typing import Any

from indx_core.contracts.errors import SourceTemporarilyUnreadable, SourceUnreadable
from indx_core.loaders.http.address import Address, redirected
from indx_core.loaders.http.body import read_body
from indx_core.loaders.http.connection import TimedSocket, Timeout, connected

REDIRECTS = {301, 302, 303, 307, 308}
TRANSIENT = {408, 425, 429}
"""Besides every 5xx: the answers that ask to be asked again."""
_PERMANENT = {
    401: "the server asks for credentials, which this loader does not send",
    403: "the server refuses to hand the document out",
    404: "the server has nothing at this address",
    407: "the server asks for credentials, which this loader does not send",
    410: "the server has nothing at this address any more",
}


@dataclass(frozen=True, slots=True)
class Fetched:
    """A document as it arrived.

    Attributes:
        data: The decoded body.
        media_type: ``Content-Type``, parameters included.
        version: ``ETag``, else ``Last-Modified``.
    """

    data: bytes = field(repr=False)
    media_type: str | None
    version: str | None


def fetch(address: Address, max_bytes: int | None, timeout: Timeout, *, allow_private: bool) -> Fetched | Address:
    """Ask one address for a document.

    Returns:
        The document, or the address to ask next.

    Raises:
        SourceForbidden: The guard refuses the host or the redirect.
        SourceUnreadable: The answer is no document; its transient subclass when the next attempt may bring one.
        InputTooLarge: The body is larger than ``max_bytes``.
    """
    try:
        with connected(address, timeout, allow_private=allow_private) as sock:
            return _exchange(address, sock, max_bytes)
    except TimeoutError:
        message = "the document did not arrive within INDX_LOADER_HTTP_TIMEOUT_SECONDS"
        raise SourceTemporarilyUnreadable(message) from None
    except (IncompleteRead, RemoteDisconnected):
        raise SourceTemporarilyUnreadable("the connection ended before the answer did") from None
    except HTTPException:
        raise SourceUnreadable("the server's answer is not HTTP") from None
    except OSError as error:
        raise SourceTemporarilyUnreadable(f"the server cannot be reached ({type(error).__name__})") from None


def _exchange(address: Address, sock: TimedSocket, max_bytes: int | None) -> Fetched | Address:
    connection = HTTPConnection(address.host, address.port)
    connection.sock = sock
    headers = {"Host": address.authority, "User-Agent": "indx", "Accept": "*/*", "Accept-Encoding": "gzip"}
    connection.request("GET", address.target, headers={**headers, "Connection": "close"})
    response = connection.getresponse()
    if sock.ended:  # http.client takes a head that breaks off for a whole one
        raise IncompleteRead(b"")
    location = response.headers.get("Location")
    if response.status in REDIRECTS and location is not None:
        return redirected(address, location)
    if response.status not in {200, 203}:
        raise _refusal(response)
    return Fetched(
        read_body(response, max_bytes),
        response.headers.get("Content-Type"),
        response.headers.get("ETag") or response.headers.get("Last-Modified"),
    )


def _refusal(response: HTTPResponse) -> SourceUnreadable:
    status = response.status
    details: dict[str, Any] = {"status": status}
    if status in TRANSIENT or status >= 500:
        after = response.headers.get("Retry-After", "")
        if re.fullmatch(r"\d{1,6}", after.strip()):  # the other form, a date, is not worth a clock that may be wrong
            details["retry_after_seconds"] = int(after)
        return SourceTemporarilyUnreadable(f"the server answered with status {status}", details=details)
    return SourceUnreadable(
        _PERMANENT.get(status, f"the server answered with status {status} instead of a document"),
        remedy="check the address, and that it opens without signing in",
        details=details,
    )
