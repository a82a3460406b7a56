"""A connection to a checked address, every operation of which ends when the fetch's time does.

The address that was checked is the one connected: a name is resolved once a hop, so a name server that answers
differently the second time is not asked a second time. Knows TCP and TLS, not HTTP.
"""

import io
import logging
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from indx_core.contracts.errors import SourceForbidden, SourceTemporarilyUnreadable, SourceUnreadable
from indx_core.loaders.http.address import Address
from indx_core.loaders.http.guard import is_public

log = logging.getLogger(__name__)

Endpoint = tuple[socket.AddressFamily, tuple[Any, ...]]
"""Family and socket address; the latter begins with the literal IP address."""


class Timeout:
    """Wall clock of one fetch. A socket's own timeout begins anew with every byte that arrives; this does not."""

    def __init__(self, seconds: float) -> None:
        self._ends = time.monotonic() + seconds

    @property
    def seconds_left(self) -> float:
        """Seconds until the fetch must end; negative when it should have."""
        return self._ends - time.monotonic()

    def remaining(self) -> float:
        """Seconds for the next operation.

        Raises:
            TimeoutError: There are none.
        """
        left = self.seconds_left
        if left <= 0:
            raise TimeoutError
        return left


class TimedSocket:
    """What ``http.client`` asks of a socket, with the time left set before each operation.

    ``close`` does nothing: ``http.client`` calls it while a body is still to be read. ``connected`` owns the socket.

    Attributes:
        ended: The server has closed its side, and that has been read.
    """

    def __init__(self, sock: socket.socket, timeout: Timeout) -> None:
        self._sock = sock
        self._timeout = timeout
        self.ended = False

    def sendall(self, data: bytes) -> None:
        """Send a request."""
        self._sock.settimeout(self._timeout.remaining())
        self._sock.sendall(data)

    def makefile(self, mode: str) -> io.BufferedReader:
        """The answer as a file; ``mode`` is always ``rb``."""
        del mode
        return io.BufferedReader(_TimedStream(self))

    def receive_into(self, buffer: Any) -> int:
        """Receive what there is; 0 at the end."""
        self._sock.settimeout(self._timeout.remaining())
        received = self._sock.recv_into(buffer)
        self.ended = received == 0
        return received

    def close(self) -> None:
        """Nothing: see above."""


class _TimedStream(io.RawIOBase):
    def __init__(self, sock: TimedSocket) -> None:
        self._sock = sock

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        return self._sock.receive_into(buffer)


@contextmanager
def connected(address: Address, timeout: Timeout, *, allow_private: bool) -> Iterator[TimedSocket]:
    """A socket to the host of an address, behind TLS where its scheme says so, closed at the end of the block.

    Raises:
        SourceForbidden: The host resolves to an address that is not public, and ``allow_private`` is off.
        SourceUnreadable: The name does not resolve or the certificate does not verify.
        SourceTemporarilyUnreadable: The name server does not answer.
        OSError: The host cannot be reached.
    """
    endpoints = _resolved(address)
    if not allow_private:
        _guard(address, endpoints)
    with _first_reachable(endpoints, timeout) as plain:
        if address.scheme == "http":
            yield TimedSocket(plain, timeout)
            return
        plain.settimeout(timeout.remaining())
        try:
            secured = _tls().wrap_socket(plain, server_hostname=address.host)
        except ssl.SSLCertVerificationError:
            raise SourceUnreadable("the server's certificate does not verify") from None
        with secured:
            yield TimedSocket(secured, timeout)


def _resolved(address: Address) -> list[Endpoint]:
    """Every address of a host, in the resolver's order. The resolver's own limits bound it, not the fetch's."""
    try:
        found = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)
    except socket.gaierror as error:
        if error.errno == socket.EAI_AGAIN:
            raise SourceTemporarilyUnreadable("the name server does not answer for the host") from None
        raise SourceUnreadable("the host's name does not resolve") from None
    except (UnicodeError, OverflowError):  # a label of no or of more than 63 characters
        raise SourceUnreadable("the host's name is malformed") from None
    return [(family, sockaddr) for family, _, _, _, sockaddr in found]


def _guard(address: Address, endpoints: list[Endpoint]) -> None:
    """Refuse a host of which any address is not public: which one a connection would take is chance."""
    private = [sockaddr[0] for _, sockaddr in endpoints if not is_public(sockaddr[0])]
    if private:
        log.warning(
            "refused by INDX_LOADER_HTTP_ALLOW_PRIVATE_HOSTS: %s resolves to %s", address.host, ", ".join(private)
        )
        raise SourceForbidden(
            "the host is, or leads to, one that is not on the public Internet; "
            "INDX_LOADER_HTTP_ALLOW_PRIVATE_HOSTS would permit it",
            remedy="set INDX_LOADER_HTTP_ALLOW_PRIVATE_HOSTS=true where every caller may reach private hosts",
        )


def _first_reachable(endpoints: list[Endpoint], timeout: Timeout) -> socket.socket:
    for at, (family, sockaddr) in enumerate(endpoints):
        try:
            return _open(family, sockaddr, timeout.remaining() / (len(endpoints) - at))
        except OSError:
            if at == len(endpoints) - 1:
                raise
    raise OSError("the host has no address")


def _open(family: socket.AddressFamily, sockaddr: tuple[Any, ...], seconds: float) -> socket.socket:
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.settimeout(seconds)
        sock.connect(sockaddr)
    except BaseException:
        sock.close()
        raise
    return sock


@lru_cache(maxsize=1)
def _tls() -> ssl.SSLContext:
    """Certificates of the system, or of OpenSSL's own ``SSL_CERT_FILE``; reading them takes 10 ms and more."""
    return ssl.create_default_context()
