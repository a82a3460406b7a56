"""Listings in parts: whole in the end, or nothing."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from indx_core.app.ingest import sweep
from indx_core.app.ingest.corpus import Corpus
from indx_core.app.ingest.listing import list_corpus
from indx_core.app.ingest.listings import record_listing
from indx_core.app.ingest.sweep import FOLDER, Part, drop_parts, list_on, slice_after, sources_of_length
from indx_core.contracts.errors import SourceTemporarilyUnreadable
from indx_core.contracts.ingest import Grain, IndxConfig
from indx_core.contracts.source import LoadedSource, SourceEntry
from indx_core.kit.lake import Lake, LakeSettings
from indx_core.kit.registry import Contribution, Registry, build

CORPUS = Corpus("many", "many://root", exclude=("**/*.tmp",))
PATHS = [f"{number // 10}/{number:02}.{'tmp' if number == 7 else 'txt'}" for number in range(25)]


class ManyLoader:
    """A store that lists from a path on, and breaks off where a test says so."""

    distribution = "indx-loader-many"
    schemes = ("many",)

    def __init__(self) -> None:
        self.breaks_at = ""

    def load(self, uri: str, max_bytes: int | None) -> LoadedSource:
        raise NotImplementedError

    def list(self, root: str) -> Iterator[SourceEntry]:
        return self.list_after(root, "")

    def list_after(self, root: str, after: str) -> Iterator[SourceEntry]:
        for path in (path for path in PATHS if path > after):
            if path == self.breaks_at:
                raise SourceTemporarilyUnreadable("slow down")
            yield SourceEntry(f"{root}/{path}", path, len(path), "v1", 0.0)


@pytest.fixture
def loader() -> ManyLoader:
    return ManyLoader()


@pytest.fixture
def registry(loader: ManyLoader) -> Registry:
    return build([("here", Contribution(loaders=(loader,)))])


@pytest.fixture
def lake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lake:
    monkeypatch.setattr(sweep, "LOOK", 10)
    return Lake.open(LakeSettings(lake=str(tmp_path / "lake")))


def parts(lake: Lake) -> list[str]:
    return [item.name for item in lake.store.list(FOLDER)]


def test_a_listing_whose_time_is_up_goes_on_and_is_whole_in_the_end(lake: Lake, registry: Registry) -> None:
    steps = [Part()]
    while steps[-1].sources is None:
        steps.append(list_on(CORPUS, registry, lake, steps[-1], until=0.0))
    assert [(step.after, step.parts) for step in steps[1:-1]] == [("0/09.txt", 1), ("1/19.txt", 2)]
    assert steps[-1].sources == list_corpus(CORPUS, registry)
    assert len(parts(lake)) == 2
    drop_parts(lake, CORPUS, 2)
    assert parts(lake) == []


def test_a_listing_that_has_the_time_leaves_no_parts(lake: Lake, registry: Registry) -> None:
    assert list_on(CORPUS, registry, lake, Part(), until=time.monotonic() + 60).sources is not None
    assert parts(lake) == []


def test_a_listing_that_breaks_off_goes_on_from_the_last_part(
    lake: Lake, registry: Registry, loader: ManyLoader
) -> None:
    first = list_on(CORPUS, registry, lake, Part(), until=0.0)
    loader.breaks_at = "1/12.txt"
    with pytest.raises(SourceTemporarilyUnreadable):
        list_on(CORPUS, registry, lake, first, until=0.0)
    loader.breaks_at = ""
    assert list_on(CORPUS, registry, lake, first, until=time.monotonic() + 60).sources == list_corpus(CORPUS, registry)


def test_a_part_that_is_gone_begins_the_listing_anew_and_never_passes_for_deletions(
    lake: Lake, registry: Registry
) -> None:
    done = list_on(CORPUS, registry, lake, Part(), until=0.0)
    lake.store.delete(parts(lake)[0])
    assert list_on(CORPUS, registry, lake, done, until=time.monotonic() + 60) == Part()


@pytest.mark.parametrize("grain", list(Grain))
def test_slices_hold_every_document_once_in_the_order_of_their_partitions(
    lake: Lake, registry: Registry, grain: Grain, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep, "SLICE", 4)
    config = IndxConfig(grain=grain, shards=8)
    listed = list_corpus(CORPUS, registry)
    record_listing(lake, CORPUS.name, listed, config)
    found, after = [], ""
    while True:
        some, after = slice_after(lake, CORPUS.name, config, after)
        if not some:
            break
        found.append(some)
    assert sorted(source.key for some in found for source in some) == [source.key for source in listed]
    assert len(found) > 1
    of_length = sources_of_length(lake, CORPUS.name, config, {len(PATHS[0])})
    assert sorted(source.key for source in of_length) == [source.key for source in listed]
    assert sources_of_length(lake, CORPUS.name, config, {1}) == []
