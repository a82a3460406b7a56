"""Listings: which documents a corpus holds, under which keys, and how a path by hand finds its corpus."""

import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest

from indx_core.app.ingest.corpus import Corpus, corpus_of_path
from indx_core.app.ingest.listing import list_corpus
from indx_core.app.ingest.listings import (
    partition_name,
    record_listing,
    record_single,
    recorded_corpora,
    recorded_listing,
)
from indx_core.app.installation import Installation
from indx_core.contracts.errors import SourceUnreadable
from indx_core.contracts.ingest import CorpusConfig, Grain, IndxConfig
from indx_core.kit.config import LoadedConfig
from indx_core.kit.lake import Lake, LakeSettings


def by_hand(path: str, loaded: LoadedConfig) -> Corpus:
    return corpus_of_path(path, loaded, Installation.current().registry)


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


def test_a_name_with_a_line_feed_is_a_document_as_any_other(tmp_path: Path) -> None:
    (tmp_path / "a\nb.txt").write_bytes(b"text")
    assert listed(Corpus("docs", str(tmp_path))) == ["a\nb.txt"]


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
    corpus = by_hand(str(folder / "deep"), loaded(folder, main=CorpusConfig(root="docs")))
    assert corpus.name == "main"
    assert listed(corpus) == ["deep/er/c.txt"]


def test_a_file_inside_a_configured_root_is_that_corpus_narrowed_to_the_file(folder: Path) -> None:
    corpus = by_hand(str(folder / "a.txt"), loaded(folder, main=CorpusConfig(root="docs")))
    assert (corpus.name, listed(corpus)) == ("main", ["a.txt"])


def test_a_narrowed_path_keeps_the_corpus_own_include(folder: Path) -> None:
    only_text = loaded(folder, main=CorpusConfig(root="docs", include=("**/*.txt",)))
    corpus = by_hand(str(folder / "b.pdf"), only_text)
    assert listed(corpus) == []


def test_naming_a_folder_still_lists_the_whole_corpus(folder: Path) -> None:
    """A listing that held only what was named would look like the deletion of all the rest."""
    corpus = by_hand(str(folder / "deep"), loaded(folder, main=CorpusConfig(root="docs")))
    assert not corpus.single
    assert len(list_corpus(corpus, Installation.current().registry)) == 5


def test_any_other_folder_is_a_corpus_of_its_own_that_no_second_one_of_that_name_shares(tmp_path: Path) -> None:
    names = set()
    for parent in ("one", "two"):
        root = tmp_path / parent / "Contracts 2026"
        root.mkdir(parents=True)
        (root / "a.txt").write_text("x")
        names.add(by_hand(str(root), LoadedConfig(IndxConfig(), tmp_path)).name)
    assert len(names) == 2
    assert all(name.startswith("contracts-2026-") for name in names)


