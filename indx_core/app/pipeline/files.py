"""What is walked: the files of a folder or of a ZIP file, by path below the root. Unpacks nothing to disk.

Links are not followed, and members of a ZIP file stand under the limits of any archive of unknown origin.
"""

import os
from pathlib import Path
from typing import Protocol

from indx_core.contracts.errors import SourceUnreadable
from indx_core.kit.ooxml.archive import Archive
from indx_core.kit.ooxml.settings import PackageSettings


class Files(Protocol):
    """Files below a root."""

    def paths(self) -> list[str]:
        """Every file, ``/`` between segments, in no particular order."""
        ...

    def read(self, path: str) -> bytes:
        """The bytes of one.

        Raises:
            SourceUnreadable: They cannot be had.
        """
        ...


def files_of(root: Path) -> Files:
    """The files of a folder, or of a ZIP file.

    Raises:
        SourceUnreadable: It is neither, or the ZIP file is damaged or beyond the limits.
    """
    if root.is_dir():
        return FolderFiles(root)
    if root.is_file():
        return ZipFiles(root)
    raise SourceUnreadable("there is no such folder or ZIP file", param="root", remedy="check the path")


class FolderFiles:
    """Files of a folder; hidden ones and links are left out."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def paths(self) -> list[str]:
        found = []
        for folder, folders, names in os.walk(self._root, followlinks=False):
            folders[:] = [name for name in folders if not name.startswith(".")]
            places = (Path(folder) / name for name in names if not name.startswith("."))
            found += [place.relative_to(self._root).as_posix() for place in places if not place.is_symlink()]
        return found

    def read(self, path: str) -> bytes:
        try:
            return (self._root / path).read_bytes()
        except OSError as error:
            raise SourceUnreadable(f"{path} cannot be read: {error.strerror}") from None


class ZipFiles:
    """Members of a ZIP file. Names that no Unicode flag covers are Shift_JIS where they decode to Japanese."""

    def __init__(self, root: Path) -> None:
        try:
            self._archive = Archive(root.read_bytes(), PackageSettings.load())
        except SourceUnreadable as error:
            raise SourceUnreadable(f"the ZIP file cannot be walked: {error.message}", param="root") from None
        self._members = {_spelled(name): name for name in self._archive.names}

    def paths(self) -> list[str]:
        hidden = ("__MACOSX/", ".")
        return [path for path in self._members if not any(part.startswith(hidden) for part in (path, *path.split("/")))]

    def read(self, path: str) -> bytes:
        return self._archive.read(self._members[path])


def _spelled(name: str) -> str:
    """The name as its writer meant it: Windows writes Shift_JIS without a flag, which ``zipfile`` reads as CP437."""
    try:
        meant = name.encode("cp437").decode("cp932")
    except UnicodeError:
        return name
    return meant if any("\u3040" <= character <= "\u9fff" for character in meant) else name
