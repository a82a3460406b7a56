"""What annotators said of a document and its blocks, as the fields of a space's documents and chunks.

One reading of it, whether it comes out of the lake or straight from the annotators. Holds no table and asks nobody.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from indx_core.kit.short_names import short_name

WHOLE = "document"
"""Block id of annotations of the whole document."""
TYPE_FACET = "document_type"
TOPIC_FACETS = ("topic", "topics")


class Name(NamedTuple):
    """What a text names: the kind of it, the characters as they stand, and their canonical form where there is one."""

    label: str
    surface: str
    normalized: str | None


@dataclass(slots=True)
class Annotated:
    """Annotations by block id: ``document``, ``page:2``, ``page:2/chunk:9``.

    Attributes:
        languages: Languages of the whole document with their confidence.
        labels: The winning label by facet.
        names: Each once, in the order found.
        summaries: One a block.
        tags: In the order coined.
    """

    languages: dict[str, float] = field(default_factory=dict)
    labels: dict[str, dict[str, str]] = field(default_factory=dict)
    names: dict[str, dict[Name, None]] = field(default_factory=dict)
    summaries: dict[str, str] = field(default_factory=dict)
    tags: dict[str, list[str]] = field(default_factory=dict)

    def say(self, language: str, confidence: float) -> None:
        """Note a language of the whole document. Several may say so, the format among them: the surest counts."""
        self.languages[language] = max(confidence, self.languages.get(language, 0.0))

    def document(self, media_type: str) -> dict[str, Any]:
        """Type, topics, tags and summary of the document. The type is its label, else the media type's short name."""
        labels = self.labels.get(WHOLE, {})
        return {
            "type": labels.get(TYPE_FACET) or short_name(media_type),
            "topics": _topics(labels),
            "tags": self.tags.get(WHOLE, []),
            "summary": self.summaries.get(WHOLE),
        }

    def document_metadata(self) -> dict[str, Any]:
        """Main language and labels, where there are any."""
        language = max(self.languages, key=self.languages.__getitem__, default=None)
        return given(language=language, labels=self.labels.get(WHOLE))

    def chunk_metadata(self, block: str, page: int, text: str) -> dict[str, Any]:
        """Topics, tags, summary, labels and names of a chunk; what its page was found to be or to name counts."""
        above = f"page:{page}"
        labels = {**self.labels.get(above, {}), **self.labels.get(block, {})}
        return given(
            topics=_topics(labels),
            tags=self.tags.get(block),
            summary=self.summaries.get(block),
            labels=labels,
            entities=self._named((block, above, WHOLE), text),
        )

    def _named(self, blocks: tuple[str, ...], text: str) -> dict[str, list[str]]:
        """Names of these blocks that stand in the text, as printed and in canonical form, by label."""
        found: dict[str, set[str]] = {}
        for block in blocks:
            for name in self.names.get(block, ()):
                if name.surface in text:
                    found.setdefault(name.label, set()).update(filter(None, name[1:]))
        return {label: sorted(names) for label, names in sorted(found.items())}


def given(**values: Any) -> dict[str, Any]:
    """The values that say something: an absent summary is no key."""
    return {name: value for name, value in values.items() if value not in (None, {}, [])}


def _topics(labels: Mapping[str, str]) -> list[str]:
    return [labels[facet] for facet in TOPIC_FACETS if facet in labels]
