"""The plan's limits reach execution with the operator's prices, through the service."""

from indx_core.app.installation import Installation
from indx_core.app.service import Service
from indx_core.contracts.capability import CapabilityKind
from indx_core.contracts.encode import EncodeRequest
from indx_core.contracts.page import PageOutput, PageStatus
from indx_core.contracts.plan import Constraints, PlanStatus
from indx_core.contracts.source import UriSource
from indx_core.kit.registry import Contribution
from indx_core.testing.fakes import FakeChunker, FakeLoader, FakeObserver, FakeReader, fake_document, fake_registry

URI = "memory://documents/report"


def test_a_plan_that_fits_is_stopped_where_the_real_price_does_not() -> None:
    """Recognition is expected at $0.0005 a page; this one charges $0.015 for the first of two."""
    expensive = FakeReader(
        id="paid-ocr", kind=CapabilityKind.OCR, outputs={1: PageOutput(1, text="read", cost_usd=0.015)}
    )
    person = FakeReader(
        id="manual", kind=CapabilityKind.MANUAL, media_types=(), outputs={2: PageOutput(2, PageStatus.UNREADABLE)}
    )
    parts = Contribution(
        loaders=(FakeLoader(objects={URI: fake_document("one", "two")}),),
        observers=(FakeObserver(),),
        readers=(expensive, person),
        chunkers=(FakeChunker(),),
    )
    constraints = Constraints(maximum_cost_usd=0.01)
    result = Service(Installation.of(fake_registry(parts))).encode(
        EncodeRequest(source=UriSource(uri=URI), constraints=constraints)
    )
    assert result.plan.status is PlanStatus.READY
    assert result.plan.estimates.cost_usd == 0.001
    assert [(e.actual_capability_id, e.status.value) for e in result.trace.events] == [
        ("paid-ocr", "completed"),
        ("paid-ocr", "failed"),
        ("manual", "unreadable"),
    ]
    assert (result.trace.events[1].reason or "").startswith("maximum_cost_usd: expected at $0.0005")
    assert result.trace.actuals.cost_usd == result.usage.cost_usd == 0.015
