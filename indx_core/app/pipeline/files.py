"""What is walked: the files of a folder or of a ZIP file, by path below the root. Unpacks nothing to disk.

Links are not followed, and members of a ZIP file stand under the limits of any archive of unknown origin.
"""

import os
import stat
from pathlib import Path
from typing import Protocol

from indx_core.contracts.errors import SourceUnreadable
from indx_core.kit.ooxml.archive import Archive
from indx_core.kit.ooxml.settings import PackageSettings
from indx_core.loaders.file.address import printable


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
    """Files of a folder; hidden ones and links are left out, and what is no file: a pipe would be waited for."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._places: dict[str, Path] = {}

    def paths(self) -> list[str]:
        self._places = {}
        for folder, folders, names in os.walk(self._root, followlinks=False):
            folders[:] = [name for name in folders if not name.startswith(".")]
            for place in (Path(folder) / name for name in sorted(names) if not name.startswith(".")):
                if stat.S_ISREG(place.lstat().st_mode):
                    self._places[self._path_of(place)] = place
        return list(self._places)

    def read(self, path: str) -> bytes:
        try:
            return self._places.get(path, self._root / path).read_bytes()
        except OSError as error:
            raise SourceUnreadable(f"{path} cannot be read: {error.strerror}") from None

    def _path_of(self, place: Path) -> str:
        """Its path as text that an index can hold; bytes that are not UTF-8 may spell another file's name."""
        path = Path(printable(place.relative_to(self._root).as_posix()))
        while path.as_posix() in self._places:
            path = path.with_stem(f"{path.stem}~")
        return path.as_posix()


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
