"""The listing of a directory: whole, in the order of paths, harmless links."""

import os
import unicodedata
from pathlib import Path

import pytest

from indx_core.contracts.errors import SourceUnreadable
from indx_core.contracts.source import SourceEntry
from indx_core.kit.intake import list_root
from indx_core.kit.registry import Contribution, build
from indx_core.loaders.file.loader import FileLoader


def _list(root: Path) -> list[SourceEntry]:
    return list(FileLoader().list(root.as_uri()))


def _paths(root: Path) -> list[str]:
    return [entry.path for entry in _list(root)]


def _write(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(path.encode())


def test_a_listing_is_sorted_by_the_whole_path(tmp_path: Path) -> None:
    """A walk by directory would put a/c.txt before a-b.txt, since it sorts names and not paths."""
    paths = ["a/c.txt", "a-b.txt", "a.txt", "Z.txt", ".hidden", "あ/い.pdf", "あ.pdf", "a/b/c/d.txt"]
    _write(tmp_path, *paths)
    assert _paths(tmp_path) == sorted(paths)


def test_a_listing_goes_on_from_any_path_and_has_the_whole_rest(tmp_path: Path) -> None:
    _write(
        tmp_path,
        "a/c.txt",
        "a-b.txt",
        "a.txt",
        "Z.txt",
        ".hidden",
        "あ/い.pdf",
        "あ.pdf",
        "a/b/c/d.txt",
        "a0/x",
        "a/b0",
    )
    whole = _list(tmp_path)
    assert list(FileLoader().list_after(tmp_path.as_uri(), "")) == whole
    for number, entry in enumerate(whole):
        assert list(FileLoader().list_after(tmp_path.as_uri(), entry.path)) == whole[number + 1 :], entry.path


def test_a_directory_that_is_done_with_is_not_opened_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What one tick of a sensor has listed costs the next one nothing."""
    _write(tmp_path, "a/1", "a/2", "b/1", "b/2", "c/1")
    opened: list[str] = []
    scandir = os.scandir

    def scan(directory: Path) -> object:
        opened.append(Path(directory).name)
        return scandir(directory)

    monkeypatch.setattr(os, "scandir", scan)
    assert [entry.path for entry in FileLoader().list_after(tmp_path.as_uri(), "b/1")] == ["b/2", "c/1"]
    assert opened == [tmp_path.name, "b", "c"]


def test_an_empty_directory_has_no_entries(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert _list(tmp_path) == []


def test_a_version_changes_when_the_file_is_written(tmp_path: Path) -> None:
    _write(tmp_path, "a")
    (before,) = _list(tmp_path)
    assert before.version == f"{before.size}-{(tmp_path / 'a').stat().st_mtime_ns}"
    os.utime(tmp_path / "a", ns=(1, 1))
    (after,) = _list(tmp_path)
    assert after.version != before.version
    assert after.size == before.size


def test_a_decomposed_name_has_a_composed_path_and_its_own_uri(tmp_path: Path) -> None:
    """A name written by a Mac: the path is what a person types, the URI what the disk holds."""
    name = unicodedata.normalize("NFD", "がぎぐ.txt")
    _write(tmp_path, name)
    (entry,) = _list(tmp_path)
    assert entry.path == "がぎぐ.txt"
    assert entry.path != name
    assert FileLoader().load(entry.uri, None).data == name.encode()


def test_two_names_that_differ_in_normalisation_alone_both_keep_a_path(tmp_path: Path) -> None:
    composed, decomposed = "が.txt", unicodedata.normalize("NFD", "が.txt")
    _write(tmp_path, composed, decomposed)
    if len(list(tmp_path.iterdir())) == 1:
        pytest.skip("this file system normalises names itself")
    entries = _list(tmp_path)
    assert len({entry.path for entry in entries}) == 2
    assert composed in {entry.path for entry in entries}
    contents = {entry.path: FileLoader().load(entry.uri, None).data for entry in entries}
    assert contents[composed] == composed.encode()


def test_links_to_files_inside_are_listed_and_every_other_link_is_named_in_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    root = tmp_path / "root"
    _write(tmp_path, "root/a.txt", "root/sub/b.txt", "outside/c.txt")
    (root / "to-file").symlink_to(root / "a.txt")
    (root / "to-directory").symlink_to(root / "sub")
    (root / "to-parent").symlink_to(root)
    (root / "to-outside").symlink_to(tmp_path / "outside")
    (root / "to-outside-file").symlink_to(tmp_path / "outside" / "c.txt")
    (root / "to-nothing").symlink_to(root / "gone")
    (root / "circle").symlink_to(root / "circle")
    assert _paths(root) == ["a.txt", "sub/b.txt", "to-file"]
    assert {record.getMessage().replace(f"{root}/", "") for record in caplog.records} == {
        "a link is not listed, since it leads to a directory: to-directory",
        "a link is not listed, since it leads to a directory: to-parent",
        "a link is not listed, since it leaves the root: to-outside",
        "a link is not listed, since it leaves the root: to-outside-file",
        "a link is not listed, since it leads nowhere: to-nothing",
        "a link is not listed, since it leads nowhere: circle",
    }


def test_a_pipe_a_folder_and_what_lies_elsewhere_are_not_located(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "away").symlink_to(tmp_path / "folder")
    (tmp_path / "folder" / "a.txt").write_text("x")
    loader, root = FileLoader(), tmp_path.as_uri()
    assert [loader.locate(f"{root}/{name}", root) for name in ("pipe", "folder", "gone", "away/a.txt")] == [None] * 4
    assert loader.locate(root, root) is None


def test_pipes_are_not_listed(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert _list(tmp_path) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every directory")
def test_a_directory_that_cannot_be_read_raises_and_names_it_below_the_root(tmp_path: Path) -> None:
    _write(tmp_path, "a/1.txt", "b/2.txt")
    (tmp_path / "b").chmod(0)
    try:
        with pytest.raises(SourceUnreadable, match="broke off at b/") as refused:
            _list(tmp_path)
        assert str(tmp_path) not in refused.value.message
    finally:
        (tmp_path / "b").chmod(0o700)


def test_a_directory_that_disappears_while_it_is_listed_raises(tmp_path: Path) -> None:
    """A network mount that drops looks the same, and nothing below it was deleted."""
    _write(tmp_path, "a/1.txt", "b/2.txt")
    listing = FileLoader().list(tmp_path.as_uri())
    assert next(listing).path == "a/1.txt"
    (tmp_path / "b" / "2.txt").unlink()
    (tmp_path / "b").rmdir()
    with pytest.raises(SourceUnreadable):
        list(listing)


@pytest.mark.parametrize("name", ["missing", "file.txt"])
def test_a_root_that_is_no_directory_is_refused_before_the_first_entry(tmp_path: Path, name: str) -> None:
    _write(tmp_path, "file.txt")
    with pytest.raises(SourceUnreadable, match="not a directory"):
        FileLoader().list((tmp_path / name).as_uri())


def test_a_root_may_be_a_plain_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    registry = build([("file", Contribution(loaders=(FileLoader(),)))])
    _write(tmp_path, "書類/a.txt")
    assert [entry.path for entry in list_root(str(tmp_path / "書類"), registry)] == ["a.txt"]
    monkeypatch.chdir(tmp_path)
    assert [entry.path for entry in list_root("書類", registry)] == ["a.txt"]
    assert [entry.path for entry in list_root(tmp_path.as_uri() + "/", registry)] == ["書類/a.txt"]
