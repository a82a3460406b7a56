"""Approximate nearest vectors: an HNSW graph by usearch (Malkov and Yashunin 2018), for spaces too large to compare.

Built with one thread, in the order of the vectors, so that the same vectors give the same graph. Holds no vectors of
its own that are compared in the end: what it names is compared exactly (``vectors.py``).
"""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np  # noqa: TID253 - this module is imported when something is searched, never before

from indx_core.contracts.errors import CapabilityUnavailable

if TYPE_CHECKING:
    import numpy.typing as npt

CONNECTIVITY = 16
EXPANSION_ADD = 128
EXPANSION_SEARCH = 400
"""Neighbours of a node, and how widely is looked when adding and searching: recall and times in docs/benchmarks.md."""


@dataclass(frozen=True, slots=True)
class Near:
    """An index opened from its file, memory-mapped."""

    index: Any

    def nearest(self, query: "npt.NDArray[np.float32]", count: int) -> "npt.NDArray[np.int64]":
        """Numbers of about the nearest vectors, nearest first."""
        found: npt.NDArray[np.int64] = np.asarray(self.index.search(query, count).keys, np.int64)
        return found


def installed() -> bool:
    """Whether the library is here."""
    from importlib.util import find_spec

    return find_spec("usearch") is not None


def built(matrix: "npt.NDArray[np.float32]") -> bytes:
    """The index of vectors, numbered by their order, as the bytes of its file.

    Raises:
        CapabilityUnavailable: The library is not installed.
    """
    index = _empty(matrix.shape[1])
    index.add(np.arange(len(matrix)), np.ascontiguousarray(matrix), threads=1)
    return bytes(index.save())


def opened(path: Path, dimension: int) -> Near:
    """An index that was built, from its file."""
    index = _empty(dimension)
    index.view(str(path))
    return Near(index)


def _empty(dimension: int) -> Any:
    try:
        from usearch.index import Index
    except ImportError:
        raise CapabilityUnavailable(
            "approximate vector search is not installed", remedy="install the extra 'near'"
        ) from None
    return Index(
        ndim=dimension,
        metric="cos",
        dtype="f16",
        connectivity=CONNECTIVITY,
        expansion_add=EXPANSION_ADD,
        expansion_search=EXPANSION_SEARCH,
    )
