"""Where objects of the search index lie: in the lake, and as local files that can be memory-mapped.

Knows names and bytes, and nothing of what they mean.
"""

import hashlib
import os
from contextlib import suppress
from pathlib import Path
from threading import get_ident

from indx_core.contracts.errors import LakeUnavailable
from indx_core.kit.lake import Lake
from indx_core.kit.lake.stores import BucketStore, LocalStore

FOLDER = "search"
"""The folder of the lake that holds the index."""


class Shelf:
    """Objects below ``search/`` of a lake.

    Of a lake in a folder, its own files are mapped. Of one in a bucket, or one that does not take what is put, copies
    in the cache are: the index then serves this machine alone, and answers the same.
    """

    def __init__(self, lake: Lake, cache: Path) -> None:
        self._store = lake.store
        self._root = self._store.root if isinstance(self._store, LocalStore) else None
        address = self._store.address if isinstance(self._store, BucketStore) else str(self._root)
        self._cache = cache.expanduser() / hashlib.sha256(address.encode()).hexdigest()[:16]

    def read(self, name: str) -> list[bytes]:
        """An object's bytes as the lake has it, and as the cache does; those that are there."""
        found = []
        data = self._store.get(f"{FOLDER}/{name}")
        if data is not None:
            found.append(bytes(data))
        with suppress(OSError):
            found.append((self._cache / name).read_bytes())
        return found

    def path(self, name: str) -> Path | None:
        """A file with an object's bytes, fetched where need be; ``None`` when there is no such object."""
        if self._root is not None and (self._root / FOLDER / name).is_file():
            return self._root / FOLDER / name
        cached = self._cache / name
        if not cached.is_file() and self._root is None:
            data = self._store.get(f"{FOLDER}/{name}")
            if data is not None:
                _write(cached, bytes(data))
        return cached if cached.is_file() else None

    def keep(self, name: str, data: bytes) -> None:
        """Put an object into the lake, and where its file cannot be mapped there, into the cache."""
        kept = False
        with suppress(LakeUnavailable):
            self._store.put(f"{FOLDER}/{name}", data)
            kept = True
        if not kept or self._root is None:
            _write(self._cache / name, data)

    def discard(self, name: str) -> None:
        """Remove an object wherever it lies."""
        with suppress(LakeUnavailable):
            self._store.delete(f"{FOLDER}/{name}")
        with suppress(OSError):
            (self._cache / name).unlink(missing_ok=True)

    def remove_but(self, kept: set[str]) -> None:
        """Remove the pieces that are not among ``kept``, named by the first segment below the folder."""
        with suppress(LakeUnavailable):
            for item in list(self._store.list(FOLDER)):
                piece = item.name.split("/")[1]
                if "/" in item.name.removeprefix(f"{FOLDER}/") and piece not in kept:
                    self._store.delete(item.name)
        with suppress(OSError):
            for file in sorted(self._cache.glob("*/*")):
                if file.parent.name not in kept:
                    file.unlink(missing_ok=True)


def _write(path: Path, data: bytes) -> None:
    """Whole or not at all: two processes, or threads of one, may fetch the same object."""
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f".write-{os.getpid()}-{get_ident()}-{path.name}")
    aside.write_bytes(data)
    aside.replace(path)
