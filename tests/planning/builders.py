"""A small installation and small documents for the planner's tests. No test lives here."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from indx_core.contracts.capability import (
    CapabilityDescriptor,
    CapabilityKind,
    CapabilitySnapshot,
    Device,
    EmbedderDescriptor,
    EmbedderRole,
    EmbeddingSpace,
    Modality,
)
from indx_core.contracts.observation import Observation, PageObservation, TextLayer
from indx_core.contracts.plan import Constraints, RoutePlan, SignatureMatch
from indx_core.kit.registry import Contribution, build
from indx_core.planning.decide import decide
from indx_core.planning.economics import Economics
from indx_core.planning.request import RequestParts
from indx_core.planning.signatures import NOTHING_DETECTED, Detection
from indx_core.planning.snapshot import take

PDF = "application/pdf"
CONTRACT = "application/vnd.acme.contract"


def capability(name: str, kind: CapabilityKind, *media_types: str, **changes: Any) -> CapabilityDescriptor:
    return CapabilityDescriptor(id=name, kind=kind, media_types=media_types, distribution=f"dist-{name}", **changes)


NATIVE = capability("native-extraction", CapabilityKind.NATIVE, PDF)
TEXT = capability("text-extraction", CapabilityKind.NATIVE, "text/plain")
OCR = capability("generic-ocr", CapabilityKind.OCR, PDF, "image/png")
VLM = capability("generic-vlm", CapabilityKind.VLM, PDF, "image/png", device=Device.EXTERNAL)
MANUAL = capability("manual-review", CapabilityKind.MANUAL)
INVOICE = capability("invoice-parser", CapabilityKind.PARSER, PDF)
ACME = capability("acme-contract-parser", CapabilityKind.PARSER, CONTRACT)
STANDARD = (NATIVE, TEXT, OCR, VLM, MANUAL, INVOICE)


def without_engines() -> tuple[CapabilityDescriptor, ...]:
    """An install without extras: recognition is advertised and cannot run."""
    ocr = OCR.model_copy(
        update={"available": False, "unavailable_reason": "install the 'ocr' extra; missing: rapidocr"}
    )
    vlm = VLM.model_copy(update={"available": False, "unavailable_reason": "set INDX_VLM_MODEL"})
    return (NATIVE, TEXT, ocr, vlm, MANUAL)


@dataclass
class FakeReader:
    """A reader that is only ever asked who it is."""

    descriptor: CapabilityDescriptor

    def read(self, document: Any, pages: Sequence[int]) -> Any:
        raise AssertionError("a plan never runs a reader")


@dataclass
class FakeEmbedder:
    descriptor: EmbedderDescriptor
    space: EmbeddingSpace

    def embed_texts(self, texts: Any, role: EmbedderRole) -> Any:
        raise AssertionError("a plan never embeds")

    def embed_images(self, images: Any, role: EmbedderRole) -> Any:
        raise AssertionError("a plan never embeds")


@dataclass
class FakeSignature:
    """A test plugin: answers with what it is given, or does what it is given."""

    answer: list[SignatureMatch] | Callable[[], list[SignatureMatch]]
    name: str = "invoice"
    distribution: str = "dist-signature"
    media_types: tuple[str, ...] = ()
    capability_id: str = "invoice-parser"
    asked: list[str] = field(default_factory=list)

    def detect(self, document: Any, observation: Observation) -> list[SignatureMatch]:
        self.asked.append(observation.media_type)
        return self.answer() if callable(self.answer) else self.answer


def embedder(
    name: str,
    space_id: str,
    *,
    roles: tuple[EmbedderRole, ...] = (EmbedderRole.DOCUMENT, EmbedderRole.QUERY),
    modalities: tuple[Modality, ...] = (Modality.TEXT,),
    dimension: int = 8,
    metric: str = "cosine",
    **changes: Any,
) -> FakeEmbedder:
    descriptor = EmbedderDescriptor(
        embedder_id=name,
        embedding_space_id=space_id,
        roles=roles,
        modalities=modalities,
        distribution=f"dist-{name}",
        **changes,
    )
    space = EmbeddingSpace(id=space_id, dimension=dimension, metric=metric, embedders=(descriptor,))
    return FakeEmbedder(descriptor, space)


def snapshot(
    capabilities: Iterable[CapabilityDescriptor] = STANDARD, embedders: Iterable[FakeEmbedder] = ()
) -> CapabilitySnapshot:
    readers = [FakeReader(each) for each in capabilities]
    return take(build([("test", Contribution(readers=readers, embedders=list(embedders)))]))


P, A, U = TextLayer.PRESENT, TextLayer.ABSENT, TextLayer.UNTRUSTED


def observed(
    *layers: TextLayer, media_type: str = PDF, signals: dict[int, tuple[str, ...]] | None = None
) -> Observation:
    """A document with a page for each text layer given; ``signals`` by page number."""
    return Observation(
        source_digest="sha256:" + "0" * 64,
        media_type=media_type,
        byte_count=1,
        pages=tuple(
            PageObservation(number=number, text_layer=layer, signals=(signals or {}).get(number, ()))
            for number, layer in enumerate(layers, start=1)
        ),
        observer="dist-observer",
    )


def match(
    scope: str = "document", nominee: str = "invoice-parser", signature: str = "invoice", **changes: Any
) -> SignatureMatch:
    values = {"evidence": ("title", "total"), "confidence": 0.5, **changes}
    return SignatureMatch(signature=signature, scope=scope, nominated_capability_id=nominee, **values)


def plan(
    observation: Observation,
    inventory: CapabilitySnapshot | None = None,
    *,
    economics: Economics | None = None,
    matches: Detection | None = None,
    embedding_space_ids: tuple[str, ...] = (),
    request_id: str | None = None,
    **constraints: Any,
) -> RoutePlan:
    """A decided plan; keyword arguments beyond the named ones are constraints. ``matches`` turns detection on."""
    parts = RequestParts(
        constraints=Constraints(**constraints),
        embedding_space_ids=embedding_space_ids,
        signature_detection=matches is not None,
        request_id=request_id,
    )
    return decide(observation, inventory or snapshot(), parts, economics or Economics(), matches or NOTHING_DETECTED)


def routes(decided: RoutePlan) -> dict[int, list[str]]:
    return {page: list(route.capability_ids) for page, route in decided.routes().items()}
