"""A small working fake of every port, scripted from its constructor, and a registry made of them.

Fakes, not mocks: each one satisfies the conformance suite of its port, and a test asserts on what the system did rather
than on what it called. What they hold in memory is public, so a test may look.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from indx_core.contracts.annotation import Enrichment, EntitySpan, Label, LanguageScore
from indx_core.contracts.capability import (
    AnnotatorDescriptor,
    CapabilityDescriptor,
    CapabilityKind,
    Device,
    EmbedderDescriptor,
    EmbedderRole,
    EmbeddingSpace,
    Modality,
)
from indx_core.contracts.errors import InputTooLarge, ModalityUnsupported, SourceUnreadable
from indx_core.contracts.observation import Observation, PageObservation, TextLayer
from indx_core.contracts.page import BoxReason, ChunkPiece, PageOutput, PageStatus
from indx_core.contracts.plan import SignatureMatch
from indx_core.contracts.source import LoadedSource, SourceEntry
from indx_core.kit.registry import Contribution, Registry, build
from indx_core.ports.classifier import Classified
from indx_core.ports.document import OpenDocument
from indx_core.ports.embedder import Embedded
from indx_core.ports.enricher import Enriched
from indx_core.ports.extractor import Extracted
from indx_core.ports.observer import Observed

MEDIA_TYPE = "text/x-fake"
"""A document of the fakes: UTF-8 text whose pages are separated by form feeds, behind the signature ``FAKE:``."""

MAGIC = b"FAKE:"


def fake_document(*pages: str) -> bytes:
    """The bytes of a document that ``FakeObserver`` recognises, with these texts as its pages."""
    return MAGIC + "\f".join(pages).encode()


def fake_registry(*contributions: Contribution) -> Registry:
    """A registry of these contributions; of one fake per reading port when none is given."""
    default = Contribution(
        loaders=(FakeLoader(),), observers=(FakeObserver(),), readers=(FakeReader(),), chunkers=(FakeChunker(),)
    )
    return build((f"fake-{index}", added) for index, added in enumerate(contributions or (default,)))


@dataclass
class FakeLoader:
    """Serves ``memory://`` URIs out of a dictionary, and lists them.

    Attributes:
        objects: Bytes by URI.
        media_types: What the transport declares, by URI.
        error: Raised by every load and listing instead of an answer.
        loads: URIs that were asked for, in order.
    """

    objects: Mapping[str, bytes] = field(default_factory=dict)
    media_types: Mapping[str, str] = field(default_factory=dict)
    error: Exception | None = None
    distribution: str = "fake-loader"
    schemes: tuple[str, ...] = ("memory",)
    loads: list[str] = field(default_factory=list)

    def load(self, uri: str, max_bytes: int | None) -> LoadedSource:
        self.loads.append(uri)
        if self.error is not None:
            raise self.error
        if uri not in self.objects:
            raise SourceUnreadable("nothing is stored under this URI")
        data = self.objects[uri]
        if max_bytes is not None and len(data) > max_bytes:
            raise InputTooLarge(f"the object is larger than {max_bytes} bytes")
        name = uri.rpartition("/")[2]
        return LoadedSource(data, uri, name, self.media_types.get(uri), self.distribution, str(len(data)))

    def list(self, root: str) -> Iterator[SourceEntry]:
        if self.error is not None:
            raise self.error
        prefix = root.rstrip("/") + "/"
        below = sorted(uri for uri in self.objects if uri.startswith(prefix))
        if not below:
            raise SourceUnreadable("nothing is stored below this root")
        for uri in below:
            size = len(self.objects[uri])
            yield SourceEntry(uri, uri.removeprefix(prefix), size, str(size), 0.0)


@dataclass
class FakeObserver:
    """Recognises ``FAKE:`` and states a page per form feed.

    Attributes:
        text_layers: Text layer by page number; present where none is given.
        error: Raised instead of an observation.
    """

    text_layers: Mapping[int, TextLayer] = field(default_factory=dict)
    error: Exception | None = None
    distribution: str = "fake-observer"
    media_types: tuple[str, ...] = (MEDIA_TYPE,)

    def sniff(self, data: bytes) -> str | None:
        return self.media_types[0] if data.startswith(MAGIC) else None

    def observe(self, document: OpenDocument) -> Observed:
        if self.error is not None:
            raise self.error
        numbers = range(1, len(_texts(document)) + 1)
        return Observed(
            tuple(
                PageObservation(number=number, text_layer=self.text_layers.get(number, TextLayer.PRESENT))
                for number in numbers
            )
        )


@dataclass
class FakeReader:
    """Reads the pages of a fake document, each the way the script says.

    Attributes:
        id: Capability id.
        kind: Rung of the ladder.
        device: Where it claims to compute.
        outputs: What it answers by page number, in the place of the page's own text.
        absent: Pages it has no answer for.
        confidence: Its claim for every page it read.
        cost_usd: What it charges per page.
        error: Raised instead of any answer.
        unavailable: Why it cannot run here; ``None`` when it can.
        asked: Pages of every call, in order.
    """

    id: str = "fake-reader"
    kind: CapabilityKind = CapabilityKind.NATIVE
    device: Device = Device.CPU
    media_types: tuple[str, ...] = (MEDIA_TYPE,)
    outputs: Mapping[int, PageOutput] = field(default_factory=dict)
    absent: frozenset[int] = frozenset()
    confidence: float | None = None
    cost_usd: float | None = 0.0
    error: Exception | None = None
    unavailable: str | None = None
    model: str | None = None
    asked: list[tuple[int, ...]] = field(default_factory=list)

    @property
    def descriptor(self) -> CapabilityDescriptor:
        return CapabilityDescriptor(
            id=self.id,
            kind=self.kind,
            media_types=self.media_types,
            device=self.device,
            distribution=f"fake-{self.id}",
            model=self.model,
            available=self.unavailable is None,
            unavailable_reason=self.unavailable,
        )

    def read(self, document: OpenDocument, pages: Sequence[int]) -> Iterator[PageOutput]:
        self.asked.append(tuple(pages))
        if self.error is not None:
            raise self.error
        texts = _texts(document)
        for number in pages:
            if number in self.outputs:
                yield self.outputs[number]
            elif number not in self.absent and number <= len(texts):
                yield PageOutput(number, text=texts[number - 1], confidence=self.confidence, cost_usd=self.cost_usd)

    @classmethod
    def failing(cls, *numbers: int, reason: str = "scripted failure", **script: object) -> "FakeReader":
        """One whose pages of these numbers come back failed; ``script`` sets any other attribute."""
        outputs = {number: PageOutput(number, PageStatus.FAILED, reason=reason) for number in numbers}
        return cls(outputs=outputs, **script)  # type: ignore[arg-type]


@dataclass
class FakeChunker:
    """One chunk per paragraph of a completed page.

    Attributes:
        skips: Pages it has no answer for.
        error: Raised instead of an answer.
    """

    id: str = "fake-chunker"
    distribution: str = "fake-chunker"
    media_types: tuple[str, ...] = ()
    fallback: bool = False
    skips: frozenset[int] = frozenset()
    error: Exception | None = None

    def chunk(self, document: OpenDocument, pages: Sequence[PageOutput]) -> dict[int, list[ChunkPiece]]:  # noqa: ARG002
        if self.error is not None:
            raise self.error
        return {page.number: _paragraphs(page) for page in pages if self._answers(page)}

    def _answers(self, page: PageOutput) -> bool:
        return page.status is PageStatus.COMPLETED and page.number not in self.skips


@dataclass
class FakeEmbedder:
    """Vectors that say what they were made of: the length of the input, made a direction, and the role.

    Attributes:
        dimension: At least 2.
        modalities: What it embeds.
        cost_usd: Per call; ``None`` for unknown.
        error: Raised instead of any vector.
    """

    embedder_id: str = "fake-embedder"
    space_id: str = "fake-space"
    dimension: int = 4
    roles: tuple[EmbedderRole, ...] = (EmbedderRole.DOCUMENT, EmbedderRole.QUERY)
    modalities: tuple[Modality, ...] = (Modality.TEXT,)
    device: Device = Device.CPU
    cost_usd: float | None = 0.0
    error: Exception | None = None
    unavailable: str | None = None

    @property
    def descriptor(self) -> EmbedderDescriptor:
        return EmbedderDescriptor(
            embedder_id=self.embedder_id,
            embedding_space_id=self.space_id,
            roles=self.roles,
            modalities=self.modalities,
            device=self.device,
            distribution=self.embedder_id,
            available=self.unavailable is None,
            unavailable_reason=self.unavailable,
        )

    @property
    def space(self) -> EmbeddingSpace:
        return EmbeddingSpace(id=self.space_id, dimension=self.dimension, embedders=(self.descriptor,))

    def embed_texts(self, texts: Sequence[str], role: EmbedderRole) -> Embedded:
        return self._embed([len(text) for text in texts], Modality.TEXT, role)

    def embed_images(self, images: Sequence[bytes], role: EmbedderRole) -> Embedded:
        return self._embed([len(image) for image in images], Modality.IMAGE, role)

    def _embed(self, lengths: list[int], modality: Modality, role: EmbedderRole) -> Embedded:
        import numpy as np

        if self.error is not None:
            raise self.error
        if modality not in self.modalities:
            raise ModalityUnsupported(f"{self.space_id} embeds no {modality}")
        vectors = np.zeros((len(lengths), self.dimension), dtype=np.float32)
        angles = np.array(lengths, dtype=np.float64) + (role is EmbedderRole.QUERY)
        vectors[:, 0], vectors[:, 1] = np.cos(angles), np.sin(angles)
        return Embedded(vectors, self.cost_usd)


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


@dataclass
class FakeSignature:
    """Matches the whole document, or single pages, when a word stands in the bytes.

    Attributes:
        word: What it looks for.
        scopes: Scopes it reports a match for.
        capability_id: The parser it nominates.
    """

    name: str = "fake-signature"
    distribution: str = "fake-signature"
    media_types: tuple[str, ...] = ()
    capability_id: str = "fake-parser"
    word: str = "INVOICE"
    scopes: tuple[str, ...] = ("document",)
    confidence: float = 1.0

    def detect(self, document: OpenDocument, observation: Observation) -> list[SignatureMatch]:  # noqa: ARG002
        if self.word.encode() not in document.data:
            return []
        return [
            SignatureMatch(
                signature=self.name,
                scope=scope,
                evidence=(self.word,),
                nominated_capability_id=self.capability_id,
                confidence=self.confidence,
            )
            for scope in self.scopes
        ]


def _texts(document: OpenDocument) -> list[str]:
    return document.data.removeprefix(MAGIC).decode("utf-8", "replace").split("\f")


def _paragraphs(page: PageOutput) -> list[ChunkPiece]:
    return [ChunkPiece(part, reason=BoxReason.NO_GEOMETRY) for part in page.text.split("\n\n") if part.strip()]


def _annotator(
    annotator_id: str, port: str, units: tuple[str, ...], device: Device, provides: tuple[str, ...]
) -> AnnotatorDescriptor:
    return AnnotatorDescriptor(
        id=annotator_id, port=port, units=units, provides=provides, device=device, distribution=annotator_id
    )


def _start(span: EntitySpan) -> int:
    return span.start
