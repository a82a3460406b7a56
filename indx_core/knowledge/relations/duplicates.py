"""Duplicates: the same bytes, the same text, nearly the same text. Each copy points at the first of its kind.

Near-duplicates meet in a MinHash index (datasketch's locality-sensitive hash), so no two documents are compared that
share no bucket; a copy is not indexed itself, so a thousand copies of one form are a thousand look-ups, not a million
comparisons. Of those that share one, the likeliest by their signatures are compared.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from indx_core.contracts.knowledge import Relation, RelationType
from indx_core.knowledge.relations.documents import RelatedDocument

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from datasketch import MinHash

    from indx_core.knowledge.relations.sketch import Sketch

THRESHOLD = 0.8
"""Resemblance from which a text is nearly the same: the common choice. An edited word in a hundred stays above."""
SHORTEST_SAME = 20
"""Characters a text needs for being the same to mean anything: ``以上`` alone does not."""
SHORTEST_NEAR = 100
"""Characters a text needs for being nearly the same: two short forms, filled in differently, are no duplicates."""

_BANDS, _ROWS = 25, 5
"""A signature is of a sketch, and sketches resemble each other less than their texts do: J / (2 - J), 0.67 at 0.8.

The chance to share a bucket, 1 - (1 - s ** rows) ** bands, is then 0.97 at a resemblance of 0.8, 0.998 from 0.85 on,
and 0.24 for two forms that have six tenths in common. Rows for 0.7 itself found two thirds of the pairs at 0.85.
"""
_PERMUTATIONS = _BANDS * _ROWS
_COMPARED = 16  # candidates compared per document


def duplicates(documents: Sequence[RelatedDocument], drawn: "Sequence[Sketch]") -> list[Relation]:
    """An edge per copy, to the first document it repeats.

    Args:
        documents: In the order of their ids.
        drawn: Their sketches.
    """
    by_digest: dict[str, int] = {}
    by_text: dict[bytes, int] = {}
    edges, originals = [], []
    for at, (document, sketch) in enumerate(zip(documents, drawn, strict=True)):
        same_bytes = by_digest.setdefault(document.digest, at) if document.digest else at
        same_text = by_text.setdefault(sketch.digest, at) if sketch.length >= SHORTEST_SAME else at
        if same_bytes != at:
            edges.append(_edge(document, documents[same_bytes], 1.0, "same bytes"))
        elif same_text != at:
            edges.append(_edge(document, documents[same_text], 1.0, "same text"))
        elif sketch.length >= SHORTEST_NEAR:
            originals.append(at)
    return edges + [
        _edge(documents[copy], documents[original], round(resemblance, 4), "similar text")
        for copy, original, resemblance in _near(originals, drawn)
    ]


def _near(indexes: Sequence[int], drawn: "Sequence[Sketch]") -> Iterator[tuple[int, int, float]]:
    """Copies with their originals and the resemblance."""
    import numpy as np
    from datasketch import MinHash, MinHashLSH

    empty = MinHash(num_perm=_PERMUTATIONS, hashfunc=_as_it_is)
    index = MinHashLSH(num_perm=_PERMUTATIONS, params=(_BANDS, _ROWS))
    signatures = np.empty((len(indexes), _PERMUTATIONS), np.uint32)
    for row, at in enumerate(indexes):
        signature = _signature(drawn[at], empty)
        signatures[row] = signature.hashvalues
        likeliest = _likeliest(sorted(index.query(signature)), signatures, row)
        scored = [(drawn[at].resemblance(drawn[indexes[each]]), indexes[each]) for each in likeliest]
        resemblance, original = max(scored, key=lambda each: (each[0], -each[1]), default=(0.0, at))
        if resemblance >= THRESHOLD:
            yield at, original, resemblance
        else:
            index.insert(row, signature)


def _likeliest(candidates: list[int], signatures: "npt.NDArray[np.uint32]", row: int) -> list[int]:
    """The rows whose signatures agree most with one; of equals, the first."""
    if len(candidates) <= _COMPARED:
        return candidates
    agreeing = (signatures[candidates] == signatures[row]).sum(axis=1)
    return [candidates[place] for place in (-agreeing).argsort(kind="stable")[:_COMPARED]]


def _signature(sketch: "Sketch", empty: "MinHash") -> "MinHash":
    signature = empty.copy()  # with its permutations, which take as long to draw as the sketch to sign
    signature.update_batch(sketch.hashes.tolist())
    return signature


def _as_it_is(shingle_hash: int) -> int:
    """The sketch holds hashes already."""
    return shingle_hash


def _edge(copy: RelatedDocument, original: RelatedDocument, weight: float, evidence: str) -> Relation:
    return Relation(type=RelationType.DUPLICATE_OF, from_id=copy.id, to=original.id, weight=weight, evidence=evidence)