NAMES = ["a.txt", "報告書.txt", unicodedata.normalize("NFD", "がぎ.txt"), "a b%20#?.txt", "deep/er/c.txt"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("configured", [True, False], ids=["configured", "not configured"])
def test_a_file_by_hand_is_listed_alone_and_as_its_folder_lists_it(folder: Path, name: str, configured: bool) -> None:
    """Key, address and version are the same, so that neither way of naming it makes a second document of it."""
    file = folder / name
    file.write_text("x")
    config = loaded(folder, main=CorpusConfig(root="docs")) if configured else LoadedConfig(IndxConfig(), folder)
    registry = Installation.current().registry
    (folder / "unreadable").mkdir(mode=0)
    alone = list_corpus(by_hand(str(file), config), registry)
    (folder / "unreadable").rmdir()
    whole = list_corpus(by_hand(str(folder if configured else file.parent), config), registry)
    assert alone == [source for source in whole if Path(source.uri).name == Path(file.as_uri()).name]
    assert len(alone) == 1


def test_a_file_whose_name_gives_way_to_a_neighbours_keeps_the_key_its_folder_gives_it(folder: Path) -> None:
    twins = [folder / unicodedata.normalize(form, "がぎ.txt") for form in ("NFC", "NFD")]
    for twin in twins:
        twin.write_text(twin.name)
    config, registry = LoadedConfig(IndxConfig(), folder), Installation.current().registry
    whole = {source.uri: source.key for source in list_corpus(by_hand(str(folder), config), registry)}
    for twin in twins:
        (alone,) = list_corpus(by_hand(str(twin), config), registry)
        assert alone.key == whole[alone.uri]


@pytest.mark.parametrize("grain", list(Grain), ids=str)
def test_recording_one_document_leaves_the_recorded_neighbours_alone(folder, tmp_path, grain: Grain) -> None:
    config = IndxConfig(grain=grain, shards=2)
    lake, registry = Lake.open(LakeSettings(lake=str(tmp_path / "lake"))), Installation.current().registry
    corpus = by_hand(str(folder), LoadedConfig(config, folder))
    record_listing(lake, corpus.name, list_corpus(corpus, registry), config)
    (folder / "a.txt").write_text("changed")
    (folder / "b.pdf").unlink()
    (alone,) = list_corpus(by_hand(str(folder / "a.txt"), LoadedConfig(config, folder)), registry)
    assert record_single(lake, alone, config) == alone
    recorded = {source.path: source for source in recorded_listing(lake, lake.partitions("listing"))}
    assert len(recorded) == 5
    assert recorded["a.txt"] == alone


def test_a_document_that_was_told_apart_keeps_its_key_when_it_is_recorded_alone(folder: Path, tmp_path: Path) -> None:
    """Told apart was it from a document that may be gone now, and its rows stand under the key it was given."""
    lake, registry, config = (
        Lake.open(LakeSettings(lake=str(tmp_path / "lake"))),
        Installation.current().registry,
        IndxConfig(),
    )
    (alone,) = list_corpus(by_hand(str(folder / "a.txt"), LoadedConfig(config, folder)), registry)
    told_apart = replace(alone, key=f"{alone.corpus}/a.txt~0123456789ab")
    record_listing(lake, alone.corpus, [told_apart], config)
    assert record_single(lake, alone, config) == told_apart


def test_a_file_that_is_gone_and_a_link_out_of_the_folder_are_no_documents(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "outside.txt").write_text("x")
    (folder / "out.txt").symlink_to(tmp_path / "outside.txt")
    for name in ("gone.txt", "out.txt"):
        with pytest.raises(SourceUnreadable):
            listed(by_hand(str(folder / name), LoadedConfig(IndxConfig(), folder)))


def test_a_name_that_is_nothing_here_says_which_corpora_there_are(folder: Path) -> None:
    with pytest.raises(SourceUnreadable, match="no file or folder here, and no corpus") as error:
        by_hand("mian", loaded(folder, main=CorpusConfig(root="docs")))
    assert "main" in error.value.remedy


def test_a_link_to_a_file_inside_is_the_document_its_folder_lists(folder: Path) -> None:
    (folder / "link.txt").symlink_to(folder / "a.txt")
    assert listed(by_hand(str(folder / "link.txt"), LoadedConfig(IndxConfig(), folder))) == ["link.txt"]


def test_a_file_that_its_corpus_excludes_is_left_out_and_named(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    config = loaded(folder, main=CorpusConfig(root="docs", exclude=("drafts/**",)))
    assert listed(by_hand(str(folder / "drafts/d.txt"), config)) == []
    assert "left out of main by its include and exclude: drafts/d.txt" in caplog.text


SYSTEM = [
    ".DS_Store",
    "._a.txt",
    "deep/.git/objects/ab/cd",
    "~$報告書.docx",
    "deep/THUMBS.DB",
    "Desktop.ini",
    "__MACOSX/a.txt",
    "deep/@eaDir/a.txt@SynoResource",
    "$RECYCLE.BIN/S-1-5/desktop.ini",
    ".~lock.a.odt#",
]


def test_files_of_systems_are_left_out_counted_and_the_first_are_named(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Each would be a refusal, or a document nobody wrote."""
    for name in SYSTEM:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x")
    (folder / "thumbs.db.txt").write_text("x")
    assert listed(Corpus("c", str(folder))) == [
        "a.txt",
        "b.pdf",
        "deep/er/c.txt",
        "drafts/d.txt",
        "thumbs.db.txt",
        "報告書.txt",
    ]
    (warning,) = caplog.messages
    assert "10 system files" in warning
    assert ".DS_Store" in warning
    assert "and 5 more" in warning


def test_what_counts_as_a_file_of_a_system_is_said_in_the_configuration(folder: Path) -> None:
    (folder / ".well-known").write_text("x")
    config = LoadedConfig(IndxConfig(ignore=("**/*.pdf",)), folder)
    assert listed(by_hand(str(folder), config)) == [
        ".well-known",
        "a.txt",
        "deep/er/c.txt",
        "drafts/d.txt",
        "報告書.txt",
    ]
