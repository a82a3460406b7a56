"""Objects that another process removes while a table is listed or read: a retirement, a refusal that is settled."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from kit.lake.table_rows import chunk, chunks

from indx_core.contracts.errors import LakeUnavailable
from indx_core.kit.lake import Lake, LakeSettings, encode_table, stores
from indx_core.kit.lake.stores import StoredObject


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    found = Lake.open(LakeSettings(lake=str(tmp_path / "lake")))
    for name in ("a", "b", "c"):
        found.write("chunks", f"c/{name}", encode_table(chunks(chunk(f"c/{name}"))))
    return found


def vanishing(lake: Lake, monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    """``c/b`` is removed after the lake was listed, and is there again before the next time."""
    listed, looks = lake.store.list, iter(range(times))
    data = encode_table(chunks(chunk("c/b")))

    def listing(prefix: str) -> Iterator[StoredObject]:
        lake.store.put("chunks/c/b.parquet", data)
        found = list(listed(prefix))
        if next(looks, None) is not None:
            lake.store.delete("chunks/c/b.parquet")
        return iter(found)

    monkeypatch.setattr(lake.store, "list", listing)


def test_a_table_is_read_again_when_an_object_of_its_listing_is_gone(
    lake: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    vanishing(lake, monkeypatch, times=2)
    assert sorted(lake.select("chunks", ["key"])["key"].to_pylist()) == ["c/a", "c/b", "c/c"]


def test_a_table_that_never_stands_still_is_an_error_that_says_so(lake: Lake, monkeypatch: pytest.MonkeyPatch) -> None:
    vanishing(lake, monkeypatch, times=1_000)
    with pytest.raises(LakeUnavailable, match="objects of chunks were removed while they were read"):
        lake.select("chunks", ["key"])


def test_columns_and_a_filter_are_those_asked_for(lake: Lake) -> None:
    import pyarrow.dataset as pds

    found = lake.select("chunks", ["key", "text"], pds.field("key") == "c/c")
    assert found.to_pylist() == [{"key": "c/c", "text": "本文"}]


def test_a_file_that_is_removed_after_its_folder_was_read_is_not_listed(
    lake: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = stores._files

    def read(folder: str) -> Iterator["os.DirEntry[str]"]:
        for entry in files(folder):
            if entry.name == "b.parquet":
                Path(entry.path).unlink(missing_ok=True)
            yield entry

    monkeypatch.setattr(stores, "_files", read)
    assert lake.partitions("chunks") == ["c/a", "c/c"]
