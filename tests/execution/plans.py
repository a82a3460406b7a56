"""Plans written by hand for execution tests: routes by page, nothing decided."""

from indx_core.contracts.plan import Constraints, Estimates, Granularity, PlanStatus, Route, RoutePlan
from indx_core.ports.document import OpenDocument
from indx_core.testing.fakes import fake_document

ALL = (Granularity.DOCUMENT, Granularity.PAGE, Granularity.CHUNK)


def document(*pages: str) -> OpenDocument:
    """An open fake document with these pages."""
    return OpenDocument(fake_document(*pages), "application/x-fake")


def plan(*route: str, pages: int = 1, overrides: dict[int, tuple[str, ...]] | None = None) -> RoutePlan:
    """A ready plan with one default route and overrides by page."""
    return RoutePlan(
        plan_id="sha256:plan",
        source_digest="sha256:source",
        media_type="application/x-fake",
        page_count=pages,
        snapshot_id="sha256:snapshot",
        policy_version="1",
        status=PlanStatus.READY,
        constraints=Constraints(),
        granularities=ALL,
        embedding_space_ids=(),
        signature_detection=False,
        document=Route(scope="document", capability_ids=route),
        pages=tuple(Route(scope=f"page:{page}", capability_ids=ids) for page, ids in (overrides or {}).items()),
        estimates=Estimates(cost_usd=0, latency_ms=0, quality=1),
    )
