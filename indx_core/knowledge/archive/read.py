"""Reading an archive of unknown origin: names, limits, digests and shapes are checked before anything is believed.

A matrix is memory-mapped where it lies, in the archive or in the folder it was unpacked to. Writes nothing.
"""

import hashlib
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol

from pydantic import ValidationError

from indx_core.contracts.errors import ArchiveInvalid
from indx_core.contracts.knowledge import SCHEMA_VERSION
from indx_core.knowledge.archive.layout import INDEX, LEXICAL, MANIFEST, Manifest, Matrix, Member, is_safe
from indx_core.knowledge.archive.settings import ArchiveSettings
from indx_core.knowledge.space.index_json import read_index
from indx_core.knowledge.space.vectors import SpaceVectors

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from indx_core.knowledge.search.lexical import LexicalIndex
    from indx_core.knowledge.space import KnowledgeSpace

_PIECE = 1 << 20
_MANIFEST_BYTES = 16 * 1024 * 1024
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, UnicodeError)


class Container(Protocol):
    """Where the members are: a ZIP file or a folder."""

    def names(self) -> list[str]:
        """Every member."""
        ...

    def stream(self, name: str) -> IO[bytes]:
        """A member's bytes, unpacked."""
        ...

    def place(self, name: str) -> tuple[Path, int]:
        """The file, and the offset in it, at which an uncompressed member starts.

        Raises:
            ArchiveInvalid: It is compressed.
        """
        ...


class Archive:
    """An archive whose names and manifest were checked. ``names`` has every member, the manifest included."""

    def __init__(self, container: Container, settings: ArchiveSettings) -> None:
        self._container, self._settings = container, settings
        self.names = container.names()
        _check_names(self.names, settings)
        self.manifest = self._manifest()
        undeclared = set(self.names) ^ {MANIFEST, *self.manifest.members}
        if undeclared:
            raise ArchiveInvalid(f"member {min(undeclared)!r} is in the archive or in its manifest, but not in both")

    def stream(self, name: str) -> IO[bytes]:
        """A member's bytes, unpacked."""
        return self._container.stream(name)

    def verify(self) -> None:
        """Compare every member with the manifest.

        Raises:
            ArchiveInvalid: A length or a digest differs.
        """
        for name, member in self.manifest.members.items():
            if name == INDEX and member.bytes > self._settings.archive_max_index_bytes:
                raise ArchiveInvalid(
                    f"index.json has {member.bytes} bytes, more than are read here",
                    remedy="raise INDX_ARCHIVE_MAX_INDEX_BYTES if you trust the archive",
                )
            if name != INDEX:
                self._container.place(name)  # so that nothing is unpacked but the index, whose length is bounded
            with self.stream(name) as source:
                _compare(name, member, source)

    def index(self) -> "KnowledgeSpace":
        """The graph."""
        with self.stream(INDEX) as source:
            return read_index(source.read(self.manifest.members[INDEX].bytes))

    def vectors(self, described: Matrix, chunks: int) -> SpaceVectors:
        """An embedding space's matrix, memory-mapped, and its rows."""
        matrix = self._mapped(described.matrix, "<f4", 2)
        rows = self._mapped(described.rows, "<i4", 1)
        if len(matrix) != len(rows) or not _ascending_below(rows, chunks):
            raise ArchiveInvalid(f"the rows of embedding space {described.space_id!r} do not name its chunks")
        return SpaceVectors(described.space_id, matrix, rows, dict(described.encoder))

    def lexical(self, chunks: int) -> "LexicalIndex | None":
        """The inverted index of the chunks' texts, memory-mapped; ``None`` where there is none that is read here.

        Texts cut into other terms by another version are indexed anew when they are searched.
        """
        from indx_core.knowledge.search.lexical import LexicalIndex
        from indx_core.knowledge.search.terms import ANALYSIS

        described = self.manifest.lexical
        if described is None or described.analysis != ANALYSIS:
            return None
        if set(described.arrays) != set(LEXICAL):
            raise ArchiveInvalid("the inverted index lacks an array")
        index = LexicalIndex(*(self._mapped(described.arrays[name], dtype, 1) for name, dtype in LEXICAL.items()))
        if not index.fits(chunks):
            raise ArchiveInvalid("the inverted index is not one of the chunks of the archive")
        return index

    def _manifest(self) -> Manifest:
        if MANIFEST not in self.names or INDEX not in self.names:
            raise ArchiveInvalid("an archive has manifest.json and index.json, and one of them is missing")
        with self.stream(MANIFEST) as source:
            text = source.read(_MANIFEST_BYTES + 1)
        if len(text) > _MANIFEST_BYTES:
            raise ArchiveInvalid("manifest.json is too long")
        try:
            manifest = Manifest.model_validate_json(text)
        except ValidationError:
            raise ArchiveInvalid("manifest.json does not describe an archive") from None
        if manifest.format != "indx":
            raise ArchiveInvalid(f"manifest.json describes the format {manifest.format[:40]!r}, not indx")
        if manifest.version.partition(".")[0] != SCHEMA_VERSION.partition(".")[0]:
            raise ArchiveInvalid(
                f"schema version {manifest.version[:20]} cannot be read here, which knows {SCHEMA_VERSION}",
                remedy="open it with the release that wrote it, or a later one",
            )
        return manifest

    def _mapped(self, name: str, dtype: str, dimensions: int) -> Any:
        import numpy as np

        if name not in self.manifest.members:
            raise ArchiveInvalid(f"member {name!r} is missing")
        path, offset = self._container.place(name)
        with path.open("rb") as file:
            file.seek(offset)
            try:
                np.lib.format.read_magic(file)
                shape, fortran, found = np.lib.format.read_array_header_1_0(file)
            except ValueError:
                raise ArchiveInvalid(f"member {name!r} is no .npy file") from None
            start = file.tell()
        length = self.manifest.members[name].bytes - (start - offset)
        if fortran or found != np.dtype(dtype) or len(shape) != dimensions or _size(shape) * found.itemsize != length:
            raise ArchiveInvalid(f"member {name!r} does not have the shape its header states")
        if not length:
            return np.zeros(shape, found)
        return np.memmap(path, found, "r", start, shape)


