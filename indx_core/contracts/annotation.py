"""What annotations are asked and what they answer: labels, entity spans, enrichments, languages.

One id namespace over all eight annotation ports. Offsets are character offsets into the annotated text.
"""

from collections.abc import Iterator
from typing import Annotated

from pydantic import StringConstraints

from indx_core.contracts.base import Contract

RESERVED_METADATA_KEYS = frozenset(
    {
        "languages",
        "declared_language",
        "classification",
        "chunk_classification",
        "entities",
        "enrichment",
        "chunk_enrichment",
    }
)
"""Keys the executor writes; a caller's metadata that uses one is refused, since it would be silently replaced."""


Named = tuple[str, str, str]
"""Where in a selection an id is named (``page_ids``), the unit it is for (``page``), and the id."""


class AnnotationSelection(Contract):
    """Installed ids per unit, asked in the order given. Nothing runs that is not named.

    Attributes:
        document_ids: Asked about the document as a whole.
        page_ids: Asked about every page that was read.
        chunk_ids: Asked about every chunk.
    """

    document_ids: tuple[str, ...] = ()
    page_ids: tuple[str, ...] = ()
    chunk_ids: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether nothing is named."""
        return not (self.document_ids or self.page_ids or self.chunk_ids)

    def named(self) -> Iterator[Named]:
        """Every id, with its place and its unit."""
        units = {"document": self.document_ids, "page": self.page_ids, "chunk": self.chunk_ids}
        yield from ((f"{unit}_ids", unit, each) for unit, ids in units.items() for each in ids)


Language = Annotated[str, StringConstraints(pattern="^[a-z]{2}$")]
"""A language of ISO 639-1, such as ``ja``."""


class ExtractionSelection(Contract):
    """The same for entity extractors, which have no document level: pages already tile a document without gaps.

    A page whose language is named in ``page_ids_by_language`` is given to the ids there and to no others. The language
    is the first one detected on the page; a page without one (too short, unread) or with one that is not named is given
    to ``page_ids``. A chunk follows its page, through ``chunk_ids_by_language`` and ``chunk_ids``.

    Attributes:
        page_ids: Asked about pages whose language names nobody else.
        chunk_ids: Asked about chunks of such pages.
        page_ids_by_language: Asked about pages of a language, ISO 639-1.
        chunk_ids_by_language: Asked about chunks of pages of a language.
    """

    page_ids: tuple[str, ...] = ()
    chunk_ids: tuple[str, ...] = ()
    page_ids_by_language: dict[Language, tuple[str, ...]] = {}
    chunk_ids_by_language: dict[Language, tuple[str, ...]] = {}

    def __hash__(self) -> int:
        """By the ids alone: mappings have no hash, and options of a corpus are keys."""
        return hash((self.page_ids, self.chunk_ids, tuple(self.named())))

    @property
    def empty(self) -> bool:
        """Whether nothing is named."""
        return not any(True for _ in self.named())

    @property
    def by_language(self) -> bool:
        """Whether who is asked depends on a page's language."""
        return bool(self.page_ids_by_language or self.chunk_ids_by_language)

    def ids(self, unit: str, language: str | None) -> tuple[str, ...]:
        """Who is asked about a ``page`` of a language, or a ``chunk`` on it; ``None``: no language was detected."""
        if unit == "page":
            return self.page_ids_by_language.get(language or "", self.page_ids)
        return self.chunk_ids_by_language.get(language or "", self.chunk_ids)

    def named(self) -> Iterator[Named]:
        """Every id, with its place and its unit."""
        for unit, ids, by_language in (
            ("page", self.page_ids, self.page_ids_by_language),
            ("chunk", self.chunk_ids, self.chunk_ids_by_language),
        ):
            yield from ((f"{unit}_ids", unit, each) for each in ids)
            for language, lanes in sorted(by_language.items()):
                yield from ((f"{unit}_ids_by_language.{language}", unit, each) for each in lanes)

    def mapped_languages(self) -> Iterator[tuple[str, str]]:
        """Every language that lanes are named for, with the field they are named in."""
        yield from (("page_ids_by_language", language) for language in sorted(self.page_ids_by_language))
        yield from (("chunk_ids_by_language", language) for language in sorted(self.chunk_ids_by_language))


class Label(Contract):
    """One label of a facet, or a tag. ``confidence`` is 0-1 and the annotator's own."""

    label: str
    confidence: float


class LanguageScore(Contract):
    """A language (ISO 639-1) and how sure the detector is, 0-1, rounded to 6 digits so that outputs are byte-stable."""

    language: str
    confidence: float


class EntitySpan(Contract):
    """A name found in a text. ``text[start:end] == surface`` holds for every lane.

    Attributes:
        label: What it names: ``person``, ``organization``, ``date``, …
        surface: The characters as they stand.
        start: First character (not byte) in the annotated text.
        end: One past the last.
        confidence: 0-1.
        normalized: A canonical value beside the printed form (``2026-03-31``, ``JPY 1200``), where the lane has one.
    """

    label: str
    surface: str
    start: int
    end: int
    confidence: float
    normalized: str | None = None


class Enrichment(Contract):
    """A summary in the text's own language and tags the enricher coined; each part optional."""

    summary: str | None = None
    tags: tuple[Label, ...] = ()
