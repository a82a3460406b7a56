"""Recipes and bases: what makes which stage stale, and with which reason."""

import pytest

from indx_core.app.ingest.recipe import Basis, code_version, data_version, recipes, upstream
from indx_core.app.installation import Installation
from indx_core.contracts.annotation import AnnotationSelection
from indx_core.contracts.capability import CapabilitySnapshot
from indx_core.contracts.ingest import IngestOptions, Stage
from indx_core.contracts.plan import Constraints
from indx_core.kit.registry import Contribution
from indx_core.kit.settings import overriding
from indx_core.testing.fakes import FakeClassifier, FakeEmbedder, FakeReader, fake_registry


def snapshot(**parts: tuple) -> CapabilitySnapshot:
    base = {"readers": (FakeReader(),), "embedders": (FakeEmbedder(),), "classifiers": (FakeClassifier(),)}
    return Installation.of(fake_registry(Contribution(**{**base, **parts}))).snapshot


def changed(first: dict, second: dict, part: int) -> list[str]:
    return [stage.value for stage in Stage if first[stage][part] != second[stage][part]]


EVERYTHING_BELOW_PLAN = ["plan", "page_reads", "chunks", "embeddings", "annotations"]


@pytest.mark.parametrize(
    ("options", "stages"),
    [
        ({"constraints": Constraints(gpu_allowed=False)}, EVERYTHING_BELOW_PLAN),
        ({"signature_detection": True}, EVERYTHING_BELOW_PLAN),
        ({"chunkers": ("x",)}, ["chunks", "embeddings", "annotations"]),
        ({"classification": AnnotationSelection(document_ids=("fake-classifier",))}, ["annotations"]),
        ({"languages": False}, ["annotations"]),
    ],
)
def test_an_option_makes_the_stages_that_read_it_and_those_below_stale(options: dict, stages: list[str]) -> None:
    here = snapshot()
    assert changed(recipes(IngestOptions(), here), recipes(IngestOptions(**options), here), 0) == stages


@pytest.mark.parametrize(
    ("variables", "stages"),
    [
        ({"INDX_VALIDATION_MIN_CONFIDENCE": "0.5"}, EVERYTHING_BELOW_PLAN[1:]),
        ({"INDX_ROUTING_ECONOMICS": ""}, []),
        ({"INDX_WORKERS": "7", "INDX_LAKE": "/elsewhere"}, []),
    ],
)
def test_a_variable_makes_its_stages_stale_and_an_operational_one_none(variables: dict, stages: list[str]) -> None:
    here = snapshot()
    before = recipes(IngestOptions(), here)
    with overriding(variables):
        assert changed(before, recipes(IngestOptions(), here), 0) == stages


def test_a_newly_installed_capability_makes_the_plan_and_all_below_stale_by_engines() -> None:
    before = recipes(IngestOptions(), snapshot())
    after = recipes(IngestOptions(), snapshot(readers=(FakeReader(), FakeReader(id="another"))))
    assert changed(before, after, 1) == EVERYTHING_BELOW_PLAN
    assert changed(before, after, 0) == []


def test_a_newly_installed_classifier_that_nobody_named_makes_nothing_stale() -> None:
    before = recipes(IngestOptions(), snapshot())
    after = recipes(IngestOptions(), snapshot(classifiers=(FakeClassifier(), FakeClassifier(id="another"))))
    assert changed(before, after, 1) == []


def test_a_basis_names_every_part_that_changed() -> None:
    now = Basis(source="etag.1", settings="s", engines="e")
    assert Basis.decode(now.encode()) == now
    assert now.differences(now) == ()
    assert now.differences(None) == ("missing",)
    assert now.differences(Basis("etag.0", "s", "x")) == ("source changed", "engines changed")
    assert Basis.decode("of another form") is None


def test_the_last_stage_alone_covers_the_version_of_the_source() -> None:
    """It is the value a bulk read compares; the others must not change when a file was only touched."""

    def versions(source: str) -> dict[Stage, str]:
        return {stage: data_version(stage, {}, ("s", "e"), source) for stage in Stage}

    first, touched = versions("1"), versions("2")
    assert [stage for stage in Stage if first[stage] != touched[stage]] == [Stage.ANNOTATIONS]


def test_code_versions_tell_settings_and_engines_apart() -> None:
    before = code_version(Stage.PLAN, IngestOptions(), snapshot())
    engines = code_version(Stage.PLAN, IngestOptions(), snapshot(readers=(FakeReader(id="x"),)))
    options = code_version(Stage.PLAN, IngestOptions(signature_detection=True), snapshot())
    assert before.split("+engines-")[0] == engines.split("+engines-")[0]
    assert before.split("+engines-")[1] == options.split("+engines-")[1]
    assert len({before, engines, options}) == 3


def test_upstream_names_only_earlier_stages() -> None:
    order = list(Stage)
    assert all(order.index(up) < order.index(stage) for stage in order for up in upstream(stage))
