"""References: each mention in a chunk that the directory knows, as an edge with its evidence and weight.

Weights say how sure the reading is, not how strong the tie. Holds neither the patterns nor the look-ups.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from indx_core.contracts.knowledge import Relation, RelationType
from indx_core.knowledge.relations import mentions
from indx_core.knowledge.relations.directory import Directory, normal
from indx_core.knowledge.relations.documents import RelatedDocument

LINK, PATH, NAME, TITLE, POINTED, ATTACHMENT = 1.0, 0.95, 0.9, 0.8, 0.75, 0.7
"""Weights by kind of mention."""
_EVIDENCE = 80  # characters of the mention that are kept


class _Mention(NamedTuple):
    target: RelatedDocument
    weight: float
    evidence: str


def references(documents: Sequence[RelatedDocument]) -> tuple[list[Relation], dict[str, list[Relation]]]:
    """References from documents to documents by id, and from chunks to documents by path."""
    directory = Directory(documents)
    graph: list[Relation] = []
    chunks: dict[str, list[Relation]] = {}
    for document in documents:
        for link in document.links:
            graph += [
                _edge(each, document.id, each.target.id) for each in _strongest(_linked([link], document, directory))
            ]
        for chunk_id, text in document.passages:
            found = _strongest(each for each in _found(text, document, directory) if each.target.id != document.id)
            if found:
                chunks[chunk_id] = [_edge(each, None, each.target.path) for each in found]
                graph += [_edge(each, document.id, each.target.id) for each in found]
    return graph, chunks


def _found(text: str, source: RelatedDocument, directory: Directory) -> Iterator[_Mention]:
    text = normal(text)
    yield from _linked(mentions.links(text), source, directory)
    text = mentions.without_links(text)
    for candidates in mentions.file_names(text, directory.extension):
        yield from _named(candidates, source, directory)
    for title in mentions.quoted(text):
        target = directory.title(title, source)
        if target is not None:
            yield _Mention(target, TITLE, f"title: {title}")
    for candidates in mentions.pointed_at(text):
        yield from _titled(candidates, source, directory)
    for printed, label in mentions.attachments(text):
        target = directory.label(label, source)
        if target is not None:
            yield _Mention(target, ATTACHMENT, f"attachment: {printed}")


def _linked(targets: "Iterator[str] | list[str]", source: RelatedDocument, directory: Directory) -> Iterator[_Mention]:
    for link in targets:
        target = directory.link(link, source)
        if target is not None:
            yield _Mention(target, LINK, f"link: {link}")


def _named(candidates: Sequence[str], source: RelatedDocument, directory: Directory) -> Iterator[_Mention]:
    """The longest candidate that is a path or a file name."""
    for candidate in candidates:
        if (target := directory.path(candidate)) is not None:
            yield _Mention(target, PATH, f"path: {candidate}")
            return
        if (target := directory.name(candidate, source)) is not None:
            yield _Mention(target, NAME, f"file name: {candidate}")
            return


def _titled(candidates: Sequence[str], source: RelatedDocument, directory: Directory) -> Iterator[_Mention]:
    """The longest candidate that is a title."""
    for candidate in candidates:
        target = directory.title(candidate, source)
        if target is not None:
            yield _Mention(target, POINTED, f"mention: {candidate.strip()}")
            return


def _strongest(found: Iterator[_Mention]) -> list[_Mention]:
    """One mention per target, the surest; in the order they stand."""
    best: dict[str, _Mention] = {}
    for each in found:
        if each.weight > best.setdefault(each.target.id, each).weight:
            best[each.target.id] = each
    return list(best.values())


def _edge(mention: _Mention, source: str | None, to: str) -> Relation:
    evidence = mention.evidence
    if len(evidence) > _EVIDENCE:
        evidence = evidence[: _EVIDENCE - 1] + "…"
    return Relation(type=RelationType.REFERENCES, from_id=source, to=to, weight=mention.weight, evidence=evidence)
