"""Fakes of what brings a document in and reads it: loader, observer, reader, chunker, signature.

Also the document they agree on: UTF-8 text whose pages are separated by form feeds, behind a signature.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from indx_core.contracts.capability import CapabilityDescriptor, CapabilityKind, Device
from indx_core.contracts.errors import InputTooLarge, SourceUnreadable
from indx_core.contracts.observation import Observation, PageObservation, TextLayer
from indx_core.contracts.page import BoxReason, ChunkPiece, PageOutput, PageStatus
from indx_core.contracts.plan import SignatureMatch
from indx_core.contracts.source import LoadedSource, SourceEntry
from indx_core.ports.document import OpenDocument
from indx_core.ports.observer import Observed

MEDIA_TYPE = "text/x-fake"
MAGIC = b"FAKE:"


def fake_document(*pages: str) -> bytes:
    """The bytes of a document that ``FakeObserver`` recognises, with these texts as its pages."""
    return MAGIC + "\f".join(pages).encode()


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
        properties: What the format declares of itself.
    """

    text_layers: Mapping[int, TextLayer] = field(default_factory=dict)
    error: Exception | None = None
    properties: Mapping[str, str] = field(default_factory=dict)
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
            ),
            properties=dict(self.properties),
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
