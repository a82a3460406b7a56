"""API-02: the inventory of an installation, and what moves its identity."""

from typing import Any

import pytest
from planning.builders import OCR, STANDARD, VLM, FakeReader, embedder, snapshot

from indx_core.contracts.annotation import LanguageScore
from indx_core.contracts.capability import (
    AnnotatorDescriptor,
    CapabilityDescriptor,
    CapabilitySnapshot,
    Device,
    Limits,
    Resolvable,
)
from indx_core.kit.registry import Contribution, Registry, build
from indx_core.planning import snapshot as module
from indx_core.planning.snapshot import take


def inventory(**parts: Any) -> Registry:
    return build([("test", Contribution(readers=[FakeReader(each) for each in STANDARD], **parts))])


class Words:
    """A classifier that is only asked who it is."""

    descriptor = AnnotatorDescriptor(id="words", port="classifier", units=("document",), distribution="dist-words")

    def classify(self, texts: Any) -> Any:
        raise AssertionError("taking an inventory runs nothing")


class Lingua:
    id = "lingua"
    distribution = "dist-lingua"
    languages = ("en", "ja")

    def detect(self, texts: Any) -> list[tuple[LanguageScore, ...]]:
        raise AssertionError("taking an inventory runs nothing")


def test_the_same_installation_has_the_same_identity_in_any_order() -> None:
    assert snapshot(STANDARD) == snapshot(reversed(STANDARD))


def test_annotators_limits_and_reach_are_reported_and_move_no_identity() -> None:
    """API-02: a plan in flight is not invalidated by what routes nothing."""
    registry = inventory(classifiers=[Words()], language_detectors=[Lingua()])
    grown = take(
        registry,
        limits=Limits(max_input_bytes=5),
        resolvable=Resolvable(schemes=("s3",), observable_media_types=("text/csv",)),
    )
    assert [each.id for each in grown.classifiers] == ["words"]
    assert grown.language_detectors == ("lingua",)
    assert grown.languages == ("en", "ja")
    assert (grown.limits.max_input_bytes, grown.resolvable.schemes) == (5, ("s3",))
    assert grown.snapshot_id == take(inventory()).snapshot_id


@pytest.mark.parametrize(
    "change",
    [{"model": "another/model"}, {"device": Device.GPU}, {"available": False}, {"media_types": ("image/png",)}],
)
def test_another_model_device_or_availability_is_another_snapshot(change: dict[str, Any]) -> None:
    """API-02: the residency a plan was decided under may no longer be the same guarantee."""
    assert snapshot([VLM]).snapshot_id != snapshot([VLM.model_copy(update=change)]).snapshot_id


def test_another_policy_is_another_snapshot(monkeypatch: pytest.MonkeyPatch) -> None:
    before = snapshot()
    monkeypatch.setattr(module, "POLICY_VERSION", "next")
    assert snapshot().snapshot_id != before.snapshot_id


def test_another_embedding_space_is_another_snapshot() -> None:
    assert snapshot(embedders=[embedder("e", "s")]).snapshot_id != snapshot().snapshot_id


def test_embedders_of_one_space_are_merged_in_registry_order() -> None:
    taken = snapshot(embedders=[embedder("z", "text"), embedder("q", "other"), embedder("a", "text")])
    assert [(space.id, [each.embedder_id for each in space.embedders]) for space in taken.embedding_spaces] == [
        ("other", ["q"]),
        ("text", ["z", "a"]),
    ]


@pytest.mark.parametrize(
    ("change", "words"),
    [({"dimension": 9}, "dimension 9"), ({"metric": "dot"}, "metric dot")],
)
def test_a_later_embedder_that_contradicts_its_space_is_left_out_and_reported(change: Any, words: str) -> None:
    """Vectors of two lengths cannot be compared, whoever is right."""
    taken = snapshot(embedders=[embedder("first", "text"), embedder("later", "text", **change)])
    assert [each.embedder_id for each in taken.embedding_spaces[0].embedders] == ["first"]
    (failure,) = taken.failures
    assert failure.distribution == "dist-later"
    assert failure.reason.startswith(f"embedder later declares {words} for space text, which first declared with ")


def test_an_embedder_that_names_one_space_and_describes_another_is_left_out() -> None:
    liar = embedder("liar", "one")
    liar.space = liar.space.model_copy(update={"id": "two"})
    taken = snapshot(embedders=[liar])
    assert taken.embedding_spaces == ()
    assert [failure.reason for failure in taken.failures] == [
        "embedder liar declares space one and describes space two"
    ]


class FailsLater:
    """A provider that loads, and whose descriptor stops answering after the settings changed."""

    distribution = "dist-broken"

    def __init__(self) -> None:
        self.broken = False

    @property
    def descriptor(self) -> CapabilityDescriptor:
        if self.broken:
            raise ValueError("the setting is gone")
        return OCR

    def read(self, document: Any, pages: Any) -> Any:
        raise AssertionError("taking an inventory runs nothing")


def test_a_provider_that_fails_is_left_out_and_the_others_stay() -> None:
    """API-02."""
    failing = FailsLater()
    registry = build([("one", Contribution(readers=[failing])), ("two", Contribution(readers=[FakeReader(VLM)]))])
    failing.broken = True
    taken = take(registry)
    assert [each.id for each in taken.capabilities] == ["generic-vlm"]
    assert [(each.distribution, each.reason) for each in taken.failures] == [
        ("dist-broken", "ValueError: the setting is gone")
    ]


def test_providers_that_failed_to_load_are_reported() -> None:
    def broken() -> Any:
        raise ImportError("no module named vendor")

    taken = take(build([("vendor", Contribution(embedders=broken))]))
    assert [(each.distribution, each.reason) for each in taken.failures] == [
        ("vendor", "ImportError: no module named vendor")
    ]


def test_a_snapshot_survives_the_wire() -> None:
    taken = snapshot(embedders=[embedder("e", "s")])
    assert CapabilitySnapshot.model_validate_json(taken.model_dump_json()) == taken