def load(path: Path) -> "KnowledgeSpace":
    """The space of an archive, or of the folder it was unpacked to.

    Raises:
        ArchiveInvalid: A check fails; the message says which.
    """
    with opened(path) as archive:
        archive.verify()
        space = archive.index()
        matrices = [archive.vectors(each, len(space.chunks)) for each in archive.manifest.embeddings]
        lexical = archive.lexical(len(space.chunks))
    space = space.with_vectors(matrices)
    return space if lexical is None else space.with_lexical(lexical)


@contextmanager
def opened(path: Path) -> Iterator[Archive]:
    """An archive for reading; whatever is wrong with the file becomes ``ArchiveInvalid``."""
    settings = ArchiveSettings.load()
    try:
        if path.is_dir():
            yield Archive(_Folder(path), settings)
        else:
            with zipfile.ZipFile(path) as file:
                yield Archive(_Zip(path, file), settings)
    except FileNotFoundError:
        raise ArchiveInvalid(f"there is no archive {path.name}", remedy="check the path") from None
    except _DAMAGE as error:
        raise ArchiveInvalid(f"{path.name} cannot be read as an archive: {type(error).__name__}") from None


class _Zip:
    def __init__(self, path: Path, file: zipfile.ZipFile) -> None:
        self._path, self._file = path, file

    def names(self) -> list[str]:
        return [info.filename for info in self._file.infolist()]

    def stream(self, name: str) -> IO[bytes]:
        return self._file.open(name)

    def place(self, name: str) -> tuple[Path, int]:
        info = self._file.getinfo(name)
        if info.compress_type != zipfile.ZIP_STORED:
            raise ArchiveInvalid(f"member {name!r} is compressed and cannot be memory-mapped")
        with self._path.open("rb") as file:
            file.seek(info.header_offset + 26)
            lengths = file.read(4)
        name_bytes, extra_bytes = int.from_bytes(lengths[:2], "little"), int.from_bytes(lengths[2:], "little")
        return self._path, info.header_offset + 30 + name_bytes + extra_bytes


class _Folder:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def names(self) -> list[str]:
        arrays = [file for name in ("embeddings", "lexical") for file in sorted((self._folder / name).glob("*.npy"))]
        files = [self._folder / MANIFEST, self._folder / INDEX, *arrays]
        return [file.relative_to(self._folder).as_posix() for file in files if file.is_file()]

    def stream(self, name: str) -> IO[bytes]:
        return (self._folder / name).open("rb")

    def place(self, name: str) -> tuple[Path, int]:
        return self._folder / name, 0


def _check_names(names: list[str], settings: ArchiveSettings) -> None:
    if len(names) > settings.archive_max_members:
        raise ArchiveInvalid(
            f"the archive has {len(names)} members, more than are opened here",
            remedy="raise INDX_ARCHIVE_MAX_MEMBERS if you trust the archive",
        )
    if len(set(names)) != len(names):
        raise ArchiveInvalid("two members of the archive have the same name")
    for name in names:
        if not is_safe(name):
            raise ArchiveInvalid(f"member {name[:80]!r} would leave the archive's folder")


def _compare(name: str, member: Member, source: IO[bytes]) -> None:
    digest, length = hashlib.sha256(), 0
    while piece := source.read(_PIECE):
        digest.update(piece)
        length += len(piece)
        if length > member.bytes:
            break
    if length != member.bytes or digest.hexdigest() != member.sha256:
        raise ArchiveInvalid(f"member {name!r} is not what the manifest says: the archive was damaged or changed")


def _ascending_below(rows: "npt.NDArray[np.int32]", limit: int) -> bool:
    import numpy as np

    return not len(rows) or bool(rows[0] >= 0 and rows[-1] < limit and np.all(np.diff(rows) > 0))


def _size(shape: tuple[int, ...]) -> int:
    size = 1
    for each in shape:
        size *= each
    return size
