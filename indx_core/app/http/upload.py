"""A body comes off the socket piece by piece and is refused at the piece that passes a limit, not after the last.

Belongs here: limits of size, memory and patience, and the two content types. Does not: what the bytes mean
(``parts``). Nothing is written to disk.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.requests import Request
from starlette.types import Receive

from indx_core.app.http.failures import Busy, TransportError
from indx_core.app.http.parts import BODY, Upload, UploadedFile
from indx_core.app.http.settings import HttpSettings
from indx_core.contracts.errors import ClientDisconnected, InputTooLarge, RequestInvalid
from indx_core.kit.intake.settings import IntakeSettings

BESIDE_BYTES = 16 * 1024**2
"""What a JSON body may hold beside its source: a plan of some ten thousand pages."""

R = TypeVar("R")

UNSPECIFIC = frozenset({"", "application/octet-stream"})
"""Content types that say nothing: the file's name says more."""


class Buffer:
    """Bytes of all bodies that are held at this moment. Used on the event loop alone."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self.held = 0

    @contextmanager
    def share(self) -> Iterator[Callable[[int], None]]:
        """A function to call with the size of every piece taken in; all is given back at the end.

        Raises:
            Busy: From that function: there is no room for the piece.
        """
        mine = 0

        def take(size: int) -> None:
            nonlocal mine
            if self.held + size > self._limit:
                raise Busy("the bodies of other requests fill the memory set aside for them", retry_after_seconds=5)
            mine += size
            self.held += size

        try:
            yield take
        finally:
            self.held -= mine


@dataclass(frozen=True, slots=True)
class Allowance:
    """How much of a body is taken.

    Attributes:
        body: Bytes as they arrive.
        source: Bytes of the source; ``None`` for no limit of its own.
        silence: Seconds to wait for the next piece.
    """

    body: int
    source: int | None
    silence: float

    @classmethod
    def of(cls, settings: HttpSettings) -> "Allowance":
        """As the settings in force have it."""
        source = IntakeSettings.load().max_input_bytes
        return cls(settings.http_max_body_bytes, source, settings.http_silence_seconds)

    @property
    def json(self) -> int:
        """Bytes of a JSON body: its source takes four for three."""
        return self.body if self.source is None else min(self.body, self.source * 4 // 3 + BESIDE_BYTES)


async def read_upload(request: Request, allowance: Allowance, take: Callable[[int], None]) -> Upload:
    """Take in a whole body.

    Args:
        request: Of which nothing was read yet.
        allowance: When to stop.
        take: Called with the size of every piece.

    Raises:
        TransportError: A content type that is neither JSON nor multipart, or a content encoding (415), a client that
            fell silent (408), or no memory left (503).
        InputTooLarge: As soon as a limit is passed.
        RequestInvalid: A multipart body out of shape.
        ClientDisconnected: It hung up.
    """
    if request.headers.get("content-encoding", "identity").strip().lower() not in ("", "identity"):
        raise TransportError(415, "unsupported_content_encoding", "send the body as it is, without Content-Encoding")
    kind, options = parse_options_header(request.headers.get("content-type", ""))
    if kind == b"application/json":
        return Upload(await _whole(_pieces(request, allowance, allowance.json, take)))
    if kind == b"multipart/form-data" and options.get(b"boundary"):
        form = _Form(options[b"boundary"], allowance.source)
        async for piece in _pieces(request, allowance, allowance.body, take):
            form.write(piece)
        return form.upload()
    raise TransportError(
        415, "unsupported_content_type", "send application/json, or multipart/form-data with a boundary"
    )


async def disconnected(receive: Receive) -> None:
    """Return when the client of a request whose body was read has hung up."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _pieces(
    request: Request, allowance: Allowance, limit: int, take: Callable[[int], None]
) -> AsyncIterator[bytes]:
    announced = request.headers.get("content-length", "")
    size, more = 0, True
    if announced.isascii() and announced.isdigit() and int(announced[:20]) > limit:
        raise _too_large(limit)
    while more:
        try:
            message = await asyncio.wait_for(request.receive(), allowance.silence)
        except TimeoutError:
            raise TransportError(408, "body_timeout", f"no piece of the body for {allowance.silence:g} s") from None
        if message["type"] == "http.disconnect":
            raise ClientDisconnected("the caller disconnected before its body had arrived")
        piece, more = message.get("body", b""), message.get("more_body", False)
        size += len(piece)
        if size > limit:
            raise _too_large(limit)
        take(len(piece))
        yield piece


