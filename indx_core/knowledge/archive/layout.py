"""What an archive is made of: member names, the manifest, and the shape of a ZIP entry that can be memory-mapped.

Holds no reading and no writing.
"""

import re
import struct
import zipfile

from pydantic import BaseModel, ConfigDict

INDEX = "index.json"
MANIFEST = "manifest.json"
LEXICAL = {"terms": "<u8", "offsets": "<i8", "owners": "<i4", "frequencies": "<u2", "lengths": "<i4"}
"""Arrays of the inverted index, ``lexical/<name>.npy``, and their types."""
ALIGNMENT = 64
"""Bytes a matrix's member is aligned to: what ``.npy`` aligns its data to inside the file, and a cache line."""

_PADDING_FIELD = 0xD935
"""Extra-field id that Android's zipalign pads with: any reader skips it."""
_LOCAL_HEADER = 30
_FIXED_TIME = (1980, 1, 1, 0, 0, 0)


class Member(BaseModel):
    """A member as the manifest names it. ``bytes`` is its length after unpacking."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    bytes: int
    sha256: str


class Matrix(BaseModel):
    """An embedding space's members, and what a query has to be encoded with."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    space_id: str
    matrix: str
    rows: str
    encoder: dict[str, object] = {}


class Lexical(BaseModel):
    """The inverted index of the chunks' texts: its arrays' members by name, and how texts were cut into terms."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    analysis: str
    arrays: dict[str, str]


class Manifest(BaseModel):
    """``manifest.json``: what else is in the archive."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    format: str = "indx"
    version: str
    members: dict[str, Member]
    embeddings: list[Matrix] = []
    lexical: Lexical | None = None


def entry(name: str, *, at: int, stored: bool) -> zipfile.ZipInfo:
    """The ZIP entry of a member: fixed time, fixed rights, and padding that aligns a stored one.

    Args:
        name: The member.
        at: Offset in the archive at which its local header will stand.
        stored: Kept as it is, and aligned; otherwise deflated.
    """
    info = zipfile.ZipInfo(name, _FIXED_TIME)
    info.create_system = 3
    info.external_attr = 0o644 << 16
    info.compress_type = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
    if stored:
        # zipfile puts 20 bytes of its own before ours, because members are written as ones that may pass 4 GB.
        start = at + _LOCAL_HEADER + len(name.encode()) + 20 + 4
        padding = -start % ALIGNMENT
        info.extra = struct.pack("<HH", _PADDING_FIELD, padding) + bytes(padding)
    return info


def is_safe(name: str) -> bool:
    """Whether a member's name stays below the folder it would be unpacked to, on any system."""
    segments = name.split("/")
    return not re.search(r'[\x00-\x1f\\:*?"<>|]', name) and all(part not in {"", ".", ".."} for part in segments)
