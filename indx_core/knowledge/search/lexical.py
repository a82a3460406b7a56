"""Inverted indexes: where each term stands, as five arrays that are stored and memory-mapped as they are.

Does not cut texts into terms (``terms.py``), weigh them (``words.py``) or mix scores (``fusion.py``).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np  # noqa: TID253 - this module is imported when something is searched, never before
import numpy.typing as npt  # noqa: TID253 - as above

from indx_core.knowledge.search.terms import Terms, cut

_BATCH = 4096  # texts cut at a time: the arrays of a batch take some 100 MB at 500 characters a text
_OWNER_BITS = 24
"""A term of 40 bits and the text it stands in make one sortable number; hence at most 2**24 texts an index."""


@dataclass(frozen=True, slots=True, eq=False)
class LexicalIndex:
    """An inverted index of at most 16,777,216 texts.

    Attributes:
        terms: uint64, ascending, all distinct.
        offsets: int64, one more than terms: the postings of term ``n`` are ``offsets[n]`` to ``offsets[n + 1]``.
        owners: int32, of each posting: the text it stands in, ascending within a term.
        frequencies: uint16, of each posting: how often, at most 65,535.
        lengths: int32, of each text: its terms, repetitions counted.
    """

    terms: Terms
    offsets: npt.NDArray[np.int64]
    owners: npt.NDArray[np.int32]
    frequencies: npt.NDArray[np.uint16]
    lengths: npt.NDArray[np.int32]

    @classmethod
    def build(cls, texts: Sequence[str]) -> "LexicalIndex":
        """Index texts. The same texts give the same arrays."""
        lengths = np.zeros(len(texts), np.int32)
        parts = [(np.empty(0, np.uint64), np.empty(0, np.int64))]
        for start, found, owner in _batches(texts):
            pairs, counts = np.unique((found << np.uint64(_OWNER_BITS)) | owner.astype(np.uint64), return_counts=True)
            parts.append((pairs, counts))
            lengths[start : start + _BATCH] = np.bincount(owner - start, minlength=min(_BATCH, len(texts) - start))
        pairs = np.concatenate([pairs for pairs, _ in parts])
        frequencies = np.minimum(np.concatenate([counts for _, counts in parts]), 0xFFFF).astype(np.uint16)
        order = np.argsort(pairs, kind="stable")  # sorted runs, which a stable sort merges
        pairs = pairs[order]
        owners = (pairs & np.uint64((1 << _OWNER_BITS) - 1)).astype(np.int32)
        terms, offsets = _grouped(pairs >> np.uint64(_OWNER_BITS))
        return cls(terms, offsets, owners, frequencies[order], lengths)

    @classmethod
    def joined(cls, parts: Sequence["LexicalIndex"]) -> "LexicalIndex":
        """The index of the texts of all parts, one part after the other: what ``build`` makes of them together."""
        if len(parts) == 1:
            return parts[0]
        before = np.cumsum([0, *(len(part.lengths) for part in parts)])
        repeated = np.concatenate([np.repeat(part.terms, np.diff(part.offsets)) for part in parts])
        placed = zip(parts, before.astype(np.int32), strict=False)
        owners = np.concatenate([part.owners + start for part, start in placed]).astype(np.int32, copy=False)
        order = np.argsort(repeated, kind="stable")
        frequencies = np.concatenate([part.frequencies for part in parts])
        lengths = np.concatenate([part.lengths for part in parts])
        terms, offsets = _grouped(repeated[order])
        return cls(terms, offsets, owners[order], frequencies[order], lengths)

    def part(self, first: int, last: int) -> "LexicalIndex":
        """The index of the texts from ``first`` to before ``last``."""
        held = (self.owners >= first) & (self.owners < last)
        terms, offsets = _grouped(np.repeat(self.terms, np.diff(self.offsets))[held])
        owners = self.owners[held] - np.int32(first)
        return LexicalIndex(terms, offsets, owners, self.frequencies[held], self.lengths[first:last])

    def postings(self, term: np.uint64) -> slice:
        """Where a term's postings are; an empty slice for a term that stands nowhere."""
        at = int(np.searchsorted(self.terms, term))
        if at == len(self.terms) or self.terms[at] != term:
            return slice(0, 0)
        return slice(int(self.offsets[at]), int(self.offsets[at + 1]))

    def fits(self, texts: int) -> bool:
        """Whether the arrays belong together and name texts of so many alone: what is asked of one that was read."""
        terms, offsets, owners = self.terms, self.offsets, self.owners
        if len(offsets) != len(terms) + 1 or len(self.lengths) != texts or len(self.frequencies) != len(owners):
            return False
        ordered = offsets[0] == 0 and offsets[-1] == len(owners) and np.all(np.diff(offsets) > 0)
        within = not len(owners) or (owners.min() >= 0 and owners.max() < texts)
        return bool(ordered and within and np.all(terms[1:] > terms[:-1]))


def _batches(texts: Sequence[str]) -> Iterator[tuple[int, Terms, npt.NDArray[np.int64]]]:
    for start in range(0, len(texts), _BATCH):
        terms, owners = cut(texts[start : start + _BATCH])
        yield start, terms, owners + start


def _grouped(terms: Terms) -> tuple[Terms, npt.NDArray[np.int64]]:
    """The distinct terms of an ascending array, and where each one's run begins, closed by the array's length."""
    if not len(terms):
        return terms, np.zeros(1, np.int64)
    first = np.flatnonzero(np.concatenate([[True], terms[1:] != terms[:-1]]))
    return terms[first], np.append(first, len(terms)).astype(np.int64)
