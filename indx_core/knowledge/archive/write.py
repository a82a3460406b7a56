"""Writing an archive, and unpacking one that was checked. The same space gives the same bytes on the same zlib.

Nothing is held in memory twice: the graph is written line by line and a matrix from where it lies.
"""

import hashlib
import io
import os
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

from indx_core.contracts.base import canonical_json
from indx_core.knowledge.archive.layout import INDEX, LEXICAL, MANIFEST, Lexical, Manifest, Matrix, Member, entry
from indx_core.knowledge.archive.read import opened
from indx_core.knowledge.space.index_json import index_lines

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from indx_core.knowledge.space import KnowledgeSpace

_PIECE = 1 << 20


def save(space: "KnowledgeSpace", path: Path) -> None:
    """Write the space to ``path``; a reader sees the old file or the new one."""
    with _aside(path) as aside, aside.open("w+b") as file:
        write_archive(space, file)


def write_archive(space: "KnowledgeSpace", file: IO[bytes]) -> None:
    """Write the space into an open, empty, seekable file."""
    from indx_core.knowledge.search.terms import ANALYSIS

    members: dict[str, Member] = {}
    matrices: list[Matrix] = []
    with zipfile.ZipFile(file, "w", allowZip64=True) as archive:
        members[INDEX] = _write(archive, INDEX, (line.encode() for line in index_lines(space)), stored=False)
        for number, vectors in enumerate(space.vectors.values()):
            names = (f"embeddings/{number}.npy", f"embeddings/{number}.rows.npy")
            arrays = (vectors.matrix.astype("<f4", copy=False), vectors.rows.astype("<i4", copy=False))
            for name, array in zip(names, arrays, strict=True):
                members[name] = _write(archive, name, _npy(array), stored=True)
            encoder: dict[str, object] = dict(vectors.encoder)
            matrices.append(Matrix(space_id=vectors.space_id, matrix=names[0], rows=names[1], encoder=encoder))
        for name, dtype in LEXICAL.items():
            array = getattr(space.lexical, name).astype(dtype, copy=False)
            members[f"lexical/{name}.npy"] = _write(archive, f"lexical/{name}.npy", _npy(array), stored=True)
        lexical = Lexical(analysis=ANALYSIS, arrays={name: f"lexical/{name}.npy" for name in LEXICAL})
        manifest = Manifest(version=space.version, members=members, embeddings=matrices, lexical=lexical)
        _write(archive, MANIFEST, [canonical_json(manifest).encode()], stored=False)


def unpack(path: Path, folder: Path) -> None:
    """Write the members of an archive as files below ``folder``, which ``load`` reads like the archive.

    Raises:
        ArchiveInvalid: The archive fails a check; nothing has been written then.
    """
    with opened(path) as archive:
        archive.verify()
        for name in archive.names:
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            with archive.stream(name) as source, _aside(target) as aside, aside.open("wb") as out:
                while piece := source.read(_PIECE):
                    out.write(piece)


def _write(archive: zipfile.ZipFile, name: str, pieces: Iterable[bytes], *, stored: bool) -> Member:
    digest, length = hashlib.sha256(), 0
    assert archive.fp is not None
    info = entry(name, at=archive.fp.tell(), stored=stored)
    with archive.open(info, "w", force_zip64=True) as out:
        for piece in pieces:
            out.write(piece)
            digest.update(piece)
            length += len(piece)
    return Member(bytes=length, sha256=digest.hexdigest())


def _npy(array: "npt.NDArray[np.generic]") -> Iterator[bytes]:
    """The array as an ``.npy`` file (format 1.0), rows in C order."""
    import numpy as np

    header = io.BytesIO()
    described = {"descr": np.lib.format.dtype_to_descr(array.dtype), "fortran_order": False, "shape": array.shape}
    np.lib.format.write_array_header_1_0(header, described)
    yield header.getvalue()
    rows = max(1, _PIECE // max(1, array[:1].nbytes))
    for start in range(0, len(array), rows):
        yield np.ascontiguousarray(array[start : start + rows]).tobytes()


@contextmanager
def _aside(path: Path) -> Iterator[Path]:
    """A file beside ``path`` that takes its place when all went well."""
    aside = path.with_name(f".write-{os.getpid()}-{path.name}")
    try:
        yield aside
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)
