"""Listings: which documents a corpus holds, under which keys, and how a path by hand finds its corpus."""

import unicodedata
from pathlib import Path

import pytest

from indx_core.app.ingest.listing import (
    Corpus,
    corpus_of_path,
    list_corpus,
    partition_name,
    record_listing,
    recorded_corpora,
    recorded_listing,
)
from indx_core.app.installation import Installation
from indx_core.contracts.errors import SourceUnreadable
from indx_core.contracts.ingest import CorpusConfig, Grain, IndxConfig
from indx_core.kit.config import LoadedConfig
from indx_core.kit.lake import Lake, LakeSettings


def listed(corpus: Corpus) -> list[str]:
    """Paths of the corpus that were asked for."""
    sources = list_corpus(corpus, Installation.current().registry)
    return [source.path for source in sources if corpus.covers(source.path)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "docs"
    for name in ("a.txt", "b.pdf", "deep/er/c.txt", "drafts/d.txt", "報告書.txt"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x")
    return root


@pytest.mark.parametrize(
    ("include", "exclude", "paths"),
    [
        (("**",), (), ["a.txt", "b.pdf", "deep/er/c.txt", "drafts/d.txt", "報告書.txt"]),
        (("**/*.txt",), (), ["a.txt", "deep/er/c.txt", "drafts/d.txt", "報告書.txt"]),
        (("*.txt",), (), ["a.txt", "報告書.txt"]),
        (("**",), ("**/drafts/**",), ["a.txt", "b.pdf", "deep/er/c.txt", "報告書.txt"]),
        (("?.pdf", "deep/**"), (), ["b.pdf", "deep/er/c.txt"]),
    ],
)
def test_include_and_exclude_are_globs_of_paths_below_the_root(folder, include, exclude, paths) -> None:
    assert listed(Corpus("c", str(folder), include, exclude)) == paths


def test_a_root_that_is_not_there_is_an_error_and_never_an_empty_corpus(tmp_path: Path) -> None:
    """An empty listing would look like the deletion of every document."""
    with pytest.raises(SourceUnreadable):
        listed(Corpus("c", str(tmp_path / "gone")))


def test_two_names_that_differ_only_in_normalisation_get_two_keys(tmp_path: Path) -> None:
    for form in ("NFC", "NFD"):
        (tmp_path / unicodedata.normalize(form, "がぎ.txt")).write_text(form)
    sources = list_corpus(Corpus("c", str(tmp_path)), Installation.current().registry)
    assert len({source.key for source in sources}) == 2
    assert len({source.uri for source in sources}) == 2


@pytest.mark.parametrize("grain", list(Grain), ids=str)
def test_a_recorded_listing_gives_back_addresses_by_key(folder: Path, tmp_path: Path, grain: Grain) -> None:
    config = IndxConfig(grain=grain, shards=4)
    lake = Lake.open(LakeSettings(lake=str(tmp_path / "lake")))
    sources = list_corpus(Corpus("c", str(folder)), Installation.current().registry)
    record_listing(lake, "c", sources, config)
    assert recorded_corpora(lake) == ["c"]
    wanted = sources[2]
    partition = "c" if grain is Grain.SOURCE else f"c/{partition_name(wanted.key, config)}"
    assert recorded_listing(lake, [partition], {wanted.key}) == [wanted]
    record_listing(lake, "c", sources[:1], config)
    assert wanted.key not in [source.key for source in recorded_listing(lake, lake.partitions("listing"))]


def loaded(folder: Path, **corpora: CorpusConfig) -> LoadedConfig:
    return LoadedConfig(IndxConfig(corpora=corpora), folder.parent)


def test_a_folder_inside_a_configured_root_is_that_corpus_narrowed_to_the_folder(folder: Path) -> None:
    corpus = corpus_of_path(str(folder / "deep"), loaded(folder, main=CorpusConfig(root="docs")))
    assert corpus.name == "main"
    assert listed(corpus) == ["deep/er/c.txt"]


def test_a_file_inside_a_configured_root_is_that_corpus_narrowed_to_the_file(folder: Path) -> None:
    corpus = corpus_of_path(str(folder / "a.txt"), loaded(folder, main=CorpusConfig(root="docs")))
    assert (corpus.name, listed(corpus)) == ("main", ["a.txt"])


def test_a_narrowed_path_keeps_the_corpus_own_include(folder: Path) -> None:
    only_text = loaded(folder, main=CorpusConfig(root="docs", include=("**/*.txt",)))
    corpus = corpus_of_path(str(folder / "b.pdf"), only_text)
    assert listed(corpus) == []


def test_naming_one_file_still_lists_the_whole_corpus(folder: Path) -> None:
    """A listing that held only what was named would look like the deletion of all the rest."""
    corpus = corpus_of_path(str(folder / "a.txt"), loaded(folder, main=CorpusConfig(root="docs")))
    assert len(list_corpus(corpus, Installation.current().registry)) == 5


def test_any_other_folder_is_a_corpus_of_its_own_that_no_second_one_of_that_name_shares(tmp_path: Path) -> None:
    names = set()
    for parent in ("one", "two"):
        root = tmp_path / parent / "Contracts 2026"
        root.mkdir(parents=True)
        (root / "a.txt").write_text("x")
        names.add(corpus_of_path(str(root), LoadedConfig(IndxConfig(), tmp_path)).name)
    assert len(names) == 2
    assert all(name.startswith("contracts-2026-") for name in names)


def test_a_single_file_by_hand_is_a_corpus_of_its_folder_with_that_file_only(folder: Path) -> None:
    corpus = corpus_of_path(str(folder / "a.txt"), LoadedConfig(IndxConfig(), folder))
    assert listed(corpus) == ["a.txt"]
