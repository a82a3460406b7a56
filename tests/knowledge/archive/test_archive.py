"""The archive: one file, the same bytes for the same space, and nothing believed that was not checked."""

import hashlib
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from knowledge.spaces import small_space

from indx_core.contracts.errors import ArchiveInvalid
from indx_core.kit.settings import overriding
from indx_core.knowledge.archive import unpack
from indx_core.knowledge.search.lexical import LexicalIndex
from indx_core.knowledge.space import KnowledgeSpace


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "space.indx"
    small_space().save(path)
    return path


def rewritten(path: Path, change: Callable[[dict[str, bytes]], None], **compress: int) -> Path:
    """The archive with its members changed, every one stored."""
    with zipfile.ZipFile(path) as old:
        members = {name: old.read(name) for name in old.namelist()}
    change(members)
    with zipfile.ZipFile(path, "w") as new:
        for name, data in members.items():
            new.writestr(name, data, **compress)
    return path


@pytest.mark.parametrize("vectors", [True, False])
def test_a_space_survives_the_way_through_its_archive(tmp_path: Path, vectors: bool) -> None:
    space = small_space(vectors=vectors)
    space.save(tmp_path / "space.indx")
    assert KnowledgeSpace.load(tmp_path / "space.indx") == space


def test_the_same_space_gives_the_same_bytes(archive: Path, tmp_path: Path) -> None:
    small_space().save(tmp_path / "again.indx")
    KnowledgeSpace.load(archive).save(tmp_path / "loaded.indx")
    assert (tmp_path / "again.indx").read_bytes() == archive.read_bytes()
    assert (tmp_path / "loaded.indx").read_bytes() == archive.read_bytes()


def test_matrices_are_memory_mapped_inside_the_archive(archive: Path) -> None:
    vectors = KnowledgeSpace.load(archive).vectors["default-text"]
    assert isinstance(vectors.matrix, np.memmap)
    assert vectors.matrix.flags.aligned
    assert vectors.matrix.dtype == np.float32
    assert vectors.encoder == {"dimension": 3}


def test_the_words_of_a_loaded_space_are_not_indexed_again(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LexicalIndex, "build", lambda _: pytest.fail("indexed again"))
    loaded = KnowledgeSpace.load(archive)
    assert isinstance(loaded.lexical.owners, np.memmap)
    assert [hit.chunk.id for hit in loaded.search("保存期間", words_only=True)] == ["chunk_0002"]


def test_words_cut_by_another_version_are_indexed_anew(archive: Path) -> None:
    """And an archive of a version that kept no words is read, too."""

    def older(members: dict[str, bytes]) -> None:
        manifest = json.loads(members["manifest.json"])
        manifest["lexical"]["analysis"] = "0"
        members["manifest.json"] = json.dumps(manifest).encode()

    loaded = KnowledgeSpace.load(rewritten(archive, older))
    assert [hit.chunk.id for hit in loaded.search("保存期間", words_only=True)] == ["chunk_0002"]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("lengths", np.zeros(2, "<i4")),
        ("owners", np.full(3, 7, "<i4")),
        ("frequencies", np.zeros(1, "<u2")),
        ("offsets", np.zeros(4, "<i8")),
    ],
)
def test_an_inverted_index_that_does_not_fit_is_refused(archive: Path, name: str, values: np.ndarray) -> None:
    """Its digests are right: only what the arrays say together is wrong."""

    def wrong(members: dict[str, bytes]) -> None:
        data = io.BytesIO()
        np.lib.format.write_array(data, values, version=(1, 0))
        members[f"lexical/{name}.npy"] = data.getvalue()
        manifest = json.loads(members["manifest.json"])
        about = {"bytes": len(data.getvalue()), "sha256": hashlib.sha256(data.getvalue()).hexdigest()}
        manifest["members"][f"lexical/{name}.npy"] = about
        members["manifest.json"] = json.dumps(manifest).encode()

    with pytest.raises(ArchiveInvalid, match="inverted index"):
        KnowledgeSpace.load(rewritten(archive, wrong))


def test_an_unpacked_archive_reads_the_same(archive: Path, tmp_path: Path) -> None:
    unpack(archive, tmp_path / "folder")
    assert KnowledgeSpace.load(tmp_path / "folder") == KnowledgeSpace.load(archive)
    assert np.load(tmp_path / "folder/embeddings/0.npy", mmap_mode="r").shape == (2, 3)


