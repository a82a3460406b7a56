"""What an installation can do: capabilities, embedding spaces, and the snapshot that binds plans to them.

Does not hold prices: those are the operator's (``planning/economics.py``), since a capability that priced itself would
buy its way into a route.
"""

from enum import StrEnum

from pydantic import Field

from indx_core.contracts.base import Contract


class Device(StrEnum):
    """Where a capability computes. ``external`` is what ``data_residency`` refuses."""

    CPU = "cpu"
    GPU = "gpu"
    EXTERNAL = "external"


class CapabilityKind(StrEnum):
    """Rungs of the ladder, cheapest first, and ``parser``, which only a signature nominates."""

    PARSER = "parser"
    NATIVE = "native-extraction"
    OCR = "ocr"
    VLM = "vlm"
    MANUAL = "manual-review"


class Modality(StrEnum):
    """What an embedder is given."""

    TEXT = "text"
    IMAGE = "image"


class EmbedderRole(StrEnum):
    """Which side of a search a vector is for."""

    DOCUMENT = "document"
    QUERY = "query"


class CapabilityDescriptor(Contract):
    """One way to read pages.

    Attributes:
        id: Name on plans and traces, such as ``native-extraction``.
        kind: Rung of the ladder.
        media_types: What it reads; empty means any.
        device: Where it computes.
        distribution: Who declares it.
        model: The model behind it, if any: another model is another snapshot.
        languages: Languages its alphabet can write; empty means it does not depend on one.
        available: Whether it can run here.
        unavailable_reason: What to install or set when it cannot.
    """

    id: str
    kind: CapabilityKind
    media_types: tuple[str, ...] = ()
    device: Device = Device.CPU
    distribution: str
    model: str | None = None
    languages: tuple[str, ...] = ()
    available: bool = True
    unavailable_reason: str | None = None

    def reads(self, media_type: str) -> bool:
        """Whether it declares the media type (an empty list declares all)."""
        return not self.media_types or media_type in self.media_types


class EmbedderDescriptor(Contract):
    """The public configuration of one embedder: no credentials, no private endpoint.

    Attributes:
        embedder_id: Name on results, such as ``hashed-text``.
        embedding_space_id: The space its vectors live in.
        roles: Whether it embeds documents, queries, or both.
        modalities: What it embeds.
        device: Where it computes.
        distribution: Who declares it.
        model: The model behind it, if any: another model is another snapshot.
        available: Whether it can run here.
        unavailable_reason: What to install or set when it cannot.
    """

    embedder_id: str
    embedding_space_id: str
    roles: tuple[EmbedderRole, ...]
    modalities: tuple[Modality, ...]
    device: Device = Device.CPU
    distribution: str
    model: str | None = None
    available: bool = True
    unavailable_reason: str | None = None


class EmbeddingSpace(Contract):
    """Vectors that may be compared with each other.

    Attributes:
        id: Name a request asks for it by.
        dimension: Length of every vector.
        metric: ``cosine``, ``dot`` or ``euclidean``.
        normalization: ``l2`` or ``none``.
        embedders: Those whose vectors are directly comparable here.
    """

    id: str
    dimension: int
    metric: str = "cosine"
    normalization: str = "l2"
    embedders: tuple[EmbedderDescriptor, ...]


class AnnotatorDescriptor(Contract):
    """A classifier, an entity extractor or an enricher, by the id a request names it with.

    Attributes:
        id: Name a request asks for it by.
        port: ``classifier``, ``extractor`` or ``enricher``.
        units: Where it may run: ``document``, ``page``, ``chunk``.
        provides: Facets, labels or parts it can answer; empty when open.
        device: Where it computes.
        distribution: Who declares it.
        model: The model behind it, if any.
        available: Whether it can run here; a request that names one that cannot is refused before anything is fetched.
        unavailable_reason: What to install or set when it cannot.
        batch: Texts it is best handed per call; ``None``: many without a model, one with one.
    """

    id: str
    port: str
    units: tuple[str, ...]
    provides: tuple[str, ...] = ()
    device: Device = Device.CPU
    distribution: str
    model: str | None = None
    available: bool = True
    unavailable_reason: str | None = None
    batch: int | None = Field(default=None, ge=1)


class Limits(Contract):
    """What a deployment accepts; outside the snapshot's hash.

    Attributes:
        max_input_bytes: Bytes of a source at most; ``None``: no limit.
    """

    max_input_bytes: int | None = None


class Resolvable(Contract):
    """What this installation can reach and look at; outside the snapshot's hash, since gaining either moves no plan.

    Attributes:
        schemes: URI schemes that loaders resolve and the deployment permits.
        observable_media_types: Media types that an observer looks at.
    """

    schemes: tuple[str, ...] = ()
    observable_media_types: tuple[str, ...] = ()


class ProviderFailure(Contract):
    """A provider that was left out because it failed to load or declared something invalid.

    Attributes:
        distribution: Who was left out.
        reason: Class and message of what it raised.
    """

    distribution: str
    reason: str


class CapabilitySnapshot(Contract):
    """The versioned inventory a plan is decided against.

    ``snapshot_id`` is the hash of ``policy_version``, ``capabilities`` and ``embedding_spaces`` and of nothing else.

    Attributes:
        snapshot_id: ``sha256:`` and hexadecimal digits.
        policy_version: Version of the routing policy.
        capabilities: Readers, sorted by id, those that cannot run here included.
        embedding_spaces: Spaces, sorted by id.
        classifiers: Installed classifiers.
        extractors: Installed entity extractors.
        enrichers: Installed enrichers.
        chunkers: Chunker ids in the order they are asked.
        language_detectors: Detector ids.
        languages: What the language detectors may answer, ISO 639-1: the languages that lanes may be named for.
        signatures: Names of the signatures that can be detected.
        limits: What a deployment accepts.
        resolvable: What can be reached and looked at.
        failures: Providers that were left out.
    """

    snapshot_id: str
    policy_version: str
    capabilities: tuple[CapabilityDescriptor, ...]
    embedding_spaces: tuple[EmbeddingSpace, ...] = ()
    classifiers: tuple[AnnotatorDescriptor, ...] = ()
    extractors: tuple[AnnotatorDescriptor, ...] = ()
    enrichers: tuple[AnnotatorDescriptor, ...] = ()
    chunkers: tuple[str, ...] = ()
    language_detectors: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    signatures: tuple[str, ...] = ()
    limits: Limits = Limits()
    resolvable: Resolvable = Resolvable()
    failures: tuple[ProviderFailure, ...] = ()

    def capability(self, capability_id: str) -> CapabilityDescriptor | None:
        """The capability of that id, available or not."""
        return next((c for c in self.capabilities if c.id == capability_id), None)

    def space(self, space_id: str) -> EmbeddingSpace | None:
        """The embedding space of that id."""
        return next((s for s in self.embedding_spaces if s.id == space_id), None)
