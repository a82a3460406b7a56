"""The inventory: the order components are asked in, what is refused, and what is left out and reported."""

from dataclasses import dataclass

import pytest

from indx_core.contracts.errors import DuplicateComponent
from indx_core.kit.registry import Contribution, build, discover
from indx_core.testing.fakes import (
    FakeChunker,
    FakeClassifier,
    FakeEmbedder,
    FakeEnricher,
    FakeExtractor,
    FakeLoader,
    FakeReader,
)


def test_components_are_asked_in_the_order_their_owners_came() -> None:
    registry = build(
        [("b", Contribution(readers=(FakeReader(id="one"),))), ("a", Contribution(readers=(FakeReader(id="two"),)))]
    )
    assert [reader.descriptor.id for reader in registry.readers] == ["one", "two"]


def test_a_floor_is_asked_after_every_other_chunker() -> None:
    floor, first, second = FakeChunker(id="floor", fallback=True), FakeChunker(id="first"), FakeChunker(id="second")
    registry = build([("a", Contribution(chunkers=(floor, first))), ("b", Contribution(chunkers=(second,)))])
    assert [chunker.id for chunker in registry.chunkers] == ["first", "second", "floor"]


@pytest.mark.parametrize(
    ("one", "other", "named"),
    [
        (Contribution(loaders=(FakeLoader(),)), Contribution(loaders=(FakeLoader(),)), "scheme 'memory'"),
        (Contribution(readers=(FakeReader(),)), Contribution(readers=(FakeReader(),)), "capability 'fake-reader'"),
        (Contribution(chunkers=(FakeChunker(),)), Contribution(chunkers=(FakeChunker(),)), "chunker 'fake-chunker'"),
        (Contribution(embedders=(FakeEmbedder(),)), Contribution(embedders=(FakeEmbedder(),)), "'fake-embedder'"),
        (Contribution(classifiers=(FakeClassifier(id="x"),)), Contribution(enrichers=(FakeEnricher(id="x"),)), "'x'"),
        (Contribution(extractors=(FakeExtractor(id="x"),)), Contribution(enrichers=(FakeEnricher(id="x"),)), "'x'"),
    ],
)
def test_an_id_claimed_twice_is_refused_and_names_both_owners(
    one: Contribution, other: Contribution, named: str
) -> None:
    """Annotators share one namespace over all their ports: a request names one id, whatever it is."""
    with pytest.raises(DuplicateComponent) as refused:
        build([("first-owner", one), ("second-owner", other)])
    assert named in refused.value.message
    assert "first-owner" in refused.value.message
    assert "second-owner" in refused.value.message


def test_what_satisfies_no_port_is_left_out_with_its_whole_contribution() -> None:
    broken = Contribution(loaders=(FakeLoader(),), readers=(object(),))  # type: ignore[arg-type]
    registry = build([("broken", broken), ("sound", Contribution(readers=(FakeReader(),)))])
    assert registry.loaders == ()
    assert [reader.descriptor.id for reader in registry.readers] == ["fake-reader"]
    (failure,) = registry.failures
    assert failure.distribution == "broken"
    assert "port Reader" in failure.reason


def test_a_list_that_depends_on_settings_is_taken_at_every_inventory() -> None:
    embedders: list[FakeEmbedder] = []
    contribution = Contribution(embedders=lambda: embedders)
    assert build([("hosted", contribution)]).embedders == ()
    embedders.append(FakeEmbedder())
    assert len(build([("hosted", contribution)]).embedders) == 1


def test_a_provider_that_fails_while_it_is_asked_is_reported_and_fatal_to_nobody() -> None:
    @dataclass
    class Failing(FakeReader):
        @property
        def descriptor(self):  # type: ignore[no-untyped-def]
            raise RuntimeError("no such device")

    registry = build(
        [("failing", Contribution(readers=(Failing(),))), ("sound", Contribution(loaders=(FakeLoader(),)))]
    )
    assert [failure.reason for failure in registry.failures] == ["RuntimeError: no such device"]
    assert len(registry.loaders) == 1


def test_a_reader_is_found_by_its_capability_id() -> None:
    registry = build([("a", Contribution(readers=(FakeReader(id="one"), FakeReader(id="two"))))])
    found = registry.reader("two")
    assert found is not None
    assert found.descriptor.id == "two"
    assert registry.reader("three") is None


def test_what_ships_is_found_without_being_listed_anywhere() -> None:
    registry = discover()
    assert {"file", "data"} <= {scheme for loader in registry.loaders for scheme in loader.schemes}
    assert registry.reader("text-extraction") is not None
    assert registry.reader("manual-review") is not None
    assert registry.chunkers[-1].id == "page"


def test_chunkers_that_know_a_format_come_before_those_that_know_none() -> None:
    """The line chunker would otherwise take every page of a PDF whose reader located its lines."""
    general = [not chunker.media_types for chunker in discover().chunkers if not chunker.fallback]
    assert general == sorted(general)
