"""Fakes of what annotates texts: classifier, extractor, enricher, language detector."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from indx_core.contracts.annotation import Enrichment, EntitySpan, Label, LanguageScore
from indx_core.contracts.capability import AnnotatorDescriptor, Device
from indx_core.ports.classifier import Classified
from indx_core.ports.enricher import Enriched
from indx_core.ports.extractor import Extracted


@dataclass
class FakeClassifier:
    """Answers the same facets for every text that is not blank.

    Attributes:
        facets: Label and confidence by facet.
        error: Raised instead of an answer.
    """

    id: str = "fake-classifier"
    units: tuple[str, ...] = ("document", "page", "chunk")
    facets: Mapping[str, Sequence[tuple[str, float]]] = field(
        default_factory=lambda: {"document_type": [("memo", 0.9)]}
    )
    device: Device = Device.CPU
    cost_usd: float | None = 0.0
    error: Exception | None = None

    @property
    def descriptor(self) -> AnnotatorDescriptor:
        return _annotator(self.id, "classifier", self.units, self.device, tuple(self.facets))

    def classify(self, texts: Sequence[str]) -> list[Classified]:
        if self.error is not None:
            raise self.error
        facets = {
            facet: tuple(Label(label=label, confidence=confidence) for label, confidence in labels)
            for facet, labels in self.facets.items()
        }
        return [Classified(facets if text.strip() else {}, self.cost_usd) for text in texts]


@dataclass
class FakeExtractor:
    """Finds every occurrence of the words it is given.

    Attributes:
        words: Label by word.
        error: Raised instead of an answer.
    """

    id: str = "fake-extractor"
    units: tuple[str, ...] = ("page", "chunk")
    words: Mapping[str, str] = field(default_factory=lambda: {"Acme": "organization"})
    device: Device = Device.CPU
    cost_usd: float | None = 0.0
    error: Exception | None = None

    @property
    def descriptor(self) -> AnnotatorDescriptor:
        return _annotator(self.id, "extractor", self.units, self.device, tuple(sorted(set(self.words.values()))))

    def extract(self, texts: Sequence[str]) -> list[Extracted]:
        if self.error is not None:
            raise self.error
        return [Extracted(tuple(sorted(self._spans(text), key=_start)), self.cost_usd) for text in texts]

    def _spans(self, text: str) -> Iterator[EntitySpan]:
        for word, label in self.words.items():
            start = text.find(word)
            while start >= 0:
                end = start + len(word)
                yield EntitySpan(label=label, surface=word, start=start, end=end, confidence=1.0)
                start = text.find(word, end)


@dataclass
class FakeEnricher:
    """The first word as the summary, and the tags it is given.

    Attributes:
        tags: Tags of every text that is not blank.
        error: Raised instead of an answer.
    """

    id: str = "fake-enricher"
    units: tuple[str, ...] = ("document", "page", "chunk")
    tags: tuple[str, ...] = ()
    device: Device = Device.CPU
    cost_usd: float | None = 0.0
    error: Exception | None = None

    @property
    def descriptor(self) -> AnnotatorDescriptor:
        return _annotator(self.id, "enricher", self.units, self.device, ("summary", "tags"))

    def enrich(self, texts: Sequence[str]) -> list[Enriched]:
        if self.error is not None:
            raise self.error
        return [Enriched(self._parts(text), self.cost_usd) for text in texts]

    def _parts(self, text: str) -> Enrichment:
        words = text.split()
        tags = tuple(Label(label=tag, confidence=1.0) for tag in self.tags)
        return Enrichment(summary=words[0], tags=tags) if words else Enrichment()


@dataclass
class FakeLanguageDetector:
    """Says Japanese where there is a kana, English where there is any other letter.

    Attributes:
        error: Raised instead of an answer.
    """

    id: str = "fake-language"
    distribution: str = "fake-language"
    languages: tuple[str, ...] = ("en", "ja")
    error: Exception | None = None

    def detect(self, texts: Sequence[str]) -> list[tuple[LanguageScore, ...]]:
        if self.error is not None:
            raise self.error
        return [self._scores(text) for text in texts]

    def _scores(self, text: str) -> tuple[LanguageScore, ...]:
        if not any(character.isalpha() for character in text):
            return ()
        kana = any("\u3041" <= character <= "\u30ff" for character in text)
        return (LanguageScore(language="ja" if kana else "en", confidence=0.9),)


def _annotator(
    annotator_id: str, port: str, units: tuple[str, ...], device: Device, provides: tuple[str, ...]
) -> AnnotatorDescriptor:
    return AnnotatorDescriptor(
        id=annotator_id, port=port, units=units, provides=provides, device=device, distribution=annotator_id
    )


def _start(span: EntitySpan) -> int:
    return span.start
