"""The lake in a bucket of a real S3 server: the same behaviour as in a folder, and queries over it."""

import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from urllib.error import URLError

import pytest
from kit.lake.table_rows import chunk, chunks, vectors

from indx_core.contracts.errors import LakeUnavailable
from indx_core.kit.lake import Lake, LakeSettings, encode_table
from indx_core.knowledge.sql import query

pytestmark = pytest.mark.services


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    """A moto server on a free port of this machine."""
    pytest.importorskip("moto.server", reason="needs moto[server]")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    try:
        _wait_for(url, server)
        bucket = urllib.request.Request(f"{url}/lakes", method="PUT", headers={"Host": "s3.amazonaws.com"})
        urllib.request.urlopen(bucket, timeout=10).close()
        yield url
    finally:
        server.terminate()
        server.wait(10)


def _wait_for(url: str, server: subprocess.Popen) -> None:
    for _ in range(300):
        assert server.poll() is None, "the S3 server ended at once"
        try:
            urllib.request.urlopen(url, timeout=1).close()
        except (URLError, ConnectionError):
            time.sleep(0.1)
        else:
            return
    pytest.fail("the S3 server did not answer within 30 s")


def _lake(endpoint: str, prefix: str) -> Lake:
    return Lake.open(
        LakeSettings(
            lake=f"s3://lakes/{prefix}",
            lake_endpoint_url=endpoint,
            lake_region="us-east-1",
            lake_access_key_id="test",
            lake_secret_access_key="test",
        )
    )


def test_partitions_with_any_name_live_in_a_bucket(endpoint: str) -> None:
    lake = _lake(endpoint, "a prefix/names")
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


def test_documents_of_a_shard_are_merged_in_a_bucket(endpoint: str) -> None:
    lake = _lake(endpoint, "merge")
    lake.replace_documents("chunks", "s", chunks(chunk("c/b"), chunk("c/a")), ["c/a", "c/b"])
    lake.replace_documents("chunks", "s", chunks(chunk("c/a", text="新")), ["c/a"])
    document = lake.read_document("chunks", "s", "c/a")
    assert document is not None
    assert document["text"].to_pylist() == ["新"]


def test_sql_reads_a_bucket_without_an_extension(endpoint: str) -> None:
    lake = _lake(endpoint, "sql")
    for key in ("c/a", "c/日本語"):
        lake.write("chunks", key, encode_table(chunks(chunk(key), chunk(key, 1))))
        lake.write("vectors/s", key, encode_table(vectors(key, [[0.5, 1.0]])))
    counted = query(lake, "SELECT key, count(*) FROM chunks WHERE position < 1 GROUP BY key ORDER BY key")
    assert counted.rows == [("c/a", 1), ("c/日本語", 1)]
    assert query(lake, "SELECT vector FROM vectors LIMIT 1").rows == [([0.5, 1.0],)]
    assert query(lake, "SELECT * FROM labels").rows == []


def test_a_bucket_that_is_not_there_is_a_typed_error_without_its_address(endpoint: str) -> None:
    settings = LakeSettings(
        lake="s3://nobody/here", lake_endpoint_url=endpoint, lake_access_key_id="test", lake_secret_access_key="hunter2"
    )
    with pytest.raises(LakeUnavailable) as error:
        Lake.open(settings).write("chunks", "c/a", b"")
    assert "127.0.0.1" not in error.value.message
    assert "hunter2" not in error.value.message
