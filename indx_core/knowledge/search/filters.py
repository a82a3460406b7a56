"""What a hit must be: by corpus, folder, document, type, language, label, entity and date.

One vocabulary for the lake and for spaces. Knows no score and no table.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from unicodedata import normalize

from indx_core.contracts.errors import RequestInvalid

_DATE = re.compile(r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?")


@dataclass(frozen=True, slots=True)
class SearchFilters:
    """Conditions that all have to hold; an empty one admits everything. Of several values, any suffices.

    Attributes:
        corpora: Names of corpora.
        folder: Folder below the corpus's root; its subfolders count.
        documents: Paths below the root, or source keys.
        types: Types of document: the label a classifier gave, else the media type's short name, such as ``pdf``.
        media_types: Media types, exactly.
        languages: Main language of the document, ISO 639-1.
        labels: Labels a classifier gave the document, the page or the chunk, on any facet.
        entities: Names that stand in the chunk, as printed or in their canonical form.
        since: First date admitted, ``2024-04-01`` or a beginning of it; documents that declare none are left out.
        until: Last date admitted, in the same form: ``2024`` admits all of the year.
    """

    corpora: tuple[str, ...] = ()
    folder: str = ""
    documents: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    media_types: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    since: str = ""
    until: str = ""

    def __post_init__(self) -> None:
        """Take values as they are stored: paths are NFC, which a name that a Mac's shell completed is not.

        Raises:
            RequestInvalid: ``since`` or ``until`` is no date: compared as text, it would leave out documents silently.
        """
        for name, date in (("since", self.since), ("until", self.until)):
            if date and not _DATE.fullmatch(date):
                raise RequestInvalid(
                    f"{name}: {date[:40]!r} is no date such as 2024, 2024-04 or 2024-04-01", param=name
                )
        stored = {
            "folder": normalize("NFC", self.folder),
            "documents": tuple(normalize("NFC", each) for each in self.documents),
            "languages": tuple(each.lower() for each in self.languages),
            "media_types": tuple(each.lower() for each in self.media_types),
        }
        for name, value in stored.items():
            object.__setattr__(self, name, value)

    def admits(self, document: "Described") -> bool:
        """Whether a document passes what is asked of documents; labels and names are asked of its chunks."""
        return (
            (not self.corpora or document.corpus in self.corpora)
            and self._below(document.path)
            and (not self.documents or document.path in self.documents or document.key in self.documents)
            and (not self.types or document.type in self.types)
            and (not self.media_types or document.media_type in self.media_types)
            and (not self.languages or document.language in self.languages)
            and self._dated(document.date)
        )

    def labelled(self, labels: Iterable[str]) -> bool:
        """Whether labels of a chunk or its document are among those asked for."""
        return not self.labels or not set(self.labels).isdisjoint(labels)

    def named(self, entities: Iterable[str]) -> bool:
        """Whether names of a chunk are among those asked for."""
        return not self.entities or not set(self.entities).isdisjoint(entities)

    def _below(self, path: str) -> bool:
        folder = self.folder.strip("/")
        return not folder or path.startswith(f"{folder}/")

    def _dated(self, date: str | None) -> bool:
        if not self.since and not self.until:
            return True
        return bool(date) and self.since <= str(date) and (not self.until or str(date)[: len(self.until)] <= self.until)


@dataclass(frozen=True, slots=True)
class Described:
    """What filters ask of a document. ``None`` where it is not known, which no filter on it admits."""

    key: str
    corpus: str | None
    path: str
    type: str
    media_type: str | None
    language: str | None
    date: str | None
