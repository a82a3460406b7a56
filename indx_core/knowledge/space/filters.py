"""What a hit must be: by folder, type, language, label, entity and date, out of what the space says of a chunk.

Knows no score.
"""

from dataclasses import dataclass
from typing import Any

from indx_core.contracts.knowledge import Chunk, Document


@dataclass(frozen=True, slots=True)
class SpaceFilters:
    """Conditions that all have to hold; an empty one admits everything.

    Attributes:
        folder: Folder below the root; its subfolders count.
        types: Types of document.
        languages: Main language of the document, ISO 639-1.
        labels: Labels a classifier gave the document, the page or the chunk, on any facet.
        entities: Names that stand in the chunk, as printed or in their canonical form; any of them suffices.
        since: First date admitted, ``2024-04-01`` or a beginning of it; documents that declare none are left out.
        until: Last date admitted, in the same form: ``2024`` admits all of the year.
    """

    folder: str = ""
    types: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    since: str = ""
    until: str = ""

    def admits_document(self, document: Document) -> bool:
        """Whether a document passes what is asked of documents."""
        folder = self.folder.strip("/")
        return (
            (not folder or document.folder == folder or document.folder.startswith(f"{folder}/"))
            and (not self.types or document.type in self.types)
            and (not self.languages or document.metadata.get("language") in self.languages)
            and self._dated(document.metadata.get("date"))
        )

    def admits_chunk(self, chunk: Chunk, document: Document) -> bool:
        """Whether a chunk of a document that passed does, too."""
        return self._labelled(chunk.metadata, document.metadata) and self._named(chunk.metadata)

    def _dated(self, date: str | None) -> bool:
        if not self.since and not self.until:
            return True
        return bool(date) and self.since <= str(date) and (not self.until or str(date)[: len(self.until)] <= self.until)

    def _labelled(self, *metadata: dict[str, Any]) -> bool:
        if not self.labels:
            return True
        given = {label for each in metadata for label in each.get("labels", {}).values()}
        return not given.isdisjoint(self.labels)

    def _named(self, metadata: dict[str, Any]) -> bool:
        if not self.entities:
            return True
        names = {name for found in metadata.get("entities", {}).values() for name in found}
        return not names.isdisjoint(self.entities)
