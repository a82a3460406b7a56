"""Deciding a plan: the one place where ladder, nominations, constraints, prices and reasons come together.

Pure: the same observation, snapshot, request, prices and matches give the same plan to the byte. Pages that stand on
the same ladder are decided once, as a group, so a plan's work grows with the kinds of pages in a document and not with
their number; only the overrides and the reasons of pages that differ are written per page.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from indx_core.contracts.capability import CapabilityDescriptor, CapabilitySnapshot
from indx_core.contracts.observation import Observation, TextLayer
from indx_core.contracts.plan import Constraints, DecisionReason, Estimates, PlanStatus, Route, RoutePlan
from indx_core.planning import ladder
from indx_core.planning.budget import Fit, Load, fit
from indx_core.planning.constraints import Admission, Rungs, admit, unknown_id_lines, unread_lines
from indx_core.planning.economics import COST_DIGITS, Economics
from indx_core.planning.embedding import require_spaces, unserved_lines
from indx_core.planning.plan_id import identified
from indx_core.planning.reasons import exclusion_reasons, page_reasons, unavailable_reasons
from indx_core.planning.refusals import require_granularities
from indx_core.planning.request import RequestParts
from indx_core.planning.scopes import DOCUMENT, describe, page_scope
from indx_core.planning.signatures import NOTHING_DETECTED, Detection, nominees

_QUALITY_DIGITS = 4


def decide(
    observation: Observation,
    snapshot: CapabilitySnapshot,
    request_parts: RequestParts,
    economics: Economics,
    signatures: Detection = NOTHING_DETECTED,
) -> RoutePlan:
    """The plan of one document.

    Args:
        observation: What was seen of it.
        snapshot: What is installed.
        request_parts: What is asked.
        economics: The operator's prices.
        signatures: What ``signatures.detect`` found; looked at only where the request turned detection on.

    Returns:
        A plan that is ``ready``, or ``unsatisfied`` with a line for everything that stands in the way. Every page is on
        a route, its own or the document's; an unsatisfied plan still shows the routes and the price there would be.

    Raises:
        UnsupportedMediaType: Nothing installed reads the document's type.
        UnsupportedGranularity: A block scope nothing produces.
        InvalidEmbeddingSpace: A space that is not in the snapshot.
    """
    require_granularities(request_parts.granularities)
    require_spaces(request_parts.embedding_space_ids, snapshot)
    ladder.require_readable(snapshot, observation.media_type)
    detection = signatures if request_parts.signature_detection else NOTHING_DETECTED
    media_type, page_count = observation.media_type, len(observation.pages)
    leaders, nominations = nominees(detection.matches, snapshot, media_type, page_count)
    rungs = ladder.rungs(snapshot, media_type)
    groups = [
        _judge(pages, rungs_of_pages, request_parts.constraints, economics)
        for pages, rungs_of_pages in _by_ladder(observation, rungs, leaders)
    ]
    fitted, fitting = _fit_budgets(groups, request_parts.constraints, economics)
    chosen = [
        _Chosen(group.pages, _kept(rungs, request_parts.constraints))
        for group, rungs in zip(groups, fitted, strict=True)
    ]
    document, overrides = _routes(chosen)
    unsatisfied = [
        *unknown_id_lines(request_parts.constraints, snapshot),
        *_parser_lines(rungs, snapshot, media_type, request_parts),
        *_unread(groups, page_count, request_parts.constraints, economics),
        *fitting.lines,
        *unserved_lines(request_parts.embedding_space_ids, snapshot, request_parts.constraints),
    ]
    reasons = [*page_reasons(observation.pages), *nominations, *detection.reasons, *_route_reasons(groups, fitting)]
    return identified(
        RoutePlan(
            plan_id="",
            request_id=request_parts.request_id,
            source_digest=observation.source_digest,
            media_type=media_type,
            page_count=page_count,
            snapshot_id=snapshot.snapshot_id,
            policy_version=snapshot.policy_version,
            status=PlanStatus.UNSATISFIED if unsatisfied else PlanStatus.READY,
            constraints=request_parts.constraints,
            granularities=request_parts.granularities,
            embedding_space_ids=request_parts.embedding_space_ids,
            signature_detection=request_parts.signature_detection,
            unsatisfied=tuple(unsatisfied),
            reasons=tuple(sorted(reasons, key=lambda reason: reason.scope != DOCUMENT)),
            signatures=detection.matches,
            document=document,
            pages=overrides,
            estimates=_estimates(chosen, page_count, economics),
        )
    )


@dataclass(frozen=True, slots=True)
class _Group:
    """Pages on one ladder, and what is left of it.

    Attributes:
        pages: 1-based, ascending; empty only in a document without pages.
        admission: The runnable rungs after the constraints.
        unavailable: Rungs that the constraints would admit and that cannot run here.
    """

    pages: tuple[int, ...]
    admission: Admission
    unavailable: Rungs


@dataclass(frozen=True, slots=True)
class _Chosen:
    pages: tuple[int, ...]
    rungs: Rungs


def _by_ladder(
    observation: Observation, rungs: Rungs, leaders: Mapping[str, Rungs]
) -> list[tuple[tuple[int, ...], Rungs]]:
    """Pages by the ladder they stand on, in the order of their first page. No pages: one ladder, for the default."""
    everywhere = leaders.get(DOCUMENT, ())
    pages: dict[tuple[bool, tuple[str, ...]], list[int]] = {}
    ladders: dict[tuple[bool, tuple[str, ...]], Rungs] = {}
    for page in observation.pages:
        leading = leaders.get(page_scope(page.number), ())
        key = (page.text_layer is TextLayer.PRESENT, tuple(each.id for each in leading))
        if key not in ladders:
            ladders[key] = _without_repeats((*leading, *everywhere, *ladder.for_text_layer(rungs, page.text_layer)))
        pages.setdefault(key, []).append(page.number)
    if not pages:
        return [((), _without_repeats((*everywhere, *rungs)))]
    return [(tuple(numbers), ladders[key]) for key, numbers in pages.items()]


def _without_repeats(rungs: Iterable[CapabilityDescriptor]) -> Rungs:
    return tuple({each.id: each for each in rungs}.values())


def _judge(pages: tuple[int, ...], rungs: Rungs, constraints: Constraints, economics: Economics) -> _Group:
    runnable = tuple(each for each in rungs if each.available)
    missing = tuple(each for each in rungs if not each.available)
    return _Group(
        pages=pages,
        admission=admit(runnable, constraints, economics),
        unavailable=admit(missing, constraints, economics).admitted,
    )


def _fit_budgets(groups: Sequence[_Group], constraints: Constraints, economics: Economics) -> tuple[list[Rungs], Fit]:
    """The admitted rungs of every group after the budgets; groups without a rung or a page cost nothing."""
    spending = [group for group in groups if group.pages and group.admission.admitted]
    fitted = fit([Load(len(group.pages), group.admission.admitted) for group in spending], constraints, economics)
    shortened = {group.pages: rungs for group, rungs in zip(spending, fitted.rungs, strict=True)}
    return [shortened.get(group.pages, group.admission.admitted) for group in groups], fitted


def _kept(rungs: Rungs, constraints: Constraints) -> Rungs:
    return rungs if constraints.fallbacks_allowed else rungs[:1]


def _routes(chosen: Iterable[_Chosen]) -> tuple[Route, tuple[Route, ...]]:
    """The most common page route as the document's (ties: the earliest page's), and the pages that differ."""
    pages: dict[tuple[str, ...], list[int]] = {}
    for each in chosen:
        pages.setdefault(tuple(rung.id for rung in each.rungs), []).extend(each.pages)
    common = max(pages, key=lambda ids: len(pages[ids]))
    differing = sorted((page, ids) for ids, numbers in pages.items() if ids != common for page in numbers)
    overrides = tuple(Route(scope=page_scope(page), capability_ids=ids) for page, ids in differing)
    return Route(scope=DOCUMENT, capability_ids=common), overrides


def _parser_lines(
    rungs: Rungs, snapshot: CapabilitySnapshot, media_type: str, request_parts: RequestParts
) -> list[str]:
    """The line for a parser-only type. A detector that was asked and matched nothing leaves honest manual review."""
    if request_parts.signature_detection or not ladder.only_people_read(rungs):
        return []
    return [ladder.parser_only_line(ladder.parsers(snapshot, media_type), media_type)]


def _unread(groups: Iterable[_Group], page_count: int, constraints: Constraints, economics: Economics) -> list[str]:
    return [
        line
        for group in groups
        if not group.admission.admitted
        for line in unread_lines(
            describe(group.pages, page_count), group.admission, group.unavailable, constraints, economics
        )
    ]


def _route_reasons(groups: Sequence[_Group], fitting: Fit) -> list[DecisionReason]:
    unavailable = _without_repeats(rung for group in groups for rung in group.unavailable)
    excluded: dict[str, dict[str, None]] = {}
    for group in groups:
        for name, rungs in group.admission.excluded.items():
            excluded.setdefault(name, {}).update(dict.fromkeys(rung.id for rung in rungs))
    return [*unavailable_reasons(unavailable), *exclusion_reasons(excluded), *exclusion_reasons(fitting.excluded)]


def _estimates(chosen: Iterable[_Chosen], page_count: int, economics: Economics) -> Estimates:
    """What the first choices come to: dollars and milliseconds summed, quality averaged, 0 for a page nobody reads."""
    prices = [(len(each.pages), economics.of(each.rungs[0])) for each in chosen if each.rungs]
    quality = sum(pages * price.quality for pages, price in prices) / page_count if page_count else 0.0
    return Estimates(
        cost_usd=round(sum(pages * price.cost_usd_per_page for pages, price in prices), COST_DIGITS),
        latency_ms=sum(pages * price.latency_ms_per_page for pages, price in prices),
        quality=round(quality, _QUALITY_DIGITS),
    )
