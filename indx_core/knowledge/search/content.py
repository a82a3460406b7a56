"""The content of a piece of the search index: documents, their passages, inverted index and vectors.

Passages of a document are consecutive, and so are those of neighbouring documents: pieces are cut and joined by ranges
of documents, and a piece cut and joined again is the same. Holds no bytes (``segment.py``) and reads no lake
(``harvest.py``).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np  # noqa: TID253 - this module is imported when something is searched, never before
import numpy.typing as npt  # noqa: TID253 - as above
import pyarrow as pa  # noqa: TID253 - as above

from indx_core.knowledge.search.lexical import LexicalIndex

_TEXT = pa.string()
DOCUMENTS = pa.schema(
    [
        *(pa.field(name, _TEXT) for name in ("key", "corpus", "path", "uri", "type", "media_type")),
        *(pa.field(name, _TEXT) for name in ("title", "language", "date")),
        pa.field("labels", pa.list_(_TEXT)),
        pa.field("passages", pa.int32()),
    ]
)
"""A document, and how many passages it has."""

PASSAGES = pa.schema(
    [
        pa.field("chunk_id", _TEXT),
        pa.field("page", pa.int32()),
        *(pa.field(edge, pa.float32()) for edge in ("x0", "y0", "x1", "y1")),
        pa.field("bbox_reason", _TEXT),
        pa.field("text", _TEXT),
    ]
)
"""A passage."""

MARKS = pa.schema([pa.field("passage", pa.int32()), pa.field("kind", _TEXT), pa.field("value", _TEXT)])
"""A label or a name that a passage has: kind ``label`` or ``entity``."""


class Vectors(NamedTuple):
    """Vectors of some passages: shape ``(vectors, dimension)``, and the passage of each, ascending."""

    matrix: npt.NDArray[np.float32]
    passages: npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Content:
    """Documents in the order of their keys' partitions, each with its passages.

    Attributes:
        documents: Of ``DOCUMENTS``.
        passages: Of ``PASSAGES``, as many as the documents say.
        marks: Of ``MARKS``, ascending by passage.
        lexical: Of the passages' texts.
        vectors: By embedding space.
    """

    documents: pa.Table
    passages: pa.Table
    marks: pa.Table
    lexical: LexicalIndex
    vectors: dict[str, Vectors]

    @property
    def starts(self) -> npt.NDArray[np.int64]:
        """First passage of each document, closed by the count of all."""
        return np.concatenate([[0], np.cumsum(self.documents.column("passages").to_numpy(), dtype=np.int64)])

    @classmethod
    def joined(cls, parts: Sequence["Content"]) -> "Content":
        """The parts, one after the other."""
        if len(parts) == 1:
            return parts[0]
        before = np.cumsum([0, *(part.passages.num_rows for part in parts)]).astype(np.int32)
        placed = list(zip(parts, before, strict=False))
        spaces = sorted({space for part in parts for space in part.vectors})
        marks = [
            part.marks.set_column(0, MARKS.field(0), pa.array(part.marks.column(0).to_numpy() + start))
            for part, start in placed
        ]
        return cls(
            pa.concat_tables([part.documents for part in parts]),
            pa.concat_tables([part.passages for part in parts]),
            pa.concat_tables(marks),
            LexicalIndex.joined([part.lexical for part in parts]),
            {
                space: Vectors(
                    np.concatenate([part.vectors[space].matrix for part in parts if space in part.vectors]),
                    np.concatenate(
                        [part.vectors[space].passages + start for part, start in placed if space in part.vectors]
                    ),
                )
                for space in spaces
            },
        )

    def part(self, first: int, last: int) -> "Content":
        """The documents from ``first`` to before ``last``."""
        if (first, last) == (0, self.documents.num_rows):
            return self
        start, end = (int(at) for at in self.starts[[first, last]])
        held = self.marks.column(0).to_numpy()
        low, high = (int(at) for at in np.searchsorted(held, [start, end]))
        marks = self.marks.slice(low, high - low)
        moved = pa.array(held[low:high] - np.int32(start))
        vectors = {space: _range(each, start, end) for space, each in self.vectors.items()}
        return Content(
            self.documents.slice(first, last - first),
            self.passages.slice(start, end - start),
            marks.set_column(0, MARKS.field(0), moved),
            self.lexical.part(start, end),
            {space: each for space, each in vectors.items() if len(each.passages)},
        )


def _range(vectors: Vectors, start: int, end: int) -> Vectors:
    low, high = np.searchsorted(vectors.passages, [start, end])
    return Vectors(vectors.matrix[low:high], vectors.passages[low:high] - np.int32(start))