async def _whole(pieces: AsyncIterator[bytes]) -> bytes:
    return b"".join([piece async for piece in pieces])


def _too_large(limit: int) -> InputTooLarge:
    return InputTooLarge(f"the body is larger than the {limit} bytes this service takes", param=BODY)


class _Form:
    """The two parts of a multipart body as they come in; any other is refused at its headers."""

    def __init__(self, boundary: bytes, source_limit: int | None) -> None:
        self._limit = source_limit
        self._parts: dict[str, bytearray] = {}
        self._headers: dict[bytes, bytes] = {}
        self._field, self._value = bytearray(), bytearray()
        self._into = bytearray()
        self._name = ""
        self._filename: str | None = None
        self._media_type: str | None = None
        self._ended = False
        self._parser = _guarded(
            lambda: MultipartParser(
                boundary,
                {
                    "on_part_begin": self._headers.clear,
                    "on_header_field": self._on_header_field,
                    "on_header_value": self._on_header_value,
                    "on_header_end": self._on_header_end,
                    "on_headers_finished": self._on_headers_finished,
                    "on_part_data": self._on_part_data,
                    "on_end": self._on_end,
                },
            )
        )

    def write(self, piece: bytes) -> None:
        """Take in the next piece."""
        _guarded(lambda: self._parser.write(piece))

    def upload(self) -> Upload:
        """What came, once all of it did."""
        if not self._ended:
            raise RequestInvalid("the multipart body ends before its last boundary", param=BODY)
        if "file" not in self._parts:
            raise RequestInvalid("file: a multipart body carries the source in a part of this name", param="file")
        file = UploadedFile(bytes(self._parts["file"]), self._filename, self._media_type)
        return Upload(bytes(self._parts.get("request", b"{}")), file)

    def _on_header_field(self, data: bytes, start: int, end: int) -> None:
        self._field += data[start:end]

    def _on_header_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _on_header_end(self) -> None:
        self._headers[bytes(self._field).lower()] = bytes(self._value)
        self._field, self._value = bytearray(), bytearray()

    def _on_headers_finished(self) -> None:
        _, options = parse_options_header(self._headers.get(b"content-disposition", b""))
        self._name = options.get(b"name", b"").decode(errors="replace")
        if self._name not in ("file", "request"):
            raise RequestInvalid("a multipart body has the parts `file` and `request` and no other", param=BODY)
        if self._name in self._parts:
            raise RequestInvalid(f"{self._name}: there is more than one part of this name", param=self._name)
        self._into = self._parts[self._name] = bytearray()
        if self._name == "file":
            declared, _ = parse_options_header(self._headers.get(b"content-type", b""))
            filename = options.get(b"filename")
            self._filename = filename.decode(errors="replace") if filename else None
            media_type = declared.decode("latin-1").lower()
            self._media_type = None if media_type in UNSPECIFIC else media_type

    def _on_part_data(self, data: bytes, start: int, end: int) -> None:
        self._into += data[start:end]
        if self._name == "file" and self._limit is not None and len(self._into) > self._limit:
            message = f"the file is larger than the {self._limit} bytes that INDX_MAX_INPUT_BYTES allows"
            raise InputTooLarge(message, param="file")

    def _on_end(self) -> None:
        self._ended = True


def _guarded(call: Callable[[], R]) -> R:
    try:
        return call()
    except FormParserError:
        raise RequestInvalid("the body is not the multipart form its content type announces", param=BODY) from None
