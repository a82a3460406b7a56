"""Checks of the rows themselves, before they are encoded: what must hold of every document, whoever wrote it.

Vectorised over Arrow columns, so that they cost microseconds a document and can always run. A check states a fact about
rows; what a failed one means to a run is the assets' business.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from indx_core.contracts.capability import EmbeddingSpace
from indx_core.contracts.page import PageStatus

if TYPE_CHECKING:
    import pyarrow as pa

PAGES_CONSERVED = "pages_conserved"
PAGES_READABLE = "pages_readable"
BOX_OR_REASON = "box_or_reason"
VECTORS_VALID = "vectors_valid"

NORM_TOLERANCE = 1e-3
"""float32 vectors of up to 4,096 dimensions stay within it after normalisation."""


@dataclass(frozen=True, slots=True)
class Check:
    """One check of one document's rows; ``message`` says what was found when it did not pass."""

    name: str
    passed: bool
    message: str = ""


def pages_conserved(pages: "pa.Table", observed: int) -> Check:
    """Pages observed = completed + failed + unreadable, each exactly once and in order."""
    numbers = pages.column("page").to_pylist()
    known = {status.value for status in PageStatus}
    stray = sorted(set(pages.column("status").to_pylist()) - known)
    passed = numbers == list(range(1, observed + 1)) and not stray
    return Check(PAGES_CONSERVED, passed, "" if passed else f"{observed} pages observed, {len(numbers)} accounted for")


def pages_readable(pages: "pa.Table") -> Check:
    """No page waits for a person."""
    import pyarrow.compute as pc

    waiting = pages.filter(pc.not_equal(pages.column("status"), PageStatus.COMPLETED.value))
    numbers = waiting.column("page").to_pylist()
    shown = ", ".join(map(str, numbers[:20])) + (" …" if len(numbers) > 20 else "")
    return Check(PAGES_READABLE, not numbers, f"pages {shown} could not be read" if numbers else "")


def box_or_reason(chunks: "pa.Table | None") -> Check:
    """Every chunk has a box inside the page or the reason it has none, never both and never neither."""
    import pyarrow.compute as pc

    if chunks is None:
        return Check(BOX_OR_REASON, passed=True)
    x0, y0, x1, y1 = (chunks.column(edge) for edge in ("x0", "y0", "x1", "y1"))
    boxed, reasoned = pc.is_valid(x0), pc.is_valid(chunks.column("bbox_reason"))
    inside = pc.and_(
        pc.and_(pc.and_(pc.greater_equal(x0, 0), pc.less_equal(x0, x1)), pc.less_equal(x1, 1)),
        pc.and_(pc.and_(pc.greater_equal(y0, 0), pc.less_equal(y0, y1)), pc.less_equal(y1, 1)),
    )
    good = pc.and_(pc.xor(boxed, reasoned), pc.fill_null(inside, True))  # noqa: FBT003 - Arrow's own signature
    bad = chunks.filter(pc.invert(good)).column("chunk_id").to_pylist()
    return Check(BOX_OR_REASON, not bad, f"{len(bad)} chunks, first {bad[0]}" if bad else "")


def vectors_valid(tables: "Sequence[tuple[EmbeddingSpace, pa.Table | None]]") -> Check:
    """Every vector is finite, of its space's dimension, and of norm 1 where the space is normalised."""
    import numpy as np

    for space, table in tables:
        if table is None:
            continue
        width = table.schema.field("vector").type.list_size
        flat = table.column("vector").combine_chunks().flatten().to_numpy(zero_copy_only=False)
        vectors = flat.reshape(-1, width)
        if width != space.dimension:
            return Check(
                VECTORS_VALID, passed=False, message=f"{space.id}: {width} dimensions, declared {space.dimension}"
            )
        if not np.isfinite(vectors).all():
            return Check(VECTORS_VALID, passed=False, message=f"{space.id}: a vector is not finite")
        off = np.abs(np.linalg.norm(vectors, axis=1) - 1) > NORM_TOLERANCE
        if space.normalization == "l2" and off.any():
            return _invalid(space, f"{int(off.sum())} vectors are not of norm 1")
    return Check(VECTORS_VALID, passed=True)


def _invalid(space: EmbeddingSpace, message: str) -> Check:
    return Check(VECTORS_VALID, passed=False, message=f"{space.id}: {message}")
