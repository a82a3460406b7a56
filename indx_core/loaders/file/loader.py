"""The file loader: reads one regular file, lists a directory.

Never opens a device or a pipe, and reads at most one byte more than it was allowed to.
"""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from indx_core.contracts.errors import InputTooLarge, SourceUnreadable
from indx_core.contracts.source import LoadedSource, SourceEntry
from indx_core.loaders.file.address import path_of, printable, resolve
from indx_core.loaders.file.listing import entry_below, version_of, walk


class FileLoader:
    """Reads ``file:`` URIs of this machine."""

    distribution = "indx-loader-file"
    schemes: tuple[str, ...] = ("file",)

    def load(self, uri: str, max_bytes: int | None) -> LoadedSource:
        path = path_of(uri)
        resolved = resolve(path)
        try:
            data, version = _read(resolved, max_bytes)
        except OSError as error:
            remedy = "check the path" if isinstance(error, FileNotFoundError) else "check the file and its permissions"
            message = f"the file cannot be read: {error.strerror or type(error).__name__}"
            raise SourceUnreadable(message, remedy=remedy) from None
        return LoadedSource(data, uri, printable(path.name), loader=self.distribution, version=version)

    def list(self, root: str) -> Iterator[SourceEntry]:
        return self.list_after(root, "")

    def list_after(self, root: str, after: str) -> Iterator[SourceEntry]:
        path = path_of(root)
        resolved = resolve(path)
        if not resolved.is_dir():
            raise SourceUnreadable(
                "the root is not a directory that can be read",
                remedy="check the corpus's root in indx.toml, and that its volume is mounted here",
            )
        return walk(path.as_uri(), resolved, after)

    def locate(self, uri: str, root: str) -> SourceEntry | None:
        path, above = path_of(uri), path_of(root)
        resolve(path)
        return entry_below(above.as_uri(), resolve(above), path.relative_to(above).parts)


def _read(path: Path, max_bytes: int | None) -> tuple[bytes, str]:
    # The resolved path is opened, and its last part not followed: a link put there since the guard looked is refused.
    # Without O_NONBLOCK, opening a pipe that nobody writes to never returns.
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise SourceUnreadable("the path names no regular file")
        if max_bytes is not None and status.st_size > max_bytes:
            raise _too_large(max_bytes)
        data = file.read(-1 if max_bytes is None else max_bytes + 1)
    if max_bytes is not None and len(data) > max_bytes:
        raise _too_large(max_bytes)
    return data, version_of(status)


def _too_large(max_bytes: int) -> InputTooLarge:
    return InputTooLarge(f"the file is larger than the {max_bytes} bytes that INDX_MAX_INPUT_BYTES allows")
