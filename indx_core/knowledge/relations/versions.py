"""Versions of one document, told by their file names: ``規程_v2``, ``report (1)``, 「第3版」, a date, 「最終版」.

A version points at the one before it, as a sibling of one logical group. A date alone is no version (minutes of every
month bear one): such files also have to resemble each other. Reads no text.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from indx_core.contracts.knowledge import Relation, RelationType
from indx_core.knowledge.relations.directory import folded
from indx_core.knowledge.relations.documents import RelatedDocument

if TYPE_CHECKING:
    from indx_core.knowledge.relations.sketch import Sketch

RESEMBLANCE = 0.5
"""What files that differ by a date alone need in common."""

_EDGE = r"[\s_.\-()\[\]【】]*"
_NUMBERED = re.compile(rf"(?<![a-z]){_EDGE}(?:v|ver\.?|version|rev\.?|r)[\s._-]*(\d{{1,4}}(?:\.\d{{1,4}})*){_EDGE}$")
_EDITION = re.compile(rf"{_EDGE}(?:第\s*)?(\d{{1,3}})\s*(?:版|訂){_EDGE}$")
_COPY = re.compile(r"\s*(?:-\s*(?:コピー|copy)\s*)?\((\d{1,3})\)$")
_DATE = re.compile(rf"{_EDGE}((?:19|20)\d{{2}}[-_.]?[01]\d[-_.]?[0-3]\d){_EDGE}$")
_STATES = (
    "旧",
    "old",
    "draft",
    "案",
    "改訂版",
    "改定版",
    "revised",
    "新",
    "new",
    "確定版",
    "最終版",
    "最新版",
    "final",
)
_STATE = re.compile(rf"{_EDGE}({'|'.join(_STATES)}){_EDGE}$")


@dataclass(frozen=True, slots=True)
class _Name:
    """A file name taken apart: what its versions share, and where it stands among them."""

    base: str
    numbers: tuple[int, ...]
    date: str
    state: int
    document: int

    @property
    def marked(self) -> bool:
        return bool(self.numbers) or self.state >= 0

    @property
    def order(self) -> tuple[tuple[int, ...], str, int]:
        return self.numbers, self.date, self.state


def versions(documents: Sequence[RelatedDocument], drawn: "Sequence[Sketch]") -> list[Relation]:
    """An edge from each version to the one before it.

    Args:
        documents: In the order of their ids.
        drawn: Their sketches.
    """
    groups: dict[tuple[str, str], list[_Name]] = {}
    for at, document in enumerate(documents):
        name = _taken_apart(folded(document.stem), at)
        groups.setdefault((document.folder, name.base), []).append(name)
    edges = []
    for members in groups.values():
        for earlier, later in pairwise(sorted(members, key=lambda each: (each.order, each.document))):
            if _follows(earlier, later, drawn):
                edges.append(_edge(documents[later.document], documents[earlier.document]))
    return edges


def _follows(earlier: _Name, later: _Name, drawn: "Sequence[Sketch]") -> bool:
    if earlier.order == later.order:  # the same document in two formats: no later version of itself
        return False
    if earlier.marked or later.marked:
        return True
    return drawn[earlier.document].resemblance(drawn[later.document]) >= RESEMBLANCE


def _taken_apart(stem: str, document: int) -> _Name:
    """Markers taken off the end, one after the other, as long as something is left to bear them."""
    base, date, state = stem, "", -1
    numbers: tuple[int, ...] = ()
    for kind, rest, value in _markers(stem):
        base = rest
        if kind == "numbers" and not numbers:
            numbers = tuple(int(part) for part in value.split("."))
        elif kind == "date" and not date:
            date = re.sub(r"\D", "", value)
        elif kind == "state":
            state = max(state, _STATES.index(value))
    return _Name(base, numbers, date, state, document)


def _markers(stem: str) -> Iterator[tuple[str, str, str]]:
    patterns = (("numbers", _NUMBERED), ("numbers", _EDITION), ("numbers", _COPY), ("date", _DATE), ("state", _STATE))
    while True:
        found = next(((kind, match) for kind, pattern in patterns if (match := pattern.search(stem))), None)
        if found is None or found[1].start() < 2:
            return
        kind, match = found
        stem = stem[: match.start()]
        yield kind, stem, match[1]


def _edge(later: RelatedDocument, earlier: RelatedDocument) -> Relation:
    return Relation(
        type=RelationType.SIBLING,
        from_id=later.id,
        to=earlier.id,
        weight=1.0,
        evidence=f"version: {later.name} after {earlier.name}"[:160],
    )
