"""The table that passes between cutting, ordering and composing: runs of text, each on one visual line.

Columns are arrays, since a page has some fifty lines and a corpus millions of pages; rows are made one by one only for
lines that are not plain.
"""

from dataclasses import dataclass, fields
from typing import Self

import numpy as np  # noqa: TID253 - only imported where a PDF is open
from numpy.typing import NDArray  # noqa: TID253 - as above

ACROSS = 0
"""Flow of a line that is level and written from left to right."""
DOWN = 1
"""Flow of vertical Japanese, and of text turned clockwise: lines follow each other from right to left."""
OTHER = 2
"""Flow of anything else: turned the other way, slanting, right to left, a place unknown."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """Pieces of a page's text, one a row.

    Attributes:
        spans: Start and end, indexes into the page's text as PDFium gave it.
        boxes: x0, y0, x1, y1 in displayed points; NaN where unknown.
        flows: ``ACROSS``, ``DOWN`` or ``OTHER``: which way each is written on the page as displayed.
        sizes: Height of each one's tallest character, the measure for gaps.
    """

    spans: NDArray[np.int64]
    boxes: NDArray[np.float64]
    flows: NDArray[np.int64]
    sizes: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.spans)

    def rows(self, which: slice | NDArray[np.int64]) -> Self:
        """Some of the rows, in the order asked for."""
        return type(self)(self.spans[which], self.boxes[which], self.flows[which], self.sizes[which])

    @classmethod
    def joined(cls, parts: list[Self]) -> Self:
        """Tables under one another."""
        return cls(*(np.concatenate([getattr(part, column.name) for part in parts]) for column in fields(cls)))


def unions(boxes: NDArray[np.float64], cuts: NDArray[np.int64]) -> NDArray[np.float64]:
    """The union of each group of boxes; a group starts at each cut."""
    united = np.empty((len(cuts), 4))
    np.minimum.reduceat(boxes[:, :2], cuts, out=united[:, :2])
    np.maximum.reduceat(boxes[:, 2:], cuts, out=united[:, 2:])
    return united
