"""Addresses of objects: ``<scheme>://<bucket>/<key>``, percent-encoded or as typed. Opens nothing.

A query is refused whatever it says: to drop ``?versionId=`` would read another object than the one named.
"""

import re
from dataclasses import dataclass
from urllib.parse import quote, unquote_to_bytes

from indx_core.contracts.errors import SourceUnreadable

_FORM = re.compile(r"[A-Za-z0-9+.-]+://(?P<bucket>[^/]*)(?P<rest>.*)", re.DOTALL)
_BUCKET = re.compile(r"[A-Za-z0-9$][A-Za-z0-9._-]*")
_UNADDRESSABLE = re.compile(r"(?:^|/)\.{0,2}(?:/|$)|[\x00-\x1f\x7f]")
"""Segments that are empty, ``.`` or ``..``, and control characters: the client would ask for another key."""


@dataclass(frozen=True, slots=True)
class ObjectAddress:
    """A place in a bucket.

    Attributes:
        bucket: Bucket or container.
        key: Key of an object, or of a folder without its last slash; empty for the bucket itself.
    """

    bucket: str
    key: str


def object_address(uri: str) -> ObjectAddress:
    """The one object a URI names.

    Raises:
        SourceUnreadable: It names a bucket, a folder, a version, or a key that cannot be asked for.
    """
    address = _address(uri)
    if not address.key or address.key.endswith("/"):
        raise SourceUnreadable("the address names a bucket or a folder: one object is fetched at a time")
    return _addressable(address)


def root_address(uri: str) -> ObjectAddress:
    """The bucket or folder a URI names.

    Raises:
        SourceUnreadable: It is malformed.
    """
    address = _address(uri)
    folder = ObjectAddress(address.bucket, address.key.removesuffix("/"))
    return _addressable(folder) if address.key else folder


def object_uri(scheme: str, address: ObjectAddress) -> str:
    """The URI of an object, percent-encoded: what ``object_address`` takes apart again."""
    return f"{scheme}://{address.bucket}/{quote(address.key, safe='/')}"


def _address(uri: str) -> ObjectAddress:
    form = _FORM.fullmatch(uri)
    if form is None:
        raise SourceUnreadable("the address is malformed: write <scheme>://<bucket>/<key>")
    if "?" in uri:
        raise SourceUnreadable(
            "the address has a query, such as ?versionId=, which this loader does not follow",
            remedy="name the object alone; a question mark that belongs to a key is written %3F",
        )
    if not _BUCKET.fullmatch(form["bucket"]):
        raise SourceUnreadable("the address names no bucket: write <scheme>://<bucket>/<key>")
    try:
        key = unquote_to_bytes(form["rest"].removeprefix("/")).decode()
    except UnicodeError:
        raise SourceUnreadable("the key in the address is not UTF-8") from None
    return ObjectAddress(form["bucket"], key)


def _addressable(address: ObjectAddress) -> ObjectAddress:
    if _UNADDRESSABLE.search(address.key):
        raise SourceUnreadable(
            "the key has an empty, '.' or '..' segment or a control character, which cannot be asked for",
            remedy="copy the object to another key",
        )
    return address
