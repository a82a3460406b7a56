"""Tags of tokens put together to spans: the schemes BIO, BIOES and BILOU, and labels without a scheme.

Does not run a model.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

_LABELS = {
    "PER": "person",
    "PERSON": "person",
    "PS": "person",
    "ORG": "organization",
    "ORGANISATION": "organization",
    "LOC": "location",
    "GPE": "location",
    "LOCATION": "location",
}
_BEGIN, _ALONE, _LAST = frozenset("BSU"), frozenset("SU"), frozenset("ELSU")


class Tagged(NamedTuple):
    """A token with the tag a model gave it, ``[start, end)`` in characters, and that tag's probability."""

    tag: str
    start: int
    end: int
    score: float


class Span(NamedTuple):
    """An entity: its label, its place, and the mean probability of its tokens."""

    label: str
    start: int
    end: int
    score: float


def spans(tokens: Iterable[Tagged]) -> Iterator[Span]:
    """Join neighbouring tokens of one entity. A continuation that nothing began begins one, as models do write."""
    open_label, members, closed = "", list[Tagged](), False
    for token in tokens:
        prefix, label = _parts(token.tag)
        goes_on = label == open_label and not closed and prefix not in _BEGIN
        if members and not goes_on:
            yield _span(open_label, members)
            members = []
        if label:
            members.append(token)
        open_label, closed = label, prefix in _LAST
    if members:
        yield _span(open_label, members)


def _parts(tag: str) -> tuple[str, str]:
    """Position and label of a tag: ``B-PER`` is ``("B", "person")``, ``O`` is two blanks."""
    prefix, dash, name = tag.partition("-")
    if not dash or len(prefix) != 1:
        prefix, name = "", tag
    label = "" if name.upper() in {"O", ""} else _LABELS.get(name.upper(), name.lower())
    return prefix.upper(), label


def continued(tag: str) -> str:
    """The tag inside an entity that goes on from this one: ``I-PER`` for ``B-PER``; without a scheme, the same."""
    prefix, dash, name = tag.partition("-")
    return f"I-{name}" if dash and prefix in _BEGIN else tag


def _span(label: str, members: list[Tagged]) -> Span:
    mean = sum(token.score for token in members) / len(members)
    return Span(label, members[0].start, members[-1].end, mean)
