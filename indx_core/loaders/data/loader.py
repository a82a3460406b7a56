"""The data loader: decodes the bytes that a ``data:`` URI carries. Knows nothing of what they are."""

import base64
import binascii
from urllib.parse import unquote_to_bytes

from indx_core.contracts.errors import InputTooLarge, SourceUnreadable
from indx_core.contracts.source import LoadedSource

DEFAULT_MEDIA_TYPE = "text/plain;charset=US-ASCII"
"""What RFC 2397 says an absent media type means."""


class DataLoader:
    """Decodes ``data:[<media type>][;base64],<data>``."""

    distribution = "indx-loader-file"
    schemes: tuple[str, ...] = ("data",)

    def load(self, uri: str, max_bytes: int | None) -> LoadedSource:
        header, comma, payload = uri.partition(":")[2].partition(",")
        if not comma:
            raise SourceUnreadable("a data: URI needs a comma before its data")
        media_type, encoded = _header(header)
        data = _from_base64(payload) if encoded else unquote_to_bytes(payload)
        if max_bytes is not None and len(data) > max_bytes:
            raise InputTooLarge(f"the data is larger than the {max_bytes} bytes that INDX_MAX_INPUT_BYTES allows")
        return LoadedSource(data, uri, declared_media_type=media_type, loader=self.distribution)


def _header(header: str) -> tuple[str, bool]:
    """Media type, and whether the data is base64; a header of parameters alone (``;charset=utf-8``) is plain text."""
    head, _, last = header.rpartition(";")
    encoded = last.strip().lower() == "base64"
    media_type = (head if encoded else header).strip()
    if not media_type:
        return DEFAULT_MEDIA_TYPE, encoded
    return ("text/plain" + media_type if media_type.startswith(";") else media_type), encoded


def _from_base64(payload: str) -> bytes:
    """Tolerant of white space and of missing padding, as browsers are; of nothing else."""
    packed = b"".join(unquote_to_bytes(payload).split()).rstrip(b"=")
    try:
        return base64.b64decode(packed + b"=" * (-len(packed) % 4), validate=True)
    except binascii.Error:
        raise SourceUnreadable("the data: URI holds no valid base64") from None
