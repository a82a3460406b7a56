"""The index of a lake as one thing to search: its pieces side by side, memory-mapped.

Opening it brings it up to date (``refresh.py``). Does not rank (``rank.py``) or describe hits (``query.py``).
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np  # noqa: TID253 - this module is imported when something is searched, never before
import numpy.typing as npt  # noqa: TID253 - as above
import pyarrow as pa  # noqa: TID253 - as above
import pyarrow.compute as pc  # noqa: TID253 - as above

from indx_core.contracts.errors import LakeUnavailable
from indx_core.kit.lake import Lake
from indx_core.knowledge.search import near
from indx_core.knowledge.search.filters import Described, SearchFilters
from indx_core.knowledge.search.pieces import STATE, State
from indx_core.knowledge.search.refresh import refreshed, segment_of
from indx_core.knowledge.search.relations import Edges
from indx_core.knowledge.search.segment import Segment, near_member
from indx_core.knowledge.search.settings import SearchSettings
from indx_core.knowledge.search.shelf import Shelf
from indx_core.knowledge.search.vectors import VectorPart
from indx_core.knowledge.search.words import Words

Mask = npt.NDArray[np.bool_]
_ATTEMPTS = 3


class LakeIndex:
    """Every passage of a lake, numbered in the order of their documents' keys.

    Attributes:
        edges: Relations of the documents, where a corpus's space was published.
    """

    def __init__(self, shelf: Shelf, state: State, settings: SearchSettings) -> None:
        self._shelf, self._settings = shelf, settings
        self._state = state
        self._segments = [segment_of(shelf, piece) for piece in state.pieces if piece.name]
        self._starts = np.cumsum([0, *(segment.count for segment in self._segments)])
        self.edges = Edges(shelf, state.relations)

    @classmethod
    def open(cls, lake: Lake, settings: SearchSettings | None = None) -> Self:
        """The index of a lake as it is now.

        Raises:
            LakeUnavailable: The store refuses to be read, or others replace the index faster than it can be opened.
        """
        settings = settings or SearchSettings.load()
        shelf = Shelf(lake, Path(settings.search_cache))
        for attempt in range(_ATTEMPTS):
            try:
                index = cls(shelf, refreshed(lake, shelf), settings)
                index._touch()
            except FileNotFoundError:  # another process replaced a piece, or a table's object, while it was opened
                if attempt:  # it is still so: what the state names is no longer there
                    shelf.discard(STATE)
            else:
                return index
        raise LakeUnavailable("the search index was replaced while it was opened", remedy="search again")

    @property
    def count(self) -> int:
        """Passages."""
        return int(self._starts[-1])

    @cached_property
    def words(self) -> Words:
        """Their inverted indexes."""
        return Words([segment.lexical for segment in self._segments])

    def texts_at(self, numbers: Sequence[int]) -> list[str]:
        """Some of the texts."""
        return [self.passage(number)["text"] for number in numbers]

    def texts(self) -> Iterator[str]:
        """All of them, in order."""
        for segment in self._segments:
            yield from segment.texts()

    def passage(self, number: int) -> dict[str, Any]:
        """A passage as a row."""
        segment, at = self._place(number)
        return segment.passage(at)

    def document(self, number: int) -> dict[str, Any]:
        """The document of a passage, as a row; ``first`` and ``last`` are its passages, the latter past its end."""
        segment, at = self._place(number)
        which = int(np.searchsorted(segment.starts, at, side="right")) - 1
        row: dict[str, Any] = segment.documents.slice(which, 1).to_pylist()[0]
        before = number - at
        return {**row, "first": before + int(segment.starts[which]), "last": before + int(segment.starts[which + 1])}

    def vectors(self, space: str) -> list[VectorPart]:
        """Their vectors in an embedding space, piece by piece."""
        found = [(segment, start, segment.vectors(space)) for segment, start in self._placed()]
        held = [(segment, start, each) for segment, start, each in found if each is not None]
        many = sum(len(vectors.passages) for _, _, (vectors, _) in held) > self._settings.search_exact_vectors
        return [
            VectorPart(
                vectors.matrix,
                norms,
                vectors.passages.astype(np.int64) + start,
                self._near(segment, space, vectors.matrix) if many and near.installed() else None,
            )
            for segment, start, (vectors, norms) in held
        ]

    def admitted(self, filters: SearchFilters) -> Mask:
        """Which passages filters let through."""
        masks = [self._admitted(segment, filters) for segment in self._segments]
        return np.concatenate([np.empty(0, bool), *masks])

    def _admitted(self, segment: Segment, filters: SearchFilters) -> Mask:
        documents, passages = segment.documents, np.diff(segment.starts)
        admitted = np.ones(segment.count, bool)
        if self._state.gone:
            gone = pc.is_in(documents.column("key"), value_set=pa.array(self._state.gone, pa.string()))
            admitted &= ~np.repeat(_mask(gone), passages)
        if filters == SearchFilters():
            return admitted
        rows = documents.drop_columns(["uri", "title", "passages"]).to_pylist()
        described = [Described(**{name: value for name, value in row.items() if name != "labels"}) for row in rows]
        admitted &= np.repeat(np.fromiter(map(filters.admits, described), bool, len(rows)), passages)
        if filters.labels:
            whole = np.fromiter((filters.labelled(row["labels"]) for row in rows), bool, len(rows))
            admitted &= np.repeat(whole, passages) | _marked(segment, "label", filters.labels)
        if filters.entities:
            admitted &= _marked(segment, "entity", filters.entities)
        return admitted

    def _near(self, segment: Segment, space: str, matrix: npt.NDArray[np.float32]) -> Callable[[], near.Near]:
        name = f"{segment.name}/{near_member(space)}"

        def opened() -> near.Near:
            if self._shelf.path(name) is None:
                self._shelf.keep(name, near.built(matrix))
            path = self._shelf.path(name)
            assert path is not None
            return near.opened(path, matrix.shape[1])

        return opened

    def _placed(self) -> Iterator[tuple[Segment, int]]:
        return zip(self._segments, (int(start) for start in self._starts), strict=False)

    def _place(self, number: int) -> tuple[Segment, int]:
        at = int(np.searchsorted(self._starts, number, side="right")) - 1
        return self._segments[at], number - int(self._starts[at])

    def _touch(self) -> None:
        """Map what every query needs, so that a piece that is gone shows now."""
        for segment in self._segments:
            _ = segment.lexical


def _marked(segment: Segment, kind: str, values: Sequence[str]) -> Mask:
    marks = segment.marks
    held = pc.and_(pc.equal(marks.column("kind"), kind), pc.is_in(marks.column("value"), value_set=pa.array(values)))
    found = np.zeros(segment.count, bool)
    found[marks.column("passage").filter(held).to_numpy()] = True
    return found


def _mask(values: pa.ChunkedArray) -> Mask:
    mask: Mask = values.to_numpy().astype(bool)
    return mask
