"""References: each mention in a chunk that the directory knows, as an edge with its evidence and weight.

Weights say how sure the reading is, not how strong the tie. Holds neither the patterns nor the look-ups.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple
from urllib.parse import unquote

from indx_core.contracts.knowledge import Relation, RelationType
from indx_core.knowledge.relations import mentions
from indx_core.knowledge.relations.directory import Directory, normal
from indx_core.knowledge.relations.documents import PageLink, RelatedDocument
from indx_core.knowledge.relations.places import Places

LINK, PATH, NAME, TITLE, POINTED, ATTACHMENT = 1.0, 0.95, 0.9, 0.8, 0.75, 0.7
"""Weights by kind of mention."""
_EVIDENCE = 160  # characters of the mention that are kept
_WORDS = 60  # characters of a link's words that are kept
_PLACED = 2000  # links of a document whose chunk is looked for: a made-up worksheet may have a million


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
        clicked = _clicked(document, directory)
        graph += [_edge(each, document.id, each.target.id) for each in _strongest(clicked.pop("", ()))]
        for passage in document.passages:
            written = (each for each in _found(passage.text, document, directory) if each.target.id != document.id)
            found = _strongest((*clicked.get(passage.chunk_id, ()), *written))
            if found:
                chunks[passage.chunk_id] = [_edge(each, None, each.target.path) for each in found]
                graph += [_edge(each, document.id, each.target.id) for each in found]
    return graph, chunks


def _clicked(document: RelatedDocument, directory: Directory) -> dict[str, list[_Mention]]:
    """Mentions by links beside the text, by the chunk they stand in; those that stand in none under the empty id."""
    if not document.links:
        return {}
    by_chunk: dict[str, list[_Mention]] = {}
    places = Places(document.passages)
    for number, each in enumerate(document.links):
        spellings = dict.fromkeys((unquote(each.link.target), mentions.address(each.link.target)))
        mention = next(_linked(spellings, document, directory), None)
        if mention and mention.target.id != document.id:
            chunk_id = places.of(each) if number < _PLACED else ""
            by_chunk.setdefault(chunk_id, []).append(mention._replace(evidence=_evidence(each)))
    return by_chunk


def _evidence(each: PageLink) -> str:
    """``link “the rule” on page 3: ../legal/gdpr.docx``."""
    words = f" “{each.link.text[:_WORDS]}”" if each.link.text else ""
    page = f" on page {each.page}" if each.page else ""
    return f"link{words}{page}: {unquote(each.link.target)}"


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


def _linked(targets: Iterable[str], source: RelatedDocument, directory: Directory) -> Iterator[_Mention]:
    for link in targets:
        if (target := directory.link(link, source)) is not None:
            yield _Mention(target, LINK, f"link: {link}")
        elif (target := directory.link_elsewhere(link)) is not None:
            yield _Mention(target, PATH, f"link: {link}")


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


def _strongest(found: Iterable[_Mention]) -> list[_Mention]:
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
