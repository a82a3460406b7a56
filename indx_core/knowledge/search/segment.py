"""A stored piece of the search index: five kinds of Arrow files, memory-mapped, named by the hash of their bytes.

The same content gives the same bytes, and so the same name. Arrays stand in their files as they are; passages are
compressed in batches of 64, of which a hit costs one. Does not decide what belongs in a piece (``lake_index.py``).
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np  # noqa: TID253 - this module is imported when something is searched, never before
import numpy.typing as npt  # noqa: TID253 - as above
import pyarrow as pa  # noqa: TID253 - as above

from indx_core.knowledge.search.content import Content, Vectors
from indx_core.knowledge.search.lexical import LexicalIndex
from indx_core.knowledge.search.vectors import norms_of

WORDS, DOCUMENTS, PASSAGES, MARKS = "words.arrow", "documents.arrow", "passages.arrow", "marks.arrow"
_BATCH = 64
_ARRAYS = ("terms", "offsets", "owners", "frequencies", "lengths")

OpenFile = Callable[[str], Path]
"""The local file of a member."""


def members_of(content: Content) -> dict[str, bytes]:
    """The files of a piece, by name."""
    files = {
        WORDS: _file(_arrays(content.lexical)),
        DOCUMENTS: _file(_copied(content.documents)),
        PASSAGES: _file(_copied(content.passages), batch=_BATCH, compression="zstd"),
        MARKS: _file(_copied(content.marks)),
    }
    for space, vectors in content.vectors.items():
        files[vectors_member(space)] = _file(_vectors(vectors))
    return files


def name_of(members: dict[str, bytes]) -> str:
    """The name of a piece: 128 bits of SHA-256 over its files."""
    digest = hashlib.sha256()
    for name, data in sorted(members.items()):
        digest.update(f"{name} {len(data)}\n".encode())
        digest.update(data)
    return digest.hexdigest()[:32]


def vectors_member(space: str) -> str:
    """The file of an embedding space's vectors."""
    return f"vectors-{quote(space, safe='')}.arrow"


def near_member(space: str) -> str:
    """The file of their approximate index."""
    return f"near-{quote(space, safe='')}.usearch"


class Segment:
    """A piece that is read where it lies. Files are opened when something of them is asked for.

    Attributes:
        name: Its name.
    """

    def __init__(self, name: str, spaces: Sequence[str], open_file: OpenFile) -> None:
        self.name, self.spaces, self._open_file = name, tuple(spaces), open_file

    @cached_property
    def lexical(self) -> LexicalIndex:
        """The inverted index of its passages."""
        row = self._read(WORDS)
        return LexicalIndex(*(row.column(name).chunk(0).values.to_numpy() for name in _ARRAYS))

    @cached_property
    def documents(self) -> pa.Table:
        """Its documents."""
        return self._read(DOCUMENTS)

    @cached_property
    def marks(self) -> pa.Table:
        """Labels and names of its passages."""
        return self._read(MARKS)

    @cached_property
    def starts(self) -> npt.NDArray[np.int64]:
        """First passage of each document, closed by the count of all."""
        return np.concatenate([[0], np.cumsum(self.documents.column("passages").to_numpy(), dtype=np.int64)])

    @property
    def count(self) -> int:
        """Passages."""
        return int(self.starts[-1])

    def passage(self, at: int) -> dict[str, Any]:
        """A passage as a row."""
        batch = self._passages.get_batch(at // _BATCH)
        row: dict[str, Any] = batch.slice(at % _BATCH, 1).to_pylist()[0]
        return row

    def texts(self) -> Iterator[str]:
        """The texts of its passages, in order."""
        for number in range(self._passages.num_record_batches):
            yield from self._passages.get_batch(number).column("text").to_pylist()

    def vectors(self, space: str) -> tuple[Vectors, npt.NDArray[np.float32]] | None:
        """Vectors in an embedding space and their lengths; ``None`` where there are none."""
        if space not in self.spaces:
            return None
        table = self._read(vectors_member(space))
        vector = table.column("vector").chunk(0)
        matrix = vector.values.to_numpy().reshape(len(vector), -1)
        return Vectors(matrix, table.column("passage").to_numpy()), table.column("norm").to_numpy()

    def content(self) -> Content:
        """All of it, to be cut and joined anew."""
        found = ((space, self.vectors(space)) for space in self.spaces)
        vectors = {space: each[0] for space, each in found if each is not None}
        return Content(self.documents, self._read(PASSAGES), self.marks, self.lexical, vectors)

    @cached_property
    def _passages(self) -> Any:
        return pa.ipc.open_file(pa.memory_map(str(self._open_file(PASSAGES))))

    def _read(self, name: str) -> pa.Table:
        return pa.ipc.open_file(pa.memory_map(str(self._open_file(name)))).read_all()


def _file(table: pa.Table, *, batch: int | None = None, compression: str | None = None) -> bytes:
    sink = pa.BufferOutputStream()
    options = pa.ipc.IpcWriteOptions(compression=compression)
    with pa.ipc.new_file(sink, table.schema, options=options) as writer:
        writer.write_table(table, max_chunksize=batch)
    return bytes(sink.getvalue())


def _copied(table: pa.Table) -> pa.Table:
    """The rows in buffers of their own: a slice's depend on what it was cut from, and its bytes would, too."""
    return table.take(pa.array(np.arange(table.num_rows))).combine_chunks()


def _arrays(lexical: LexicalIndex) -> pa.Table:
    """One row, each array a list in it: so a file holds arrays of different lengths, aligned."""
    arrays = [pa.array(np.ascontiguousarray(getattr(lexical, name))) for name in _ARRAYS]
    return pa.table([_single(values) for values in arrays], names=list(_ARRAYS))


def _single(values: pa.Array) -> pa.Array:
    return pa.LargeListArray.from_arrays(pa.array([0, len(values)], pa.int64()), values)


def _vectors(vectors: Vectors) -> pa.Table:
    matrix = np.ascontiguousarray(vectors.matrix, np.float32)
    flat = pa.array(matrix.reshape(-1))
    columns = [
        pa.array(np.ascontiguousarray(vectors.passages)),
        pa.array(norms_of(matrix)),
        pa.FixedSizeListArray.from_arrays(flat, matrix.shape[1]),
    ]
    return pa.table(columns, names=["passage", "norm", "vector"])
