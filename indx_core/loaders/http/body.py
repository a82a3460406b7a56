"""The body of an answer: read up to a limit, decoded, and whole or refused. The limit counts decoded bytes.

A hundred bytes of gzip can hold a hundred kilobytes; no more than one chunk beyond the limit is ever decoded.
"""

import zlib
from collections.abc import Iterator
from http.client import HTTPResponse

from indx_core.contracts.errors import InputTooLarge, SourceTemporarilyUnreadable, SourceUnreadable

CHUNK = 1 << 16
"""Bytes read, and decoded, at a time."""

_GZIP = zlib.MAX_WBITS | 16
"""Tells zlib to expect gzip's own header and checksum."""


def read_body(response: HTTPResponse, max_bytes: int | None) -> bytes:
    """The decoded body.

    Raises:
        InputTooLarge: It is, or is announced to be, larger than ``max_bytes``.
        SourceTemporarilyUnreadable: It ended before its announced or encoded end.
        SourceUnreadable: It is in an encoding that was not asked for, or is no valid gzip.
    """
    encoding = (response.headers.get("Content-Encoding") or "identity").strip().lower()
    if encoding not in {"identity", "gzip", "x-gzip"}:
        raise SourceUnreadable("the server sent the body in an encoding that was not asked for")
    plain = encoding == "identity"
    if plain and max_bytes is not None and (response.length or 0) > max_bytes:
        raise _too_large(max_bytes)
    body = bytearray()
    for chunk in _read(response) if plain else _gunzipped(_read(response)):
        body += chunk
        if max_bytes is not None and len(body) > max_bytes:
            raise _too_large(max_bytes)
    return bytes(body)


def _read(response: HTTPResponse) -> Iterator[bytes]:
    while chunk := response.read(CHUNK):
        yield chunk
    if response.length:  # what Content-Length promised and the connection did not bring
        raise _cut_off()


def _gunzipped(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Decoded bytes of one or several gzip members, at most ``CHUNK`` at a time."""
    decoder = zlib.decompressobj(_GZIP)
    started = False
    try:
        for encoded in chunks:
            rest, decoded, started = encoded, b"", True
            while rest or len(decoded) == CHUNK:  # a full chunk may have more behind it without further input
                if decoder.eof:
                    decoder = zlib.decompressobj(_GZIP)
                decoded = decoder.decompress(rest, CHUNK)
                rest = decoder.unused_data if decoder.eof else decoder.unconsumed_tail
                yield decoded
                if decoder.eof and not rest:
                    break
    except zlib.error:
        raise SourceUnreadable("the body is announced as gzip and is not") from None
    if started and not decoder.eof:
        raise _cut_off()


def _too_large(max_bytes: int) -> InputTooLarge:
    return InputTooLarge(f"the document is larger than the {max_bytes} bytes that INDX_MAX_INPUT_BYTES allows")


def _cut_off() -> SourceTemporarilyUnreadable:
    return SourceTemporarilyUnreadable("the connection ended before the body did")
