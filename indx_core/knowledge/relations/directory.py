"""The directory of a corpus: which document a link, a path, a file name, a title or a label means.

Built once; every question is a look-up. A name that several documents bear means the one nearest in the tree, and none
where two are equally near: a wrong edge is worse than a missing one. Reads no text.
"""

import posixpath
import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from urllib.parse import unquote

from indx_core.knowledge.relations.documents import RelatedDocument
from indx_core.knowledge.relations.mentions import Label, own_label

_SHORTEST_TITLE = 3
"""Characters a title needs to be looked for: two are a word of everyday use."""


_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):")
"""A scheme has two letters or more: ``C:`` is a drive."""
_ELSEWHERE = re.compile(r"file:|[A-Za-z]:[/\\]|[/\\]{2}", re.IGNORECASE)
"""How the address of a file begins that is not told from where the link stands: with a drive, or with a server."""


class Directory:
    """Documents by everything that may name them."""

    def __init__(self, documents: Sequence[RelatedDocument]) -> None:
        self._by_uri: dict[str, RelatedDocument] = {}
        self._by_path: dict[str, RelatedDocument] = {}
        self._by_name: dict[str, list[RelatedDocument]] = {}
        self._by_title: dict[str, list[RelatedDocument]] = {}
        self._by_label: dict[tuple[str, str], list[tuple[str, RelatedDocument]]] = {}
        for document in documents:
            self._add(document)
        extensions = {_extension(document) for document in documents} - {""}
        alternatives = "|".join(sorted(map(re.escape, extensions), key=lambda each: (-len(each), each)))
        self.extension = re.compile(rf"\.(?:{alternatives or '(?!)'})(?![A-Za-z0-9])", re.IGNORECASE)
        """Matches the end of a file name of the corpus."""

    def link(self, target: str, source: RelatedDocument) -> RelatedDocument | None:
        """The document a link leads to: an address as it was loaded, or a path beside the source or from the root."""
        if (loaded := self._by_uri.get(_address(target))) is not None:
            return loaded
        path = file_path(target)
        if path is None:
            return None
        relative = posixpath.normpath(posixpath.join(source.folder, path))
        return self._by_path.get(_name(relative)) or self._by_path.get(_name(path.lstrip("/")))

    def link_elsewhere(self, target: str) -> RelatedDocument | None:
        """The document of a link into some machine's files: the longest end of its path that is one, a folder in it.

        ``C:/Users/mori/rules/legal/gdpr.docx`` meant ``legal/gdpr.docx`` before the folder ``rules`` came to be read.
        """
        path = file_path(target)
        if path is None or not _ELSEWHERE.match(target):
            return None
        segments = path.split("/")
        ends = ("/".join(segments[at:]) for at in range(1, len(segments) - 1))
        return next(filter(None, (self._by_path.get(_name(end)) for end in ends)), None)

    def path(self, candidate: str) -> RelatedDocument | None:
        """The document at a path below the root that has a folder in it."""
        return self._by_path.get(_name(candidate.replace("\\", "/"))) if re.search(r"[/\\]", candidate) else None

    def name(self, candidate: str, source: RelatedDocument) -> RelatedDocument | None:
        """The document with a file name."""
        return nearest(self._by_name.get(_name(candidate), ()), source)

    def title(self, candidate: str, source: RelatedDocument) -> RelatedDocument | None:
        """The document with a title, or with a file name without its extension."""
        return nearest(self._by_title.get(_title(candidate), ()), source)

    def label(self, label: Label, source: RelatedDocument) -> RelatedDocument | None:
        """The attachment with this label in the source's folder or the one above, if exactly one is meant."""
        for folder in dict.fromkeys((source.folder, source.folder.rpartition("/")[0])):
            labelled = self._by_label.get((folder, label.kind), [])
            meant = [document for number, document in labelled if label.number in {"", number}]
            if meant:
                return meant[0] if len(meant) == 1 else None
        return None

    def _add(self, document: RelatedDocument) -> None:
        if document.uri:
            self._by_uri.setdefault(_address(document.uri), document)
        self._by_path.setdefault(folded(document.path), document)
        self._by_name.setdefault(folded(document.name), []).append(document)
        for title in dict.fromkeys((_title(document.title), _title(document.stem))):
            if len(title) >= _SHORTEST_TITLE:
                self._by_title.setdefault(title, []).append(document)
        label = own_label(normal(document.stem)) or own_label(normal(document.title))
        if label is not None:
            self._by_label.setdefault((document.folder, label.kind), []).append((label.number, document))


def nearest(candidates: Sequence[RelatedDocument], source: RelatedDocument) -> RelatedDocument | None:
    """The candidate with the most folders in common with the source; ``None`` where two have as many.

    The source itself counts: who writes its own name means itself.
    """
    if len(candidates) < 2:
        return candidates[0] if candidates else None
    shared = [_shared(candidate.folder, source.folder) for candidate in candidates]
    best = max(shared)
    return candidates[shared.index(best)] if shared.count(best) == 1 else None


def file_path(target: str) -> str | None:
    """A link's target as a path, ``/`` between segments; ``None`` where it is an address of another kind.

    What follows ``file:`` may be relative all the same: Excel writes ``file:///Book2.xlsx`` for a file beside its own.
    """
    path = target.replace("\\", "/")
    scheme = _SCHEME.match(path)
    if scheme is None:
        return path
    return path[scheme.end() :].lstrip("/") if scheme[1].casefold() == "file" else None


def normal(text: str) -> str:
    """The form texts are searched in: NFKC."""
    return unicodedata.normalize("NFKC", text)


def folded(text: str) -> str:
    """The form names are compared in: NFKC, case folded."""
    return normal(text).casefold()


@lru_cache(maxsize=1 << 16)  # a text that repeats itself asks for the same candidates over and over
def _name(text: str) -> str:
    return folded(text)


def _address(uri: str) -> str:
    """An address in the form two spellings of it share: ``%E6%B3%95`` and ``法`` are the same."""
    return normal(unquote(uri))


@lru_cache(maxsize=1 << 16)  # as above
def _title(text: str) -> str:
    """A title without white space and outer punctuation, which differ between a mention and the title."""
    return re.sub(r"[\s_]+", "", folded(text)).strip(".,;:、。・()（）[]【】「」『』\"'")


def _extension(document: RelatedDocument) -> str:
    return folded(document.name[len(document.stem) + 1 :])


def _shared(one: str, other: str) -> int:
    count = 0
    for mine, theirs in zip(one.split("/"), other.split("/"), strict=False):
        if mine != theirs:
            break
        count += 1
    return count + (one == other)
