"""What the loaders of object stores have in common, over a real server of each."""

import itertools

import pytest
from object_servers import ObjectServer

from indx_core.contracts.errors import InputTooLarge, SourceForbidden, SourceTemporarilyUnreadable, SourceUnreadable
from indx_core.kit.objectstore import BucketLoader
from indx_core.loaders.azure.loader import AzureLoader
from indx_core.loaders.gcs.loader import GcsLoader
from indx_core.loaders.s3.loader import S3Loader
from indx_core.testing.conformance import check_lister, check_loader

pytestmark = pytest.mark.services

LOADERS: dict[str, BucketLoader] = {"s3": S3Loader(), "gs": GcsLoader(), "az": AzureLoader()}
_NUMBERS = itertools.count(1)


@pytest.fixture(params=list(LOADERS))
def server(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> ObjectServer:
    """The server of a scheme, with the variables set by which its loader reaches it."""
    running: ObjectServer = request.getfixturevalue(request.param)
    for name, value in running.loader.items():
        monkeypatch.setenv(name, value)
    return running


@pytest.fixture
def loader(server: ObjectServer) -> BucketLoader:
    return LOADERS[server.scheme]


@pytest.fixture
def bucket(server: ObjectServer) -> str:
    name = f"bucket-{next(_NUMBERS)}"
    server.create(name)
    return name


def test_the_loader_conforms(server: ObjectServer, loader: BucketLoader, bucket: str) -> None:
    server.put(bucket, "docs/報告 書.txt", "docs/a/b.csv", "docs/a-b.csv", "docsother/c", "d")
    uri = server.uri(bucket, "docs/報告 書.txt")
    check_loader(loader, uri, "docs/報告 書.txt".encode(), server.uri(bucket, "docs/gone"))
    root = f"{server.scheme}://{bucket}/docs"
    check_lister(loader, root, ["報告 書.txt", "a/b.csv", "a-b.csv"], f"{server.scheme}://{bucket}/gone")
    assert [entry.uri for entry in loader.list(root + "/")] == [entry.uri for entry in loader.list(root)]


def test_a_folder_and_what_is_not_there_are_no_objects(server: ObjectServer, loader: BucketLoader, bucket: str) -> None:
    server.put(bucket, "docs/a.txt", "empty/")
    root = f"{server.scheme}://{bucket}"
    assert [loader.locate(f"{root}/{name}", root) for name in ("docs", "docs/", "gone", "empty")] == [None] * 4
    found = loader.locate(f"{root}/docs/a.txt", f"{root}/docs")
    assert found is not None
    assert (found.path, found.size) == ("a.txt", 10)
    assert loader.locate(root, root) is None


def test_a_whole_bucket_is_listed_with_what_a_change_is_seen_by(
    server: ObjectServer, loader: BucketLoader, bucket: str
) -> None:
    root = f"{server.scheme}://{bucket}"
    assert list(loader.list(root)) == []
    server.put(bucket, "b", "a/b")
    before = list(loader.list(root))
    assert [(entry.path, entry.size) for entry in before] == [("a/b", 3), ("b", 1)]
    assert all(entry.modified > 1_700_000_000 for entry in before)
    server.write(bucket, "b", b"changed", "text/plain")
    after = list(loader.list(root))
    assert after[0].version == before[0].version
    assert after[1].version != before[1].version


def test_a_listing_goes_on_from_any_path_it_gave(server: ObjectServer, loader: BucketLoader, bucket: str) -> None:
    """A tick of a sensor has a minute, and a bucket has as many objects as it has."""
    server.put(bucket, "docs/報告 書.txt", "docs/a/b.csv", "docs/a-b.csv", "docs/z", "docsother/c", "d")
    for root in (f"{server.scheme}://{bucket}/docs", f"{server.scheme}://{bucket}"):
        whole = list(loader.list(root))
        assert list(loader.list_after(root, "")) == whole
        for number, entry in enumerate(whole):
            assert list(loader.list_after(root, entry.path)) == whole[number + 1 :]
    with pytest.raises(SourceUnreadable, match="nothing is stored below the root"):
        list(loader.list_after(f"{server.scheme}://{bucket}/gone", ""))


KEYS = [
    "日本語 資料.pdf",
    "e\u0301.txt",
    "100%.txt",
    "a%20b.txt",
    "a b",
    "plus+x&y=z;",
    "a*b?c#d.txt",
    "[x]{y}|^`'~!@$()",
    ".hidden",
    "...",
    "a/.b/c",
    "鉄" * 80,
]


def test_any_key_is_listed_and_read_back_by_its_uri(server: ObjectServer, loader: BucketLoader, bucket: str) -> None:
    server.put(bucket, *KEYS)
    entries = list(loader.list(f"{server.scheme}://{bucket}"))
    assert [entry.path for entry in entries] == sorted(KEYS)
    for entry in entries:
        loaded = loader.load(entry.uri, None)
        assert loaded.data.decode() == entry.path
        assert loaded.version == entry.version
        assert loaded.filename == entry.path.rpartition("/")[2]


def test_a_key_may_be_typed_as_it_stands(server: ObjectServer, loader: BucketLoader, bucket: str) -> None:
    server.put(bucket, "a/日本 語.txt", "a/b#c", "a/100%.txt")
    for key in ("a/日本 語.txt", "a/b#c", "a/100%.txt"):
        assert loader.load(f"{server.scheme}://{bucket}/{key}", None).data.decode() == key


def test_the_declared_type_comes_with_the_object(server: ObjectServer, loader: BucketLoader, bucket: str) -> None:
    server.write(bucket, "a", b"1,2", "text/csv")
    assert loader.load(server.uri(bucket, "a"), None).declared_media_type == "text/csv"


def test_folders_made_by_a_console_are_no_documents(server: ObjectServer, loader: BucketLoader, bucket: str) -> None:
    """They are empty objects whose key ends in a slash; an empty document is a document."""
    server.put(bucket, "full/", "full/a.txt", "empty/", "sub/deeper/")
    server.write(bucket, "empty.txt", b"", "text/plain")
    assert [entry.path for entry in loader.list(f"{server.scheme}://{bucket}")] == ["empty.txt", "full/a.txt"]
    assert [entry.path for entry in loader.list(f"{server.scheme}://{bucket}/full")] == ["a.txt"]


def test_a_document_named_like_a_folder_beside_it_is_listed_once(
    server: ObjectServer, loader: BucketLoader, bucket: str
) -> None:
    server.put(bucket, "same", "same/", "same/a")
    entries = list(loader.list(f"{server.scheme}://{bucket}"))
    assert [(entry.path, entry.size) for entry in entries] == [("same", 4), ("same/a", 6)]


@pytest.mark.parametrize("key", ["a//b", "a/./b", "a/../b"])
def test_a_key_that_cannot_be_asked_for_breaks_the_listing_off(
    server: ObjectServer, loader: BucketLoader, bucket: str, key: str
) -> None:
    """Left out in silence, it would look deleted, or never be read."""
    server.put(bucket, "good", key)
    with pytest.raises(SourceUnreadable, match="cannot be asked for"):
        list(loader.list(f"{server.scheme}://{bucket}"))
    with pytest.raises(SourceUnreadable, match="cannot be asked for"):
        loader.load(server.uri(bucket, key), None)


def test_a_root_where_nothing_is_stored_is_an_error_and_not_an_empty_corpus(
    server: ObjectServer, loader: BucketLoader, bucket: str
) -> None:
    server.put(bucket, "docs/a", "docsother/b")
    with pytest.raises(SourceUnreadable, match="nothing is stored"):
        list(loader.list(f"{server.scheme}://{bucket}/doc"))


@pytest.mark.parametrize("size", [0, 1, (1 << 20) - 1, 1 << 20, 3_000_000])
def test_an_object_of_any_size_arrives_whole_and_is_bounded(
    server: ObjectServer, loader: BucketLoader, bucket: str, size: int
) -> None:
    data = bytes(range(256)) * (size // 256) + bytes(size % 256)
    server.write(bucket, "a", data, "application/octet-stream")
    assert loader.load(server.uri(bucket, "a"), size).data == data
    if size:
        with pytest.raises(InputTooLarge, match="INDX_MAX_INPUT_BYTES"):
            loader.load(server.uri(bucket, "a"), size - 1)


ALLOWLISTS = {
    "s3": "INDX_LOADER_S3_BUCKETS",
    "gs": "INDX_LOADER_GS_BUCKETS",
    "az": "INDX_LOADER_AZURE_CONTAINERS",
}


def test_only_the_buckets_on_the_list_are_read(
    server: ObjectServer,
    loader: BucketLoader,
    bucket: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    server.put(bucket, "a")
    variable = ALLOWLISTS[server.scheme]
    monkeypatch.setenv(variable, f"internal-archive, {bucket}")
    assert loader.load(server.uri(bucket, "a"), None).data == b"a"
    for call in (
        lambda: loader.load(f"{server.scheme}://other/a", None),
        lambda: loader.list(f"{server.scheme}://other"),
    ):
        with pytest.raises(SourceForbidden, match=variable) as refused:
            call()
        assert "internal-archive" not in refused.value.message
    assert "internal-archive" in caplog.text


def test_a_bucket_that_is_not_there_is_a_typed_error_without_an_address(
    server: ObjectServer, loader: BucketLoader
) -> None:
    if server.scheme == "gs":
        pytest.skip("fake-gcs-server answers 500 for a bucket that is not there")
    for call in (
        lambda: loader.load(server.uri("nobody", "a"), None),
        lambda: loader.list(f"{server.scheme}://nobody"),
    ):
        with pytest.raises(SourceUnreadable, match="none of that name") as refused:
            call()
        assert not isinstance(refused.value, SourceTemporarilyUnreadable)
        assert "127.0.0.1" not in f"{refused.value.message} {refused.value.remedy}"
