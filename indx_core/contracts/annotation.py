"""What annotations are asked and what they answer: labels, entity spans, enrichments, languages.

One id namespace over all eight annotation ports. Offsets are character offsets into the annotated text.
"""

from indx_core.contracts.base import Contract

RESERVED_METADATA_KEYS = frozenset(
    {"languages", "classification", "chunk_classification", "entities", "enrichment", "chunk_enrichment"}
)
"""Keys the executor writes; a caller's metadata that uses one is refused, since it would be silently replaced."""


class AnnotationSelection(Contract):
    """Installed ids per unit, asked in the order given. Nothing runs that is not named."""

    document_ids: tuple[str, ...] = ()
    page_ids: tuple[str, ...] = ()
    chunk_ids: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether nothing is named."""
        return not (self.document_ids or self.page_ids or self.chunk_ids)


class ExtractionSelection(Contract):
    """The same for entity extractors, which have no document level: pages already tile a document without gaps."""

    page_ids: tuple[str, ...] = ()
    chunk_ids: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether nothing is named."""
        return not (self.page_ids or self.chunk_ids)


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
