"""What a run is expected to cost, out of plan and prices: first choices, the worst case, and what nobody knows."""

from dataclasses import replace

import pytest

from indx_core.app.ingest.estimate import EngineShare, estimate, needs_plan
from indx_core.app.installation import Installation
from indx_core.contracts.annotation import AnnotationSelection
from indx_core.contracts.capability import CapabilityKind, Device
from indx_core.contracts.ingest import IngestOptions, Stage
from indx_core.contracts.plan import Constraints, Estimates, Granularity, PlanStatus, Route, RoutePlan
from indx_core.kit.registry import Contribution, build
from indx_core.planning.economics import Economics, PriceOverride
from indx_core.testing.fakes import FakeEmbedder, FakeEnricher, FakeReader

ALL, UNLIMITED = tuple(Stage), Constraints()
HOSTED = IngestOptions(
    embedding_spaces=("fake-space",), enrichment=AnnotationSelection(document_ids=("fake-enricher",))
)


@pytest.fixture(scope="module")
def installation() -> Installation:
    """Recognition here, a vision model, an embedder and an enricher elsewhere, and a person."""
    readers = (
        FakeReader(id="ocr", kind=CapabilityKind.OCR),
        FakeReader(id="vision", kind=CapabilityKind.VLM, device=Device.EXTERNAL),
        FakeReader(id="person", kind=CapabilityKind.MANUAL),
    )
    contribution = Contribution(
        readers=readers,
        embedders=(FakeEmbedder(device=Device.EXTERNAL),),
        enrichers=(FakeEnricher(device=Device.EXTERNAL),),
    )
    return Installation.of(build([("test", contribution)]))


def plan(constraints: Constraints = UNLIMITED, status: PlanStatus = PlanStatus.READY) -> RoutePlan:
    """Three pages: two recognised, then seen, then given to a person; one a person reads at once."""
    return RoutePlan(
        plan_id="p",
        source_digest="sha256:0",
        media_type="application/pdf",
        page_count=3,
        snapshot_id="s",
        policy_version="1",
        status=status,
        constraints=constraints,
        granularities=(Granularity.PAGE,),
        embedding_space_ids=(),
        signature_detection=False,
        document=Route(scope="document", capability_ids=("ocr", "vision", "person")),
        pages=(Route(scope="page:3", capability_ids=("person",)),),
        estimates=Estimates(cost_usd=2.001, latency_ms=1, quality=1.0),
    )


def priced(installation: Installation, **usd_per_page: float) -> Installation:
    overrides = {name.replace("_", "-"): PriceOverride(cost_usd_per_page=usd) for name, usd in usd_per_page.items()}
    return replace(installation, economics=Economics(overrides))


def test_the_plans_own_estimate_is_what_is_expected_and_every_automatic_rung_is_the_most(
    installation: Installation,
) -> None:
    """Shipped prices a page: recognition 0.0005, a vision model 0.01, a person 2."""
    found = estimate(plan(), ALL, IngestOptions(embedding_spaces=()), installation)
    assert (found.expected_usd, found.people_usd, found.at_most_usd) == (2.001, 2.0, 0.021)
    assert found.engines == {
        "ocr": EngineShare(2, 0.001, "assumed"),
        "vision": EngineShare(0, 0.0, "assumed", "vision"),
        "person": EngineShare(1, 2.0, "assumed"),
    }


def test_the_operators_price_is_said_to_be_the_operators(installation: Installation) -> None:
    found = estimate(plan(), ALL, IngestOptions(embedding_spaces=()), priced(installation, ocr=0.5))
    assert (found.engines["ocr"], found.at_most_usd) == (EngineShare(2, 1.0, "operator"), 1.02)


def test_a_documents_own_limit_bounds_what_it_may_come_to(installation: Installation) -> None:
    limited = plan(Constraints(maximum_cost_usd=0.005))
    assert estimate(limited, ALL, IngestOptions(embedding_spaces=()), installation).at_most_usd == 0.005


def test_a_service_whose_price_nobody_states_is_unknown_and_not_free(installation: Installation) -> None:
    found = estimate(plan(), ALL, HOSTED, installation)
    assert found.unpriced == ("fake-embedder", "fake-enricher")
    assert (found.expected_usd, found.at_most_usd) == (2.001, 0.021), "what is known of it"
    stated = priced(installation, fake_embedder=0.001, fake_enricher=0.01)
    found = estimate(plan(), ALL, HOSTED, stated)
    assert (found.unpriced, found.expected_usd, found.at_most_usd) == ((), 2.034, 0.054)


@pytest.mark.parametrize(
    ("stages", "expected"),
    [
        ((Stage.OBSERVATION, Stage.PLAN), 0.0),
        ((Stage.CHUNKS,), 0.0),
        ((Stage.EMBEDDINGS,), 0.003),
        ((Stage.ANNOTATIONS,), 0.03),
        (ALL, 2.034),
    ],
)
def test_only_stages_that_run_cost_something(
    installation: Installation, stages: tuple[Stage, ...], expected: float
) -> None:
    stated = priced(installation, fake_embedder=0.001, fake_enricher=0.01)
    assert estimate(plan(), stages, HOSTED, stated).expected_usd == expected
    assert needs_plan(stages, HOSTED, stated) is (expected > 0)


def test_a_plan_that_no_route_satisfies_reads_nothing_and_costs_nothing(installation: Installation) -> None:
    found = estimate(plan(status=PlanStatus.UNSATISFIED), ALL, IngestOptions(embedding_spaces=()), installation)
    assert (found.expected_usd, found.at_most_usd, found.engines) == (0.0, 0.0, {})
