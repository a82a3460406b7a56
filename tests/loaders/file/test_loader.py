"""file: URIs: addresses, roots, devices, limits."""

import os
from pathlib import Path

import pytest

from indx_core.contracts.errors import InputTooLarge, SourceForbidden, SourceUnreadable
from indx_core.loaders.file.loader import FileLoader
from indx_core.testing.conformance import check_lister, check_loader

LOADER = FileLoader()


def test_the_file_loader_conforms(tmp_path: Path) -> None:
    (tmp_path / "報告 書.txt").write_bytes(b"text")
    check_loader(LOADER, (tmp_path / "報告 書.txt").as_uri(), b"text", (tmp_path / "missing").as_uri())
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b.csv").write_bytes(b"1,2")
    check_lister(LOADER, tmp_path.as_uri(), ["報告 書.txt", "a/b.csv"], (tmp_path / "missing").as_uri())


NAMES = ["報告書.txt", "a b.txt", "a#1.txt", "what?.txt", "a+b.txt", "e\u0301.txt", "半角ｶﾅ.txt"]


@pytest.mark.parametrize("name", [*NAMES, "100%.txt"])
def test_a_percent_encoded_name_is_found(tmp_path: Path, name: str) -> None:
    _check_found(tmp_path, name, (tmp_path / name).as_uri())


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_found_as_it_is_typed(tmp_path: Path, name: str) -> None:
    """``file://$PWD/報告書.txt`` is what people type; ``file:`` has no query and no fragment to cut off."""
    _check_found(tmp_path, name, f"file://{tmp_path}/{name}")


def _check_found(folder: Path, name: str, uri: str) -> None:
    (folder / name).write_bytes(b"found")
    loaded = LOADER.load(uri, None)
    assert (loaded.data, loaded.filename, loaded.uri) == (b"found", name, uri)


@pytest.mark.parametrize("prefix", ["file:", "file://", "file://localhost", "FILE://LocalHost"])
def test_every_spelling_of_a_local_file_is_read(tmp_path: Path, prefix: str) -> None:
    (tmp_path / "a").write_bytes(b"found")
    assert LOADER.load(f"{prefix}{tmp_path}/a", None).data == b"found"


@pytest.mark.parametrize(
    ("uri", "says"),
    [
        ("file://server/share/a", "this machine only"),
        ("file:relative/a", "absolute path"),
        ("file:", "absolute path"),
        ("file:///a%00b", "no path can hold"),
        ("file:///a\ud800b", "no path can hold"),
        ("file:///no/such/file", "No such file"),
        ("file:///" + "a" * 5000, "too long"),
    ],
)
def test_an_address_that_names_no_file_says_what_is_wrong_with_it(uri: str, says: str) -> None:
    with pytest.raises(SourceUnreadable, match=says):
        LOADER.load(uri, None)


def test_a_file_that_is_not_there_is_a_path_to_check(tmp_path: Path) -> None:
    """ "Check that the file opens in its own program" sends nobody to the misspelt path."""
    with pytest.raises(SourceUnreadable, match="No such file or directory") as refused:
        LOADER.load((tmp_path / "absent.pdf").as_uri(), None)
    assert refused.value.remedy == "check the path"


def test_a_name_that_is_not_utf_8_is_read_and_printable(tmp_path: Path) -> None:
    raw = os.fsencode(tmp_path) + b"/\xff.txt"
    Path(os.fsdecode(raw)).write_bytes(b"found")
    (entry,) = LOADER.list(tmp_path.as_uri())
    loaded = LOADER.load(entry.uri, None)
    assert loaded.data == b"found"
    assert loaded.filename == entry.path == "\\xff.txt"


def test_a_directory_and_a_pipe_are_not_read(tmp_path: Path) -> None:
    """Opening a pipe that nobody writes to would never return."""
    os.mkfifo(tmp_path / "pipe")
    for name in ("", "pipe"):
        with pytest.raises(SourceUnreadable, match=r"no regular file|Is a directory"):
            LOADER.load((tmp_path / name).as_uri(), None)
    with pytest.raises(SourceUnreadable):
        LOADER.load("file:///dev/zero", None)


def test_a_file_that_says_it_is_empty_is_still_bounded() -> None:
    """Files under /proc report size 0 and hold bytes."""
    if not Path("/proc/self/status").exists():
        pytest.skip("needs a proc file system")
    with pytest.raises(InputTooLarge):
        LOADER.load("file:///proc/self/status", 10)


class TestRoots:
    """INDX_LOADER_FILE_ROOTS: what resolves outside is refused, however it is spelled."""

    @pytest.fixture
    def inside(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        (tmp_path / "in").mkdir()
        (tmp_path / "in-too").mkdir()
        (tmp_path / "out").mkdir()
        (tmp_path / "in" / "a").write_bytes(b"inside")
        (tmp_path / "out" / "a").write_bytes(b"outside")
        (tmp_path / "in-too" / "a").write_bytes(b"outside")
        monkeypatch.setenv("INDX_LOADER_FILE_ROOTS", f"/no/such/root, {tmp_path / 'in'}")
        return tmp_path / "in"

    def test_a_file_inside_is_read(self, inside: Path) -> None:
        assert LOADER.load((inside / "a").as_uri(), None).data == b"inside"

    @pytest.mark.parametrize("path", ["out/a", "in/../out/a", "in-too/a", "out/missing", "in/%2e%2e/out/a"])
    def test_a_path_outside_is_refused_whether_or_not_anything_is_there(self, inside: Path, path: str) -> None:
        with pytest.raises(SourceForbidden, match="INDX_LOADER_FILE_ROOTS"):
            LOADER.load(f"file://{inside.parent}/{path}", None)

    def test_a_link_out_is_refused_and_where_it_leads_is_only_in_the_log(
        self, inside: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        (inside / "link").symlink_to(inside.parent / "out" / "a")
        with pytest.raises(SourceForbidden) as refused:
            LOADER.load((inside / "link").as_uri(), None)
        assert "out" not in refused.value.message.replace("outside", "")
        assert str(inside.parent / "out" / "a") in caplog.text

    def test_a_link_into_a_root_is_followed(self, inside: Path) -> None:
        (inside.parent / "out" / "link").symlink_to(inside / "a")
        assert LOADER.load((inside.parent / "out" / "link").as_uri(), None).data == b"inside"

    def test_a_root_that_is_a_link_itself_counts_by_where_it_leads(
        self, inside: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (inside.parent / "alias").symlink_to(inside)
        monkeypatch.setenv("INDX_LOADER_FILE_ROOTS", str(inside.parent / "alias"))
        assert LOADER.load((inside / "a").as_uri(), None).data == b"inside"

    def test_a_listing_outside_is_refused(self, inside: Path) -> None:
        with pytest.raises(SourceForbidden):
            LOADER.list((inside.parent / "out").as_uri())

    def test_a_circle_of_links_is_refused(self, inside: Path) -> None:
        (inside / "x").symlink_to(inside / "y")
        (inside / "y").symlink_to(inside / "x")
        with pytest.raises(SourceUnreadable):
            LOADER.load((inside / "x").as_uri(), None)
