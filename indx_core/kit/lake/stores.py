"""Stores: whole objects by name, on a local file system or in a bucket.

A put is atomic on both: a reader sees the old object or the new one, never half of either. Knows nothing of tables.
"""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, Protocol
from urllib.parse import unquote

from indx_core.contracts.errors import LakeUnavailable, SettingsInvalid
from indx_core.kit.lake.settings import LakeSettings

BUCKET_SCHEMES = ("s3://", "gs://", "az://")


class StoredObject(NamedTuple):
    """One object of a listing.

    Attributes:
        name: Below the lake's root.
        size: In bytes.
        version: Changes whenever the object is replaced: a bucket's entity tag; of a file, its time and inode.
    """

    name: str
    size: int
    version: str = ""


class Store(Protocol):
    """What the lake needs of a store. Names use ``/`` and are relative to the lake's root.

    Every method raises ``LakeUnavailable`` when the store does not answer or refuses.
    """

    def put(self, name: str, data: bytes | memoryview) -> None:
        """Create or replace an object, whole or not at all."""
        ...

    def get(self, name: str) -> bytes | memoryview | None:
        """The object's bytes; ``None`` when there is no such object."""
        ...

    def delete(self, name: str) -> None:
        """Remove an object; nothing happens when there is none."""
        ...

    def list(self, prefix: str) -> Iterator[StoredObject]:
        """Every object below a folder, in the order of their names."""
        ...


def open_store(settings: LakeSettings) -> Store:
    """The store that ``INDX_LAKE`` names. Opens no connection and creates no folder yet.

    Raises:
        SettingsInvalid: The address has an unknown scheme or is incomplete.
    """
    if settings.lake.startswith(BUCKET_SCHEMES):
        return BucketStore(settings)
    if "://" in settings.lake:
        raise SettingsInvalid("INDX_LAKE: expected a path, or a URL starting with s3://, gs:// or az://")
    return LocalStore(Path(settings.lake))


class LocalStore:
    """A folder. Replaces by writing aside in the same folder and renaming, which POSIX makes atomic."""

    _aside = count()
    _process = secrets.token_hex(4)
    """Beside the process id, which containers that share a folder have in common: they begin at 1 in each."""

    def __init__(self, root: Path) -> None:
        self.root = root.expanduser().absolute()

    def put(self, name: str, data: bytes | memoryview) -> None:
        path = self.root / name
        aside = path.parent / f".write-{os.getpid()}-{self._process}-{next(self._aside)}"
        with _answering(name):
            try:
                _write(aside, data)
                aside.replace(path)
            except BaseException:
                with suppress(OSError):
                    aside.unlink()
                raise

    def get(self, name: str) -> bytes | None:
        with _answering(name):
            try:
                return (self.root / name).read_bytes()
            except (FileNotFoundError, NotADirectoryError):
                return None

    def delete(self, name: str) -> None:
        with _answering(name), suppress(FileNotFoundError, NotADirectoryError):
            (self.root / name).unlink()

    def list(self, prefix: str) -> Iterator[StoredObject]:
        with _answering(prefix):
            found = [self._listed(entry) for entry in _files(str(self.root / prefix))]
        yield from sorted(filter(None, found))

    def _listed(self, entry: os.DirEntry[str]) -> StoredObject | None:
        """``None`` for a file that was removed since its folder was read."""
        try:
            stat = entry.stat()
        except FileNotFoundError:
            return None
        name = entry.path[len(str(self.root)) + 1 :].replace(os.sep, "/")
        return StoredObject(name, stat.st_size, f"{stat.st_mtime_ns}-{stat.st_ino}")


class BucketStore:
    """A bucket through obstore. Its clients also read the cloud's own variables (``AWS_*``, ``GOOGLE_*``, …)."""

    def __init__(self, settings: LakeSettings) -> None:
        self.address = settings.lake
        self._client = _client(settings)

    def put(self, name: str, data: bytes | memoryview) -> None:
        import obstore

        with _answering(name):
            obstore.put(self._client, name, data)

    def get(self, name: str) -> memoryview | None:
        import obstore

        with _answering(name):
            try:
                return memoryview(obstore.get(self._client, name).bytes())
            except FileNotFoundError:
                return None

    def delete(self, name: str) -> None:
        import obstore

        with _answering(name), suppress(FileNotFoundError):
            obstore.delete(self._client, name)

    def list(self, prefix: str) -> Iterator[StoredObject]:
        import obstore

        with _answering(prefix):
            found = [
                StoredObject(item["path"], item["size"], item["e_tag"] or str(item["last_modified"]))
                for batch in obstore.list(self._client, prefix=prefix)
                for item in batch
            ]
        yield from sorted(found)


def _client(settings: LakeSettings) -> Any:
    from obstore.exceptions import BaseError
    from obstore.store import S3Store, from_url

    given: dict[str, Any] = {
        "endpoint": settings.lake_endpoint_url,
        "region": settings.lake_region,
        "access_key_id": settings.lake_access_key_id,
    }
    if settings.lake_secret_access_key is not None:
        given["secret_access_key"] = settings.lake_secret_access_key.get_secret_value()
    options = {name: value for name, value in given.items() if value is not None}
    if (settings.lake_endpoint_url or "").startswith("http://"):
        options["client_options"] = {"allow_http": True}
    try:
        if settings.lake.startswith("s3://") and settings.lake_endpoint_url:
            # An AWS_ENDPOINT_URL_S3 of the environment wins over `endpoint`, which would put the lake somewhere else.
            # The one option that wins over it is not known to `from_url`.
            bucket, _, prefix = settings.lake.removeprefix("s3://").partition("/")
            options["aws_endpoint_url_s3"] = options.pop("endpoint")
            return S3Store(bucket, prefix=unquote(prefix).strip("/") or None, **options)
        return from_url(settings.lake, **options)
    except (BaseError, ValueError, TypeError) as error:
        raise SettingsInvalid(f"INDX_LAKE: the store cannot be opened ({type(error).__name__})") from None


def _write(path: Path, data: bytes | memoryview) -> None:
    try:
        path.write_bytes(data)
    except FileNotFoundError:  # the folder is made on the first write, not looked for on each
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def _files(folder: str) -> Iterator[os.DirEntry[str]]:
    """Files below a folder, those being written aside left out; an absent folder has none."""
    try:
        entries = os.scandir(folder)
    except (FileNotFoundError, NotADirectoryError):
        return
    with entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from _files(entry.path)
            elif not entry.name.startswith("."):
                yield entry


@contextmanager
def _answering(name: str) -> Iterator[None]:
    """Turns what a store throws into the typed error; the message names the object, never an address or a path."""
    try:
        yield
    except OSError as error:
        raise LakeUnavailable(f"the lake's store failed at {name}: {error.strerror or type(error).__name__}") from error
    except Exception as error:
        if not type(error).__module__.startswith("obstore"):
            raise
        raise LakeUnavailable(f"the lake's store failed at {name}: {type(error).__name__}") from None
