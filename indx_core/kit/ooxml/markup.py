"""Markup every Office vocabulary shares: alternate content, booleans, bounded integers.

Does not hold anything of a single vocabulary.
"""

from collections.abc import Iterator

from indx_core.kit.ooxml.xml import Element


def children(parent: Element) -> Iterator[Element]:
    """Children with every ``mc:AlternateContent`` replaced by one of its branches, so that nothing is read twice.

    The first choice that holds anything wins: it is what a current Office shows, while the fallback repeats its text
    for older ones (or is a mere picture of it).
    """
    for child in parent:
        if child.tag == "mc:AlternateContent":
            yield from _branch(child)
        else:
            yield child


def descend(parent: Element) -> Iterator[Element]:
    """All descendants in document order, alternate content resolved as in ``children``."""
    for child in children(parent):
        yield child
        yield from descend(child)


def find(parent: Element | None, *path: str) -> Element | None:
    """The element down a path of tags, the first of each; ``None`` as soon as one is missing."""
    found = parent
    for tag in path:
        if found is None:
            return None
        found = found.find(tag)
    return found


def is_on(value: str | None, *, default: bool = False) -> bool:
    """An ``xsd:boolean`` or ``ST_OnOff`` as written: ``1``, ``true``, ``on``."""
    if value is None:
        return default
    return value.strip().lower() in {"1", "true", "on"}


def toggled(element: Element | None) -> bool:
    """Whether a Word toggle (``w:vanish``, ``w:titlePg``) is on: its mere presence is, ``w:val="0"`` is not."""
    return element is not None and is_on(element.get("w:val"), default=True)


def whole(value: str | None, default: int, *, low: int, high: int) -> int:
    """An integer attribute kept within bounds; ``default`` when absent or no number. Hostile files write 10**20."""
    try:
        return min(max(int(value or ""), low), high)
    except ValueError:
        return default


def _branch(alternate: Element) -> Iterator[Element]:
    choices = [branch for branch in alternate if branch.tag == "mc:Choice" and len(branch)]
    branches = choices or [branch for branch in alternate if branch.tag == "mc:Fallback"]
    if branches:
        yield from children(branches[0])
