"""``file:`` URIs to paths and back (RFC 8089), and the guard of ``INDX_LOADER_FILE_ROOTS``.

Opens nothing.
"""

import logging
import os
import re
from pathlib import Path
from urllib.parse import unquote_to_bytes

from indx_core.contracts.errors import SourceForbidden, SourceUnreadable
from indx_core.loaders.file.settings import FileLoaderSettings

log = logging.getLogger(__name__)

_AUTHORITY = re.compile(r"//(?P<host>[^/]*)(?P<path>.*)", re.DOTALL)


def path_of(uri: str) -> Path:
    """The absolute path a ``file:`` URI names, percent-decoded to the bytes the file system holds.

    ``file:`` has neither query nor fragment (RFC 8089, 2): ``?`` and ``#`` are characters of the name.

    Raises:
        SourceUnreadable: It names another host, no absolute path, or characters no path can hold.
    """
    rest = uri.partition(":")[2]
    authority = _AUTHORITY.match(rest)
    if authority and authority["host"].lower() not in {"", "localhost"}:
        raise SourceUnreadable("a file: URI names this machine only: write file:///path")
    try:
        path = Path(os.fsdecode(unquote_to_bytes(authority["path"] if authority else rest)))
    except UnicodeEncodeError:
        raise SourceUnreadable("the file: URI holds characters that no path can hold") from None
    if not path.is_absolute():
        raise SourceUnreadable("a file: URI needs an absolute path: write file:///path")
    if "\0" in str(path):
        raise SourceUnreadable("the file: URI holds characters that no path can hold")
    return path


def resolve(path: Path) -> Path:
    """The path with every symbolic link and ``..`` followed, if it lies in a root that may be read.

    Asked before the file is known to exist: outside the roots, a missing file and a present one look alike.

    Raises:
        SourceForbidden: It resolves outside ``INDX_LOADER_FILE_ROOTS``; where it leads is only in the log.
        SourceUnreadable: Its links lead in a circle.
    """
    try:
        resolved = path.resolve()
    except (OSError, RuntimeError):  # Python 3.11 and 3.12 report a circle of links as RuntimeError
        raise SourceUnreadable("the path cannot be resolved: its symbolic links lead nowhere") from None
    roots = FileLoaderSettings.load().roots
    if roots is not None and not any(resolved.is_relative_to(Path(root).resolve()) for root in roots):
        log.warning("refused by INDX_LOADER_FILE_ROOTS: %s resolves to %s", path, resolved)
        raise SourceForbidden("the path resolves outside the directories that INDX_LOADER_FILE_ROOTS allows")
    return resolved


def printable(name: str) -> str:
    r"""A file name as text that any encoding can carry: bytes that are not UTF-8 are written ``\xNN``."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")
