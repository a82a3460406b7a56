"""The vectors of a space: one float32 matrix per embedding space, and which chunk each row belongs to.

A matrix may be memory-mapped; nothing here copies it. Does not compare vectors (``knowledge/search``).
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


@dataclass(frozen=True, eq=False)
class SpaceVectors:
    """Vectors of one embedding space.

    Attributes:
        space_id: The embedding space; vectors of two spaces are never compared.
        matrix: float32, shape ``(vectors, dimension)``.
        rows: int32, the index of each row's chunk in the space's list of chunks, ascending.
        encoder: What a query has to be encoded with: the embedding space's public description, JSON-ready.
    """

    space_id: str
    matrix: "npt.NDArray[np.float32]"
    rows: "npt.NDArray[np.int32]"
    encoder: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.matrix.ndim != 2 or self.rows.shape != (len(self.matrix),):
            raise ValueError("a space's vectors are one matrix and one chunk index per row of it")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SpaceVectors):
            return NotImplemented
        import numpy as np

        return (
            (self.space_id, self.encoder) == (other.space_id, other.encoder)
            and np.array_equal(self.rows, other.rows)
            and np.array_equal(self.matrix, other.matrix)
        )

    __hash__ = None  # type: ignore[assignment] # matrices are compared by value and have no hash

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return int(self.matrix.shape[1])

    def of_chunk(self, index: int) -> list[float] | None:
        """The vector of a chunk by its index in the space; ``None`` when it has none."""
        import numpy as np

        at = int(np.searchsorted(self.rows, index))
        found = at < len(self.rows) and int(self.rows[at]) == index
        return [float(value) for value in self.matrix[at]] if found else None
