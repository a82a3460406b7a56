"""The lake in a folder: whole partitions, merged documents, listings, datasets."""

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kit.lake.table_rows import chunk, chunks, vectors

from indx_core.contracts.errors import LakeUnavailable, SettingsInvalid
from indx_core.kit.lake import Lake, LakeSettings, encode_table
from indx_core.kit.lake import encode as encoding
from indx_core.kit.settings import overriding


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    return Lake.open(LakeSettings(lake=str(tmp_path / "lake")))


def texts(lake: Lake, partition: str) -> list[tuple[str, str]]:
    table = lake.read("chunks", partition)
    return [] if table is None else list(zip(table["key"].to_pylist(), table["text"].to_pylist(), strict=True))


def test_a_partition_is_written_read_replaced_and_deleted(lake: Lake) -> None:
    key = "filings/決算 #1.pdf"
    assert lake.read("chunks", key) is None
    lake.write("chunks", key, encode_table(chunks(chunk(key, text="旧"))))
    lake.write("chunks", key, encode_table(chunks(chunk(key, text="新"))))
    assert texts(lake, key) == [(key, "新")]
    lake.delete("chunks", key)
    lake.delete("chunks", key)
    assert lake.read("chunks", key) is None


def test_writing_nothing_removes_the_partition(lake: Lake) -> None:
    lake.write("tags", "c/a", encode_table(chunks(chunk("c/a"))))
    lake.write("tags", "c/a", None)
    assert lake.partitions("tags") == []


def test_a_table_nobody_declared_is_refused(lake: Lake) -> None:
    with pytest.raises(KeyError):
        lake.write("nonsense", "c/a", b"")


def test_partitions_are_listed_by_their_keys(lake: Lake) -> None:
    keys = ["c/b", "c/a#", "日本/語 .pdf", "c/" + "鉄" * 100, "c/.hidden", "c/a.parquet/b", "c/a"]
    for key in keys:
        lake.write("chunks", key, encode_table(chunks(chunk(key))))
    assert lake.partitions("chunks") == sorted(keys)
    assert lake.partitions("pages") == []


def test_a_write_that_fails_leaves_the_old_object_and_no_litter(lake: Lake, tmp_path: Path) -> None:
    lake.write("chunks", "c/a", encode_table(chunks(chunk("c/a", text="旧"))))
    with pytest.raises(TypeError):
        lake.write("chunks", "c/a", "not bytes")  # type: ignore[arg-type]
    assert texts(lake, "c/a") == [("c/a", "旧")]
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == ["a.parquet", "schema.json"]