def test_the_archive_is_a_zip_file_for_everyone(archive: Path) -> None:
    with zipfile.ZipFile(archive) as file:
        assert file.testzip() is None
        assert file.namelist() == [
            "index.json",
            "embeddings/0.npy",
            "embeddings/0.rows.npy",
            *(f"lexical/{name}.npy" for name in ("terms", "offsets", "owners", "frequencies", "lengths")),
            "manifest.json",
        ]
        assert {info.date_time for info in file.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_a_failed_save_leaves_the_old_archive(archive: Path) -> None:
    before = archive.read_bytes()
    broken = small_space().model_copy(update={"metadata": {"x": float("nan")}})
    with pytest.raises(ValueError, match="JSON"):
        broken.save(archive)
    assert archive.read_bytes() == before
    assert [path.name for path in archive.parent.iterdir()] == ["space.indx"]


def changed_index(members: dict[str, bytes]) -> None:
    members["index.json"] = members["index.json"].replace(b"90 days", b"91 days")


def with_manifest(**fields: object) -> Callable[[dict[str, bytes]], None]:
    def change(members: dict[str, bytes]) -> None:
        members["manifest.json"] = json.dumps({**json.loads(members["manifest.json"]), **fields}).encode()

    return change


def escaping(name: str) -> Callable[[dict[str, bytes]], None]:
    return lambda members: members.update({name: b"x"})


def longer_rows(members: dict[str, bytes]) -> None:
    members["embeddings/0.rows.npy"] += b"\0\0\0\0"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (changed_index, "'index.json' is not what the manifest says"),
        (longer_rows, "'embeddings/0.rows.npy' is not what"),
        (lambda members: members.pop("embeddings/0.npy"), "but not in both"),
        (lambda members: members.pop("manifest.json"), "one of them is missing"),
        (escaping("../evil"), "would leave"),
        (escaping("/etc/passwd"), "would leave"),
        (escaping("a\\b"), "would leave"),
        (escaping("more.txt"), "but not in both"),
        (with_manifest(format="zip"), "not indx"),
        (with_manifest(members=3), "does not describe"),
        (with_manifest(version="2.0"), "schema version 2.0 cannot be read here"),
    ],
)
def test_an_archive_that_fails_a_check_is_refused(archive: Path, change: Callable, said: str) -> None:
    with pytest.raises(ArchiveInvalid, match=said):
        KnowledgeSpace.load(rewritten(archive, change))


def test_a_compressed_matrix_is_refused(archive: Path) -> None:
    """It could not be memory-mapped, and its declared size would not be its size on disk."""
    with pytest.raises(ArchiveInvalid, match="compressed"):
        KnowledgeSpace.load(rewritten(archive, lambda _members: None, compress_type=zipfile.ZIP_DEFLATED))


def test_a_compressed_matrix_is_refused_before_it_is_unpacked(archive: Path) -> None:
    """A few kilobytes may unpack to terabytes: what is in it is not looked at, so that it differs is not said."""
    with pytest.raises(ArchiveInvalid, match="compressed"):
        KnowledgeSpace.load(rewritten(archive, longer_rows, compress_type=zipfile.ZIP_DEFLATED))


@pytest.mark.parametrize("cut", [0, 1, 100, -1, -30])
def test_a_truncated_archive_is_refused(archive: Path, cut: int) -> None:
    archive.write_bytes(archive.read_bytes()[:cut])
    with pytest.raises(ArchiveInvalid):
        KnowledgeSpace.load(archive)


def test_a_missing_archive_is_a_typed_error(tmp_path: Path) -> None:
    with pytest.raises(ArchiveInvalid, match=r"there is no archive nothing\.indx"):
        KnowledgeSpace.load(tmp_path / "nothing.indx")


@pytest.mark.parametrize("setting", ["INDX_ARCHIVE_MAX_MEMBERS", "INDX_ARCHIVE_MAX_INDEX_BYTES"])
def test_limits_are_named_with_the_variable_that_raises_them(archive: Path, setting: str) -> None:
    with overriding({setting: "3"}), pytest.raises(ArchiveInvalid) as refused:
        KnowledgeSpace.load(archive)
    assert setting in str(refused.value.remedy)


@pytest.mark.parametrize("seed", range(40))
def test_a_damaged_archive_is_a_typed_error_or_the_same_space(archive: Path, seed: int) -> None:
    """Bytes flipped anywhere: nothing else than ``ArchiveInvalid`` may come out."""
    data = bytearray(archive.read_bytes())
    generator = np.random.default_rng(seed)
    for at in generator.integers(0, len(data), 3):
        data[at] ^= int(generator.integers(1, 256))
    archive.write_bytes(data)
    try:
        space = KnowledgeSpace.load(archive)
    except ArchiveInvalid:
        return
    assert space == small_space()
