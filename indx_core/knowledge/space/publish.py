"""A space into the lake: archive, its members, the database and the manifest, below ``knowledge_space/<corpus>/``.

What has not changed is not written again. Does not build anything.
"""

import hashlib
import json
import mmap
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from indx_core.contracts.base import canonical_json
from indx_core.contracts.corpus import CorpusManifest
from indx_core.kit.lake import Lake
from indx_core.knowledge.archive import save, unpack
from indx_core.knowledge.database import write_database
from indx_core.knowledge.space.space import KnowledgeSpace

FOLDER = "knowledge_space"
ARCHIVE = "space.indx"
DATABASE = "space.duckdb"
CORPUS = "corpus.json"
"""The corpus's manifest. Holds measured rates, so it is outside the archive, whose bytes depend on the data alone."""
PUBLISHED = "published.json"
"""Written last: the digest of the archive that the other objects belong to."""

LAYOUT = 2
"""Raised when the objects beside the archive change: the same archive is then published anew."""


@dataclass(frozen=True, slots=True)
class Published:
    """What was published.

    Attributes:
        digest: ``sha256:<hex>`` of the archive: the identity of the space.
        archive_bytes: Its length.
        changed: Whether it differs from what was there.
        folder: Where it is, below the lake's root.
    """

    digest: str
    archive_bytes: int
    changed: bool
    folder: str


def publish(space: KnowledgeSpace, manifest: CorpusManifest, lake: Lake) -> Published:
    """Write the space of a corpus and its manifest. Of an unchanged space, only the manifest.

    Raises:
        LakeUnavailable: The store refuses. What was published before may then be partly replaced, and is written anew
            by the next call, because its digest goes last.
    """
    folder = f"{FOLDER}/{manifest.corpus}"
    with tempfile.TemporaryDirectory(prefix="indx-") as name:
        place = Path(name)
        save(space, place / ARCHIVE)
        digest = _digest(place / ARCHIVE)
        state = canonical_json({"archive": digest, "layout": LAYOUT}).encode()
        changed = _published(lake, folder) != json.loads(state)
        lake.store.put(f"{folder}/{CORPUS}", canonical_json(manifest).encode())
        if changed:
            unpack(place / ARCHIVE, place)
            write_database(space, place / DATABASE)
            for path in sorted(path for path in place.rglob("*") if path.is_file()):
                with _mapped(path) as data:
                    lake.store.put(f"{folder}/{path.relative_to(place).as_posix()}", data)
            lake.store.put(f"{folder}/{PUBLISHED}", state)
        return Published(digest, (place / ARCHIVE).stat().st_size, changed, folder)


@contextmanager
def _mapped(path: Path) -> Iterator[memoryview]:
    """A file's bytes without a copy of them: a matrix may be larger than memory."""
    with (
        path.open("rb") as file,
        mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped,
        memoryview(mapped) as view,
    ):
        yield view


def _published(lake: Lake, folder: str) -> object:
    data = lake.store.get(f"{folder}/{PUBLISHED}")
    try:
        return None if data is None else json.loads(bytes(data))
    except ValueError:
        return None


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()