def test_a_half_written_file_of_a_killed_process_is_not_a_partition(lake: Lake, tmp_path: Path) -> None:
    lake.write("chunks", "c/a", encode_table(chunks(chunk("c/a"))))
    (tmp_path / "lake" / "chunks" / "c" / ".write-1-0").write_bytes(b"PAR1")
    assert lake.partitions("chunks") == ["c/a"]
    assert lake.dataset("chunks").count_rows() == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_a_typed_error_without_its_path(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(LakeUnavailable) as error:
        Lake.open(LakeSettings(lake=str(tmp_path / "lake"))).write("chunks", "c/a", b"")
    assert str(tmp_path) not in error.value.message


def test_a_lake_that_is_a_file_is_a_typed_error_without_its_path(tmp_path: Path) -> None:
    (tmp_path / "lake").write_text("")
    with pytest.raises(LakeUnavailable) as error:
        Lake.open(LakeSettings(lake=str(tmp_path / "lake"))).write("chunks", "c/a", b"")
    assert str(tmp_path) not in error.value.message


def test_the_address_comes_from_the_settings(tmp_path: Path) -> None:
    with overriding({"INDX_LAKE": str(tmp_path / "elsewhere")}):
        Lake.open().write("chunks", "c/a", encode_table(chunks(chunk("c/a"))))
    assert (tmp_path / "elsewhere/chunks/c/a.parquet").is_file()


@pytest.mark.parametrize("address", ["ftp://host/lake", "s3://", "file:///lake"])
def test_an_address_no_store_has_is_refused(address: str) -> None:
    with pytest.raises(SettingsInvalid, match="INDX_LAKE"):
        Lake.open(LakeSettings(lake=address))


def test_a_secret_does_not_show(tmp_path: Path) -> None:
    assert "hunter2" not in repr(LakeSettings(lake_secret_access_key="hunter2"))


def test_a_document_is_read_out_of_a_shard(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    """Row groups whose range of keys does not reach the document are not decoded."""
    monkeypatch.setattr(encoding, "ROWS_PER_GROUP", 4)
    rows = chunks(*[chunk(f"c/{n:02}", position) for n in range(10) for position in range(3)])
    lake.write("chunks", "shard-1", encode_table(rows))
    found = lake.read_document("chunks", "shard-1", "c/05")
    assert found is not None
    assert found.equals(rows.slice(15, 3))
    missing = lake.read_document("chunks", "shard-1", "c/zz")
    assert missing is not None
    assert missing.num_rows == 0
    assert lake.read_document("chunks", "shard-2", "c/05") is None


def test_documents_of_a_shard_are_replaced_added_and_dropped_together(lake: Lake) -> None:
    lake.replace_documents(
        "chunks", "s", chunks(chunk("c/b"), chunk("c/a", 0, "1"), chunk("c/a", 1, "2")), ["c/a", "c/b"]
    )
    lake.replace_documents("chunks", "s", chunks(chunk("c/c", text="3"), chunk("c/a", text="4")), ["c/a", "c/b", "c/c"])
    assert texts(lake, "s") == [("c/a", "4"), ("c/c", "3")]


def test_a_shard_without_rows_is_removed(lake: Lake) -> None:
    lake.replace_documents("chunks", "s", chunks(chunk("c/a")), ["c/a"])
    assert lake.replace_documents("chunks", "s", None, ["c/a"]) == 0
    assert lake.partitions("chunks") == []
    assert lake.replace_documents("chunks", "s", None, ["c/a"]) == 0


def test_rows_of_a_document_that_is_not_replaced_are_refused(lake: Lake) -> None:
    """They would stand beside the document's old rows."""
    with pytest.raises(ValueError, match="c/b"):
        lake.replace_documents("chunks", "s", chunks(chunk("c/b")), ["c/a"])


def test_vectors_of_a_shard_merge_with_their_dimension(lake: Lake) -> None:
    lake.replace_documents("vectors/s", "s", vectors("c/b", [[1.0, 2.0]]), ["c/b"])
    lake.replace_documents("vectors/s", "s", vectors("c/a", [[3.0, 4.0]]), ["c/a"])
    lake.replace_documents("vectors/s", "s", None, ["c/b"])
    table = lake.read("vectors/s", "s")
    assert table is not None
    assert table["vector"].to_pylist() == [[3.0, 4.0]]
    assert table.schema.field("vector").type.list_size == 2


DOCUMENTS = st.dictionaries(st.sampled_from([f"c/{n}" for n in "abcdefgh"]), st.integers(0, 6), max_size=8)


@settings(max_examples=40, deadline=None)
@given(history=st.lists(DOCUMENTS, min_size=1, max_size=5))
def test_a_merged_shard_has_the_bytes_of_one_written_at_once(history, tmp_path_factory) -> None:
    """Whatever the order in which documents came and were replaced: the object is a function of its rows."""
    lake = Lake.open(LakeSettings(lake=str(tmp_path_factory.mktemp("lake"))))
    kept, size = {}, encoding.ROWS_PER_GROUP
    try:
        encoding.ROWS_PER_GROUP = 4
        for generation, documents in enumerate(history):
            rows = [chunk(key, n, f"{key} {generation}") for key in reversed(documents) for n in range(documents[key])]
            lake.replace_documents("chunks", "s", chunks(*rows) if rows else None, list(documents))
            kept |= {key: [row for row in rows if row["key"] == key] for key in documents}
        whole = chunks(*[row for key in sorted(kept) for row in kept[key]])
        assert lake.store.get("chunks/s.parquet") == (encode_table(whole) if whole.num_rows else None)
    finally:
        encoding.ROWS_PER_GROUP = size


def test_a_dataset_spans_every_object_and_every_space(lake: Lake) -> None:
    lake.write("vectors/one", "c/a", encode_table(vectors("c/a", [[1.0, 2.0]], "one")))
    lake.write("vectors/two", "c/a", encode_table(vectors("c/a", [[1.0, 2.0, 3.0]], "two")))
    table = lake.dataset("vectors").to_table()
    assert table["vector"].to_pylist() == [[1.0, 2.0], [1.0, 2.0, 3.0]]
    assert lake.dataset("pages").to_table().num_rows == 0
