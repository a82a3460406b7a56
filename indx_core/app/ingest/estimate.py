"""What a document's run is expected to cost, out of its plan and the operator's prices, before anything runs.

Belongs here: the arithmetic over one plan. Does not: making the plan (``planning``), which documents are meant and what
a budget does with the figures (``indx_dagster``), and what was charged in the end (the trace and ``usage``).
"""

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from indx_core.app.installation import Installation
from indx_core.contracts.capability import (
    AnnotatorDescriptor,
    CapabilityDescriptor,
    CapabilityKind,
    Device,
    EmbedderDescriptor,
    EmbedderRole,
)
from indx_core.contracts.ingest import IngestOptions, Stage
from indx_core.contracts.plan import PlanStatus, RoutePlan
from indx_core.planning.economics import COST_DIGITS, Economics

Engine = CapabilityDescriptor | EmbedderDescriptor | AnnotatorDescriptor

OPERATOR, ASSUMED, UNKNOWN = "operator", "assumed", "unknown"
"""Where a price comes from: the operator's file, the shipped assumption of its kind, or nowhere."""


@dataclass(frozen=True, slots=True)
class EngineShare:
    """What one engine is expected to do and charge.

    Attributes:
        pages: Pages it is the first choice for; 0 where it only is a fallback.
        expected_usd: Their price.
        price: ``operator``, ``assumed`` or ``unknown``.
        vendor: Whom it sends pages or text to; ``None`` where it computes here.
    """

    pages: int
    expected_usd: float
    price: str
    vendor: str | None = None


@dataclass(frozen=True, slots=True)
class Estimate:
    """What one document's run is expected to cost.

    Attributes:
        expected_usd: The plan's own estimate where pages are read, first choices and people included, and the price of
            hosted embedders and annotators where the operator named one.
        people_usd: The part of it that is people's work: no run spends it.
        at_most_usd: What the run itself may come to at these prices: every automatic rung of every page tried once.
        engines: By id, every engine that may be asked, fallbacks included.
    """

    expected_usd: float = 0.0
    people_usd: float = 0.0
    at_most_usd: float = 0.0
    engines: dict[str, EngineShare] = field(default_factory=dict)

    @property
    def unpriced(self) -> tuple[str, ...]:
        """Engines outside this machine whose price nobody stated."""
        return tuple(name for name, share in self.engines.items() if share.price == UNKNOWN)


def estimate(
    plan: RoutePlan | None, stages: Collection[Stage], options: IngestOptions, installation: Installation
) -> Estimate:
    """What these stages of one document are expected to cost.

    Args:
        plan: Its plan; ``None`` where ``needs_plan`` says that nothing depends on it.
        stages: What would run.
        options: Of its corpus.
        installation: Prices and what is installed.
    """
    if plan is None:
        return Estimate()
    reads = Stage.PAGE_READS in stages and plan.status is PlanStatus.READY
    engines, people, at_most = _reads(plan, installation) if reads else ({}, 0.0, 0.0)
    expected = plan.estimates.cost_usd if reads else 0.0
    for service in hosted(stages, options, installation):
        name = engine_id(service)
        price = _stated_price(name, installation.economics)
        charge = (price or 0.0) * plan.page_count
        engines[name] = EngineShare(
            plan.page_count, round(charge, COST_DIGITS), UNKNOWN if price is None else OPERATOR, vendor(service)
        )
        expected, at_most = expected + charge, at_most + charge
    return Estimate(round(expected, COST_DIGITS), people, round(at_most, COST_DIGITS), engines)


def needs_plan(stages: Collection[Stage], options: IngestOptions, installation: Installation) -> bool:
    """Whether anything among these stages may cost something."""
    return Stage.PAGE_READS in stages or any(True for _ in hosted(stages, options, installation))


def hosted(
    stages: Collection[Stage], options: IngestOptions, installation: Installation
) -> Iterator[EmbedderDescriptor | AnnotatorDescriptor]:
    """Embedders and annotators outside this machine that these stages would ask."""
    snapshot = installation.snapshot
    if Stage.EMBEDDINGS in stages:
        for space_id in options.embedding_spaces:
            space = snapshot.space(space_id)
            lanes = [each for each in space.embedders if EmbedderRole.DOCUMENT in each.roles] if space else []
            first = min(lanes, key=lambda each: not each.available, default=None)
            if first is not None and first.device is Device.EXTERNAL:
                yield first
    if Stage.ANNOTATIONS in stages:
        selections = (options.classification, options.extraction, options.enrichment)
        named = {one for selection in selections for _place, _unit, one in selection.named()}
        annotators = (*snapshot.classifiers, *snapshot.extractors, *snapshot.enrichers)
        yield from (each for each in annotators if each.id in named and each.device is Device.EXTERNAL)


def vendor(engine: Engine) -> str | None:
    """Whom an engine sends to: the first part of its model's name (``openai`` of ``openai/gpt-4o``), else its id."""
    if engine.device is not Device.EXTERNAL:
        return None
    prefix, slash, _rest = (engine.model or "").partition("/")
    return prefix if slash else engine_id(engine)


def engine_id(engine: Engine) -> str:
    """The id of an engine of any kind."""
    return engine.embedder_id if isinstance(engine, EmbedderDescriptor) else engine.id


def _reads(plan: RoutePlan, installation: Installation) -> tuple[dict[str, EngineShare], float, float]:
    """Shares of the readers, the people's part, and what the automatic rungs come to at most."""
    first: Counter[str] = Counter()
    tried: Counter[str] = Counter()
    for route in plan.routes().values():
        first.update(route.capability_ids[:1])
        tried.update(route.capability_ids)
    engines, people, at_most = {}, 0.0, 0.0
    for name, pages in tried.items():
        capability = installation.snapshot.capability(name)
        if capability is None:
            continue
        price = installation.economics.of(capability).cost_usd_per_page
        charge = round(first[name] * price, COST_DIGITS)
        if capability.kind is CapabilityKind.MANUAL:
            people += charge
        else:
            at_most += pages * price
        engines[name] = EngineShare(
            first[name], charge, _source(capability, installation.economics), vendor(capability)
        )
    limit = plan.constraints.maximum_cost_usd
    # Reading holds this limit itself, page by page (execution/budget.py).
    return engines, round(people, COST_DIGITS), round(at_most if limit is None else min(at_most, limit), COST_DIGITS)


def _source(capability: CapabilityDescriptor, economics: Economics) -> str:
    return OPERATOR if {capability.id, capability.kind.value} & economics.overrides.keys() else ASSUMED


def _stated_price(name: str, economics: Economics) -> float | None:
    """Dollars a page, where the operator's file names the engine."""
    given = economics.overrides[name].given() if name in economics.overrides else {}
    price: float | None = given.get("cost_usd_per_page")
    return price
