"""Where bytes come from: the two lanes of a request, and what a loader hands over.

Does not hold how bytes are fetched (``loaders/``) or what they are (``observation.py``).
"""

from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import Field

from indx_core.contracts.base import Contract


class InlineSource(Contract):
    """Bytes in the request itself, base64 in JSON. Never affected by scheme settings.

    Attributes:
        type: Tag of the union.
        data: The document; in JSON as base64.
        media_type: The caller's claim, believed after the bytes themselves.
        filename: A name whose ending may tell the media type; opens nothing.
    """

    type: Literal["inline"] = "inline"
    data: bytes
    media_type: str | None = None
    filename: str | None = None


class UriSource(Contract):
    """Bytes that an installed loader resolves.

    Attributes:
        type: Tag of the union.
        uri: Address with a scheme that `capabilities` lists under ``resolvable``.
    """

    type: Literal["uri"] = "uri"
    uri: str = Field(min_length=1)


Source = Annotated[InlineSource | UriSource, Field(discriminator="type")]


@dataclass(frozen=True, slots=True)
class LoadedSource:
    """Bytes as they arrived, with what was declared about them. Not yet sniffed.

    Attributes:
        data: The decoded bytes.
        uri: Where they came from; ``None`` for an inline source.
        filename: Last segment of the URI's path, or what the upload named.
        declared_media_type: What the transport claimed (``Content-Type``), if anything.
        loader: Distribution that fetched them; ``None`` for an inline source.
        version: The store's own version of the object (ETag or size and time), if it has one.
    """

    data: bytes = field(repr=False)
    uri: str | None = None
    filename: str | None = None
    declared_media_type: str | None = None
    loader: str | None = None
    version: str | None = None


@dataclass(frozen=True, slots=True)
class SourceEntry:
    """One object of a listing: enough to name it and to see that it changed, without fetching it.

    Attributes:
        uri: Address a loader resolves.
        path: Path below the listed root, ``/`` between segments, not yet escaped.
        size: Bytes.
        version: ETag, or ``<size>-<mtime_ns>`` for a file: changes when the content may have.
        modified: Seconds since the epoch, UTC.
    """

    uri: str
    path: str
    size: int
    version: str
    modified: float
