"""The loader of an object store: one object whole, or every object below a root. What differs by cloud is ``open``."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING

from indx_core.contracts.errors import InputTooLarge, SourceUnreadable
from indx_core.contracts.source import LoadedSource, SourceEntry
from indx_core.kit.objectstore.address import ObjectAddress, object_address, object_uri, root_address
from indx_core.kit.objectstore.failures import typed_failures

if TYPE_CHECKING:
    from obstore import ObjectMeta
    from obstore.store import ObjectStore

CHUNK = 1 << 20
"""Bytes read at a time: by how much a read may pass the limit before it stops."""
PAGE = 1000
"""Entries handed over at a time: what the stores themselves put on a page."""


class BucketLoader(ABC):
    """Base of the object-store loaders.

    Attributes:
        credentials: Which variables hold the credentials, for a person who has to check them.
    """

    distribution: str
    schemes: tuple[str, ...]
    credentials: str

    @abstractmethod
    def open(self, bucket: str) -> "ObjectStore":
        """A client of one bucket, by the settings of this moment. Sends nothing yet.

        Raises:
            SourceForbidden: The allowlist does not hold the bucket.
            SourceUnreadable: There are no credentials.
            SettingsInvalid: What is set makes no client.
        """

    def load(self, uri: str, max_bytes: int | None) -> LoadedSource:
        import obstore

        address = object_address(uri)
        store = self.open(address.bucket)
        with typed_failures("the object cannot be read", self.credentials):
            result = obstore.get(store, address.key)
            meta = result.meta
            if max_bytes is not None and meta["size"] > max_bytes:
                raise _too_large(max_bytes)
            data = bytearray()
            for chunk in result.stream(min_chunk_size=CHUNK):
                data += chunk
                if max_bytes is not None and len(data) > max_bytes:
                    raise _too_large(max_bytes)
            media_type = result.attributes.get("Content-Type")
        name = address.key.rpartition("/")[2]
        return LoadedSource(bytes(data), uri, name, media_type, self.distribution, _version(meta))

    def list(self, root: str) -> Iterator[SourceEntry]:
        address = root_address(root)
        store = self.open(address.bucket)
        with typed_failures("the listing broke off", self.credentials):
            found = _listed(store, address.key)
        start = len(address.key) + 1 if address.key else 0
        return iter([self._entry(address.bucket, found[path], start) for path in sorted(found)])

    def list_after(self, root: str, after: str) -> Iterator[SourceEntry]:
        address = root_address(root)
        store = self.open(address.bucket)
        start = len(address.key) + 1 if address.key else 0
        with typed_failures("the listing broke off", self.credentials):
            for meta in _objects_after(store, address.key, after):
                yield self._entry(address.bucket, meta, start)

    def locate(self, uri: str, root: str) -> SourceEntry | None:
        import obstore

        if uri.endswith("/") or not root_address(uri).key:
            return None
        address, above = object_address(uri), root_address(root)
        store = self.open(address.bucket)
        with typed_failures("the object cannot be found", self.credentials):
            try:
                meta = obstore.head(store, address.key)
            except FileNotFoundError:
                return None
        return self._entry(address.bucket, meta, len(above.key) + 1 if above.key else 0)

    def _entry(self, bucket: str, meta: "ObjectMeta", start: int) -> SourceEntry:
        uri = object_uri(self.schemes[0], ObjectAddress(bucket, meta["path"]))
        modified = meta["last_modified"].timestamp()
        return SourceEntry(uri, meta["path"][start:], meta["size"], _version(meta), modified)


def _listed(store: "ObjectStore", folder: str) -> "dict[str, ObjectMeta]":
    """Every object below a folder by its key: all of them, before the first is handed over."""
    found: dict[str, ObjectMeta] = {}
    for meta in _objects_after(store, folder, ""):
        if found.setdefault(meta["path"], meta) != meta:
            raise SourceUnreadable("the listing broke off: two keys differ only in slashes at their ends")
    return found


def _objects_after(store: "ObjectStore", folder: str, after: str) -> "Iterator[ObjectMeta]":
    """Objects below a folder, in the order of their keys, as the store's pages arrive.

    Args:
        store: The client of the bucket.
        folder: A key without its last slash; empty for the whole bucket.
        after: The path below the folder to go on from; empty to begin.
    """
    import obstore

    offset = (f"{folder}/{after}" if folder else after) if after else None
    exists = not folder or offset is not None
    for page in obstore.list(store, prefix=folder or None, offset=offset, chunk_size=PAGE):
        for meta in page:
            exists = True
            path = meta["path"]
            if offset is not None and path <= offset:  # Google's offset is inclusive
                continue
            if path == folder or (meta["size"] == 0 and _is_folder_marker(store, meta)):
                continue
            yield meta
    if not exists:
        # An empty folder and a misspelt one look alike in a bucket, and one of them would retire a corpus.
        raise SourceUnreadable("nothing is stored below the root", remedy="check the bucket and the folder")


def _is_folder_marker(store: "ObjectStore", listed: "ObjectMeta") -> bool:
    """Whether an empty object stands for a folder, as consoles create them: ``reports/``, listed without its slash.

    It cannot be asked for by that name; what is there by that name, if anything, is another object.
    """
    import obstore

    try:
        meta = obstore.head(store, listed["path"])
    except FileNotFoundError:
        return True
    return (meta["size"], _version(meta)) != (0, _version(listed))


def _version(meta: "ObjectMeta") -> str:
    """The ETag without the quotes that only some answers put around it; size and time where there is none."""
    tag = (meta["e_tag"] or "").strip('"')
    return tag or f"{meta['size']}-{meta['last_modified'].timestamp():.0f}"


def _too_large(max_bytes: int) -> InputTooLarge:
    return InputTooLarge(f"the object is larger than the {max_bytes} bytes that INDX_MAX_INPUT_BYTES allows")
