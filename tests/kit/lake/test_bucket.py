"""The lake in a bucket of a real server of each kind: the same behaviour as in a folder, and queries over it."""

from pathlib import Path

import duckdb
import pytest
from kit.lake.table_rows import chunk, chunks, vectors
from knowledge.search.lakes import document
from knowledge.spaces import small_space
from object_servers import ObjectServer

from indx_core.contracts.errors import LakeUnavailable
from indx_core.kit.lake import Lake, encode_table
from indx_core.knowledge.search import refresh, search
from indx_core.knowledge.space import KnowledgeSpace
from indx_core.knowledge.space.manifest import corpus_manifest
from indx_core.knowledge.space.publish import publish
from indx_core.knowledge.sql import query

pytestmark = [pytest.mark.services, pytest.mark.usefixtures("lake_address")]


def test_partitions_with_any_name_live_in_a_bucket() -> None:
    lake = Lake.open()
    keys = [
        "c/決算 短信 #1?.pdf",
        "c/a%2Cb+c&d=e.pdf",
        "c/..",
        "c/" + "鉄" * 100,
        "c/a",
        "c/a.parquet/b",
        "c/(x)'!@$;~.txt",
    ]
    for key in keys:
        lake.write("chunks", key, encode_table(chunks(chunk(key, text=key))))
    assert lake.partitions("chunks") == sorted(keys)
    for key in keys:
        table = lake.read("chunks", key)
        assert table is not None
        assert table["text"].to_pylist() == [key]
    for key in keys:
        lake.delete("chunks", key)
        lake.delete("chunks", key)
    assert lake.partitions("chunks") == []
    assert lake.read("chunks", keys[0]) is None


def test_documents_of_a_shard_are_merged_in_a_bucket() -> None:
    lake = Lake.open()
    lake.replace_documents("chunks", "s", chunks(chunk("c/b"), chunk("c/a")), ["c/a", "c/b"])
    lake.replace_documents("chunks", "s", chunks(chunk("c/a", text="新")), ["c/a"])
    document = lake.read_document("chunks", "s", "c/a")
    assert document is not None
    assert document["text"].to_pylist() == ["新"]


def test_sql_reads_a_bucket_without_an_extension() -> None:
    lake = Lake.open()
    for key in ("c/a", "c/日本語"):
        lake.write("chunks", key, encode_table(chunks(chunk(key), chunk(key, 1))))
        lake.write("vectors/s", key, encode_table(vectors(key, [[0.5, 1.0]])))
    counted = query(lake, "SELECT key, count(*) FROM chunks WHERE position < 1 GROUP BY key ORDER BY key")
    assert counted.rows == [("c/a", 1), ("c/日本語", 1)]
    assert query(lake, "SELECT vector FROM vectors LIMIT 1").rows == [([0.5, 1.0],)]
    assert query(lake, "SELECT * FROM labels").rows == []


def test_a_space_in_a_bucket_is_archive_members_and_database(tmp_path: Path) -> None:
    lake, space = Lake.open(), small_space()
    manifest = corpus_manifest(lake, "c", KnowledgeSpace(root=space.root))
    done = publish(space, manifest, lake)
    found = sorted(item.name.removeprefix(f"{done.folder}/") for item in lake.store.list(f"{done.folder}/"))
    for name in found:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(lake.store.get(f"{done.folder}/{name}") or b"")
    assert KnowledgeSpace.load(tmp_path / "space.indx") == KnowledgeSpace.load(tmp_path) == space
    with duckdb.connect(str(tmp_path / "space.duckdb"), read_only=True) as connection:
        assert connection.execute("SELECT count(*) FROM chunks").fetchone() == (3,)
    assert not publish(space, manifest, lake).changed


def test_a_partition_is_replaced_whole() -> None:
    lake = Lake.open()
    lake.write("chunks", "c/a", encode_table(chunks(chunk("c/a", text="旧"))))
    lake.write("chunks", "c/a", encode_table(chunks(chunk("c/a", text="新"))))
    table = lake.read("chunks", "c/a")
    assert table is not None
    assert table["text"].to_pylist() == ["新"]
    assert lake.partitions("chunks") == ["c/a"]


def test_a_bucket_that_is_not_there_is_a_typed_error_without_its_address(
    store_server: ObjectServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INDX_LAKE", f"{store_server.scheme}://nobody/here")
    with pytest.raises(LakeUnavailable) as error:
        Lake.open().write("chunks", "c/a", b"")
    assert "127.0.0.1" not in error.value.message
    assert not any(secret in error.value.message for secret in store_server.lake.values())


def test_the_lakes_own_endpoint_wins_over_one_of_the_environment(
    store_server: ObjectServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    if store_server.scheme != "s3":
        pytest.skip("the other clouds' endpoints are in their own variables alone")
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", "http://127.0.0.1:1")
    lake = Lake.open()
    lake.write("chunks", "c/a", encode_table(chunks(chunk("c/a"))))
    assert lake.partitions("chunks") == ["c/a"]


def test_a_lake_in_a_bucket_is_searched_by_an_index_that_lies_there(tmp_path: Path, monkeypatch) -> None:
    """A second machine maps copies of what the first one built; both notice what changed."""
    lake = Lake.open()

    def found(machine: str, word: str) -> list[str]:
        monkeypatch.setenv("INDX_SEARCH_CACHE", str(tmp_path / machine))
        return [hit.key for hit in search(lake, text=word)]

    document(lake, "c/決算.txt", chunk("c/決算.txt", text="当期の売上高"))
    document(lake, "c/b.txt", chunk("c/b.txt", text="鉄道"))
    assert found("one", "売上") == ["c/決算.txt"]
    with monkeypatch.context() as patched:
        patched.setattr(refresh, "harvested", lambda part: pytest.fail("the second machine reads no table"))
        assert found("other", "売上") == ["c/決算.txt"]
    document(lake, "c/b.txt", chunk("c/b.txt", text="海路"))
    assert found("one", "海路") == ["c/b.txt"]
    assert found("other", "鉄道") == []
