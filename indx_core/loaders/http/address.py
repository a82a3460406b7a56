"""``http:`` and ``https:`` addresses taken apart, strictly: what two parsers could read differently is refused.

Does not resolve names, and does not decide which hosts may be reached (``guard.py``).
"""

import re
from dataclasses import dataclass
from urllib.parse import SplitResult, quote, unquote, urljoin, urlsplit

from indx_core.contracts.errors import SourceForbidden, SourceUnreadable

DEFAULT_PORTS = {"http": 80, "https": 443}
_TWO_MEANINGS = re.compile(r"[\x00-\x1f\x7f\\]")
"""``urlsplit`` drops line feeds and tabs in silence, and browsers read a backslash as a slash."""
_KEPT = "/%:@!$&'()*+,;=~-._"
"""Characters of a path or query that are sent as they are (RFC 3986, 3.3); ``%`` too, for what is already encoded."""


@dataclass(frozen=True, slots=True)
class Address:
    """One hop of a fetch.

    Attributes:
        scheme: ``http`` or ``https``.
        host: Name or literal address, ASCII, without brackets.
        port: TCP port.
        target: Path and query as they stand in the request line.
    """

    scheme: str
    host: str
    port: int
    target: str

    @property
    def authority(self) -> str:
        """Value of the ``Host`` header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def url(self) -> str:
        """The address as text, for a redirect to be joined to."""
        return f"{self.scheme}://{self.authority}{self.target}"


def parse(uri: str) -> Address:
    """An address taken apart.

    Raises:
        SourceUnreadable: It is malformed, or carries a user name or a password: an address is recorded with every
            document, and a credential in it would be too.
    """
    if _TWO_MEANINGS.search(uri):
        raise SourceUnreadable("the address holds control characters or a backslash")
    try:
        parts = urlsplit(uri)
        port = parts.port
    except ValueError:
        raise SourceUnreadable("the address is malformed") from None
    scheme = parts.scheme.lower()
    if scheme not in DEFAULT_PORTS:
        raise SourceUnreadable("the address does not begin with http:// or https://")
    if "@" in parts.netloc:
        raise SourceUnreadable("the address carries a user name or a password: credentials in an address are not sent")
    return Address(scheme, _host(parts), DEFAULT_PORTS[scheme] if port is None else port, _target(parts))


def redirected(origin: Address, location: str) -> Address:
    """The next hop, from an answer's ``Location``.

    Raises:
        SourceForbidden: It leads to another scheme, or out of TLS.
        SourceUnreadable: It is malformed.
    """
    try:
        # Header bytes arrive as Latin-1; servers that do not encode a path mean UTF-8.
        absolute = urljoin(origin.url, location.encode("latin-1").decode("utf-8", "replace").strip())
        scheme = urlsplit(absolute).scheme.lower()
    except ValueError:
        raise SourceUnreadable("the server redirects to a malformed address") from None
    if scheme not in DEFAULT_PORTS or (origin.scheme, scheme) == ("https", "http"):
        refused = "a scheme that this loader does not speak" if scheme not in DEFAULT_PORTS else "plain http"
        raise SourceForbidden(
            f"the server redirects to {refused}, which is not followed", remedy="name the final address itself"
        )
    return parse(absolute)


def filename(address: Address) -> str | None:
    """Last segment of the path, decoded; ``None`` when there is none."""
    path = unquote(address.target.partition("?")[0], errors="replace")
    return path.rpartition("/")[2] or None


def _host(parts: SplitResult) -> str:
    host = parts.hostname or ""
    try:
        host = host if host.isascii() else host.encode("idna").decode("ascii")
    except UnicodeError:
        host = ""
    if not host:
        raise SourceUnreadable("the address names no host")
    return host


def _target(parts: SplitResult) -> str:
    path = quote(parts.path or "/", safe=_KEPT)
    query = quote(parts.query, safe=_KEPT + "?")
    return f"{path}?{query}" if query else path
