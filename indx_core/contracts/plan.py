"""A plan: which capability reads which page, at what price, and why. Decided, not executed.

Holds no private preflight feature: reasons are public sentences with a code.
"""

from enum import StrEnum

from pydantic import Field

from indx_core.contracts.base import Contract
from indx_core.contracts.source import Source


class Granularity(StrEnum):
    """Block scopes a request may ask for. ``region`` exists as an address and nothing produces it yet."""

    DOCUMENT = "document"
    PAGE = "page"
    CHUNK = "chunk"
    REGION = "region"


class Constraints(Contract):
    """What the caller's business allows; each shrinks the ladder before anything runs.

    Attributes:
        minimum_quality: Expected quality (0-1) a rung must reach.
        deadline_ms: Expected milliseconds the whole document may take.
        maximum_cost_usd: Expected dollars the whole document may cost.
        gpu_allowed: Whether rungs on a GPU may be used.
        data_residency: When true, nothing external may see the document.
        capability_ids: Allowlist that filters every route, nominees and manual review included; ``None`` admits all.
        fallbacks_allowed: When false, one reader per page.
    """

    minimum_quality: float | None = Field(default=None, ge=0, le=1)
    deadline_ms: int | None = Field(default=None, gt=0)
    maximum_cost_usd: float | None = Field(default=None, ge=0)
    gpu_allowed: bool = True
    data_residency: bool = False
    capability_ids: tuple[str, ...] | None = None
    fallbacks_allowed: bool = True


class PlanRequest(Contract):
    """What ``plan`` is asked. Carries no metadata: a label that routes nothing must not change ``plan_id``.

    Attributes:
        request_id: Echoed in the answer and in the plan; no part of ``plan_id``.
        source: The document, by its bytes or by a URI.
        constraints: What the business allows.
        granularities: Scopes that come back as blocks.
        embedding_space_ids: Spaces that every chunk is embedded in.
        signature_detection: Whether installed parsers are asked to recognise the document first.
    """

    request_id: str | None = None
    source: Source
    constraints: Constraints = Constraints()
    granularities: tuple[Granularity, ...] = (Granularity.DOCUMENT, Granularity.PAGE, Granularity.CHUNK)
    embedding_space_ids: tuple[str, ...] = ()
    signature_detection: bool = False


class PlanStatus(StrEnum):
    """``unsatisfied`` is an answer, not an error: the constraints cannot be met by what is installed."""

    READY = "ready"
    UNSATISFIED = "unsatisfied"


class Route(Contract):
    """An ordered list of capabilities for one scope: the first is selected, the others are its fallbacks.

    Attributes:
        scope: ``document`` or ``page:N``.
        capability_ids: In the order they are tried.
    """

    scope: str
    capability_ids: tuple[str, ...]


class DecisionReason(Contract):
    """Why a scope is routed the way it is.

    Attributes:
        scope: ``document`` or ``page:N``.
        code: Stable machine name, such as ``no_text_layer`` or ``rung_unavailable``.
        message: One sentence for a person.
    """

    scope: str
    code: str
    message: str


class SignatureMatch(Contract):
    """A document, or a page of it, that an installed parser recognised.

    Attributes:
        signature: Name of the signature.
        scope: ``document`` or ``page:N``.
        evidence: Names of the signals that hit.
        nominated_capability_id: Parser that leads the route, if installed.
        confidence: Share of independent signals matched, 0-1; not a calibrated probability.
    """

    signature: str
    scope: str
    evidence: tuple[str, ...]
    nominated_capability_id: str
    confidence: float


class Estimates(Contract):
    """What the selected routes are expected to cost, take and be worth, before anything runs.

    Attributes:
        cost_usd: Dollars, whole document.
        latency_ms: Milliseconds, pages one after the other.
        quality: 0-1, mean over pages.
    """

    cost_usd: float
    latency_ms: int
    quality: float


class RoutePlan(Contract):
    """The decision, bound to a source and a snapshot.

    ``plan_id`` is the hash of every other field but ``request_id``. ``document`` is the default route; a page whose
    route differs has an override in ``pages``.

    Attributes:
        plan_id: ``sha256:`` and hexadecimal digits.
        request_id: The caller's, as it was sent.
        source_digest: ``sha256:`` of the bytes it is for.
        media_type: What they were recognised as.
        page_count: Pages observed.
        snapshot_id: The snapshot it was decided against; executing it under another is ``plan_conflict``.
        policy_version: Version of the routing policy.
        status: Whether it can be executed.
        constraints: As they were asked.
        granularities: As they were asked.
        embedding_space_ids: As they were asked.
        signature_detection: As it was asked.
        unsatisfied: One sentence for each constraint that cannot be met.
        reasons: Why each scope is routed as it is.
        signatures: What installed parsers recognised.
        document: Route of every page without one of its own.
        pages: Routes of the pages that differ.
        regions: Nothing produces regions yet: empty.
        estimates: Expected price, time and quality.
    """

    plan_id: str
    request_id: str | None = None
    source_digest: str
    media_type: str
    page_count: int
    snapshot_id: str
    policy_version: str
    status: PlanStatus
    constraints: Constraints
    granularities: tuple[Granularity, ...]
    embedding_space_ids: tuple[str, ...]
    signature_detection: bool
    unsatisfied: tuple[str, ...] = ()
    reasons: tuple[DecisionReason, ...] = ()
    signatures: tuple[SignatureMatch, ...] = ()
    document: Route
    pages: tuple[Route, ...] = ()
    regions: tuple[Route, ...] = ()
    estimates: Estimates

    def route(self, page: int) -> Route:
        """The route of one page: its override, else the document's default."""
        scope = f"page:{page}"
        return next((route for route in self.pages if route.scope == scope), self.document)

    def routes(self) -> dict[int, Route]:
        """The route of every page, by 1-based page number: one pass, where ``route`` searches for each page."""
        overrides = {route.scope: route for route in self.pages}
        return {page: overrides.get(f"page:{page}", self.document) for page in range(1, self.page_count + 1)}


class Component(Contract):
    """Who took part without a capability id to be named by.

    Attributes:
        role: ``loader``, ``sniffer``, ``observer``, ``chunker``, ``language_detector``, ``classifier``, …
        distribution: The installed package that declared it.
        pages: Pages a chunker cut or a detector answered.
        id: What the request named it, where it did.
        facets: Facets, labels or parts it won.
    """

    role: str
    distribution: str
    pages: tuple[int, ...] | None = None
    id: str | None = None
    facets: tuple[str, ...] | None = None


class PlanResult(Contract):
    """The answer of ``plan``: the plan, which is hashed and bound, and who took part, which is diagnostics only.

    Attributes:
        plan: The decision.
        components: Loader, sniffer and observer that took part.
    """

    plan: RoutePlan
    components: tuple[Component, ...] = ()
