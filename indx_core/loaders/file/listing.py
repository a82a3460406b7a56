"""The listing of a directory: every regular file below it, in the order of its path, or an error.

Streams, one directory in memory at a time. Links to files count when they stay inside the root. Links to directories
are not followed: inside the root they would list the same files twice or for ever, outside it they would leave it.
"""

import errno
import hashlib
import logging
import os
import stat
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import quote_from_bytes

from indx_core.contracts.errors import SourceUnreadable
from indx_core.contracts.source import SourceEntry
from indx_core.loaders.file.address import printable

log = logging.getLogger(__name__)


def version_of(status: os.stat_result) -> str:
    """``<size>-<mtime_ns>``: changes whenever an ordinary program has written the file."""
    return f"{status.st_size}-{status.st_mtime_ns}"


def walk(root_uri: str, root: Path, after: str = "") -> Iterator[SourceEntry]:
    """Every regular file below ``root``, or those whose path stands after another.

    Args:
        root_uri: URI of the root as the caller named it; entries' URIs begin with it.
        root: The resolved directory.
        after: A path. Directories that end before it are not opened, and files before it not asked for their status.

    Raises:
        SourceUnreadable: A directory cannot be read. What came before is not the whole.
    """
    yield from _walk(root_uri.rstrip("/"), "", root, root, after)


def entry_below(root_uri: str, root: Path, names: Sequence[str]) -> SourceEntry | None:
    """The entry that ``walk`` has for one file, without walking; ``None`` where it has none.

    Args:
        root_uri: As for ``walk``.
        root: The resolved directory.
        names: Names of the directories below the root, and of the file, as the file system holds them.
    """
    uri, path, directory = root_uri.rstrip("/"), "", root
    for name in names[:-1]:
        uri, path = f"{uri}/{quote_from_bytes(os.fsencode(name))}", f"{path}{_segment(directory, name)}/"
        directory /= name
        if directory.is_symlink() or not directory.is_dir():
            return None
    file = directory / names[-1] if names else root
    if not (file.is_file() or file.is_symlink()) or (status := _status(file, root)) is None:
        return None
    uri, path = f"{uri}/{quote_from_bytes(os.fsencode(file.name))}", path + _segment(directory, file.name)
    return SourceEntry(uri, path, status.st_size, version_of(status), status.st_mtime)


def _segment(directory: Path, name: str) -> str:
    """A name's path segment. Its neighbours are looked at only where it is not NFC, and so may have to give way."""
    if unicodedata.normalize("NFC", printable(name)) == name:
        return name
    return _segments([entry.name for entry in _entries("", directory)])[name]


def _walk(uri: str, path: str, directory: Path, root: Path, after: str) -> Iterator[SourceEntry]:
    for segment, entry in _sorted(path, directory):
        entry_uri = f"{uri}/{quote_from_bytes(os.fsencode(entry.name))}"
        if entry.is_dir(follow_symlinks=False):
            below = f"{path}{segment}/"
            if below > after or after.startswith(below):
                yield from _walk(entry_uri, below, directory / entry.name, root, after)
        elif path + segment > after and (status := _status(entry, root)) is not None:
            yield SourceEntry(entry_uri, path + segment, status.st_size, version_of(status), status.st_mtime)


def _sorted(path: str, directory: Path) -> list[tuple[str, "os.DirEntry[str]"]]:
    """A directory's entries with their path segments, in the order of the paths of all files below.

    A directory sorts as its name with the slash: ``a-b.txt`` stands before ``a/c.txt``, since ``-`` precedes ``/``.
    """
    entries = _entries(path, directory)
    segments = _segments([entry.name for entry in entries])
    paired = [(segments[entry.name], entry) for entry in entries]
    return sorted(paired, key=lambda pair: pair[0] + "/" * pair[1].is_dir(follow_symlinks=False))


def _entries(path: str, directory: Path) -> list["os.DirEntry[str]"]:
    try:
        with os.scandir(directory) as found:
            return list(found)
    except OSError as error:
        where = path or "the root"
        raise SourceUnreadable(f"the listing broke off at {where}: {error.strerror or type(error).__name__}") from None


def _segments(names: list[str]) -> dict[str, str]:
    """Path segment by name, NFC-normalised.

    Two names may differ in normalisation alone (a folder copied from a Mac over its older self). Neither may hide the
    other, so the one that is not NFC itself is told apart by a digest of its bytes.
    """
    normal = {name: unicodedata.normalize("NFC", printable(name)) for name in names}
    shared = Counter(normal.values())
    return {
        name: segment if shared[segment] == 1 or segment == name else f"{segment}~{_short_digest(name)}"
        for name, segment in normal.items()
    }


def _short_digest(name: str) -> str:
    return hashlib.sha256(os.fsencode(name)).hexdigest()[:8]


def _status(entry: "os.DirEntry[str] | Path", root: Path) -> os.stat_result | None:
    """The status of a regular file; ``None`` for what is not listed: devices, the gone, and links of which we warn."""
    why = "leads nowhere"
    try:
        if entry.is_symlink() and not Path(entry).resolve().is_relative_to(root):
            why = "leaves the root"
        elif stat.S_ISREG((status := entry.stat()).st_mode):
            return status
        else:
            why = "leads to a directory"
    except (FileNotFoundError, RuntimeError):  # deleted meanwhile, or a circle of links as Python 3.11 reports it
        pass
    except OSError as error:
        if error.errno != errno.ELOOP:
            where = f"the listing broke off at a file: {error.strerror or type(error).__name__}"
            raise SourceUnreadable(where) from None
    if entry.is_symlink():
        log.warning("a link is not listed, since it %s: %s", why, os.fspath(entry))
    return None
