"""How the loaders of object stores fail: what a store answers, and what is set, as typed errors."""

import socket
from collections.abc import Callable, Iterator

import pytest
from loaders.http.documents_server import Answer, DocumentsServer, reply, serving

from indx_core.contracts.errors import InputTooLarge, SettingsInvalid, SourceTemporarilyUnreadable, SourceUnreadable
from indx_core.kit.objectstore import BucketLoader
from indx_core.loaders.azure.loader import AzureLoader
from indx_core.loaders.gcs.loader import GcsLoader
from indx_core.loaders.s3.loader import S3Loader

LOADERS: dict[str, BucketLoader] = {"s3": S3Loader(), "gs": GcsLoader(), "az": AzureLoader()}
KEY = "c2VjcmV0LWtleQ=="


@pytest.fixture
def server() -> Iterator[DocumentsServer]:
    with serving() as running:
        yield running


@pytest.fixture(params=list(LOADERS))
def loader(request: pytest.FixtureRequest, server: DocumentsServer, monkeypatch: pytest.MonkeyPatch) -> BucketLoader:
    """A loader whose store is the scripted server."""
    _point(monkeypatch, server.url(""))
    monkeypatch.setattr("indx_core.kit.objectstore.client.RETRIES", 1)
    return LOADERS[request.param]


def _point(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    variables = {
        "INDX_LOADER_S3_ENDPOINT_URL": url,
        "INDX_LOADER_S3_ACCESS_KEY_ID": "key-id",
        "INDX_LOADER_S3_SECRET_ACCESS_KEY": KEY,
        "INDX_LOADER_GS_ENDPOINT_URL": url,
        "INDX_LOADER_GS_ANONYMOUS": "true",
        "INDX_LOADER_AZURE_ENDPOINT_URL": url,
        "INDX_LOADER_AZURE_ACCOUNT_NAME": "account",
        "INDX_LOADER_AZURE_ACCOUNT_KEY": KEY,
    }
    for name, value in variables.items():
        monkeypatch.setenv(name, value)


def _uri(loader: BucketLoader) -> str:
    return f"{loader.schemes[0]}://bucket/a"


DATED = 'ETag: "1"', "Last-Modified: Mon, 30 Nov 2026 00:00:00 GMT"


def test_an_object_is_asked_for_in_the_path_of_the_endpoint(loader: BucketLoader, server: DocumentsServer) -> None:
    server.answers["/bucket/a"] = reply(b"text", *DATED)
    loaded = loader.load(_uri(loader), None)
    assert (loaded.data, loaded.version) == (b"text", "1")


@pytest.mark.parametrize(
    ("status", "says"),
    [(401, "credentials"), (403, "credentials"), (404, "none of that name"), (400, "status 400"), (409, "409")],
)
def test_an_answer_that_stays_the_same_is_asked_for_once(
    loader: BucketLoader, server: DocumentsServer, status: int, says: str
) -> None:
    server.answers["/bucket/a"] = reply(b"<Error>hunter2</Error>", status=f"{status} No")
    with pytest.raises(SourceUnreadable, match=says) as refused:
        loader.load(_uri(loader), None)
    assert not isinstance(refused.value, SourceTemporarilyUnreadable)
    assert len(server.requests) == 1
    assert "hunter2" not in refused.value.message
    assert "127.0.0.1" not in refused.value.message


def test_a_bucket_in_another_region_says_so(loader: BucketLoader, server: DocumentsServer) -> None:
    server.answers["/bucket/a"] = reply(b"", status="301 Moved Permanently")
    with pytest.raises(SourceUnreadable, match="another region") as refused:
        loader.load(_uri(loader), None)
    assert not isinstance(refused.value, SourceTemporarilyUnreadable)


@pytest.mark.parametrize("status", [408, 429, 500, 503])
def test_an_answer_that_may_pass_is_asked_for_again(loader: BucketLoader, server: DocumentsServer, status: int) -> None:
    failure = reply(b"", status=f"{status} Later")
    server.answers["/bucket/a"] = [failure, reply(b"at last", *DATED)]
    assert loader.load(_uri(loader), None).data == b"at last"
    server.answers["/bucket/a"] = failure
    server.requests.clear()
    with pytest.raises(SourceTemporarilyUnreadable, match=str(status)):
        loader.load(_uri(loader), None)
    assert len(server.requests) == 2


def _endless(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n" + "\r\n".join(DATED).encode() + b"\r\n\r\n")
    while True:
        connection.sendall(b"x" * 65536)


@pytest.mark.parametrize(
    "answer",
    [reply(b"", *DATED, length=10**12), reply(b"x" * 101, *DATED)],
    ids=["announced", "sent"],
)
def test_an_object_beyond_the_limit_is_refused(loader: BucketLoader, server: DocumentsServer, answer: Answer) -> None:
    server.answers["/bucket/a"] = answer
    with pytest.raises(InputTooLarge):
        loader.load(_uri(loader), 100)


def test_bytes_beyond_the_announced_length_are_no_part_of_an_object(
    loader: BucketLoader, server: DocumentsServer
) -> None:
    server.answers["/bucket/a"] = _endless
    assert len(loader.load(_uri(loader), 100).data) == 50


@pytest.mark.parametrize("sent", [b"", b"half"])
def test_an_object_that_is_cut_off_is_never_a_document(
    loader: BucketLoader, server: DocumentsServer, sent: bytes
) -> None:
    server.answers["/bucket/a"] = reply(sent, *DATED, length=8)
    with pytest.raises(SourceTemporarilyUnreadable):
        loader.load(_uri(loader), None)


def test_a_store_that_goes_silent_does_not_outlast_the_timeout(
    loader: BucketLoader, server: DocumentsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def silent(connection: socket.socket) -> None:
        connection.settimeout(10)
        connection.recv(1)

    server.answers["/bucket/a"] = silent
    for name in ("S3", "GS", "AZURE"):
        monkeypatch.setenv(f"INDX_LOADER_{name}_TIMEOUT_SECONDS", "0.2")
    with pytest.raises(SourceTemporarilyUnreadable):
        loader.load(_uri(loader), None)


def test_a_store_that_is_not_there_is_worth_another_try(loader: BucketLoader, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving() as gone:
        url = gone.url("")
    _point(monkeypatch, url)
    with pytest.raises(SourceTemporarilyUnreadable) as refused:
        loader.load(_uri(loader), None)
    assert "127.0.0.1" not in refused.value.message


LISTING = b"""<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken>
<Contents><Key>a</Key><Size>1</Size><ETag>"1"</ETag><LastModified>2026-11-30T00:00:00Z</LastModified></Contents>
</ListBucketResult>"""


@pytest.mark.parametrize("name", ["s3", "gs"])
def test_a_listing_that_breaks_off_after_its_first_page_hands_over_nothing(
    name: str, server: DocumentsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the first page held must not look like all there is: the rest would be retired as deleted."""
    _point(monkeypatch, server.url(""))
    monkeypatch.setattr("indx_core.kit.objectstore.client.RETRIES", 0)
    pages: list[Answer] = [reply(LISTING, "Content-Type: application/xml"), reply(b"", status="503 Busy")]
    monkeypatch.setattr(server, "answers", _Any(pages))
    with pytest.raises(SourceTemporarilyUnreadable, match="broke off"):
        LOADERS[name].list(f"{name}://bucket/")
    assert len(server.requests) == 2


class _Any(dict[str, Answer | list[Answer]]):
    """The same answers whatever the path: a continuation token is part of it."""

    def __init__(self, answers: list[Answer]) -> None:
        super().__init__()
        self._answers = answers

    def get(self, *_: object) -> list[Answer]:
        return self._answers


@pytest.mark.parametrize(
    ("variables", "call", "names"),
    [
        ({"INDX_LOADER_S3_ACCESS_KEY_ID": "a"}, S3Loader().open, "INDX_LOADER_S3_SECRET_ACCESS_KEY"),
        ({"INDX_LOADER_S3_SECRET_ACCESS_KEY": KEY}, S3Loader().open, "INDX_LOADER_S3_ACCESS_KEY_ID"),
        ({"INDX_LOADER_S3_SESSION_TOKEN": KEY}, S3Loader().open, "INDX_LOADER_S3_ACCESS_KEY_ID"),
        ({"INDX_LOADER_S3_TIMEOUT_SECONDS": "0"}, S3Loader().open, "INDX_LOADER_S3_TIMEOUT_SECONDS"),
        ({"INDX_LOADER_GS_SERVICE_ACCOUNT_KEY": KEY}, GcsLoader().open, "INDX_LOADER_GS"),
        (
            {"INDX_LOADER_GS_SERVICE_ACCOUNT_KEY": "{}", "INDX_LOADER_GS_ANONYMOUS": "true"},
            GcsLoader().open,
            "INDX_LOADER_GS_ANONYMOUS",
        ),
        ({}, AzureLoader().open, "INDX_LOADER_AZURE"),
        (
            {"INDX_LOADER_AZURE_ACCOUNT_KEY": KEY, "INDX_LOADER_AZURE_SAS_TOKEN": "sig=1"},
            AzureLoader().open,
            "INDX_LOADER_AZURE_SAS_TOKEN",
        ),
    ],
)
def test_settings_that_make_no_client_are_named_and_never_shown(
    variables: dict[str, str],
    call: Callable[[str], object],
    names: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("AZURE_STORAGE_ACCOUNT_NAME", raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SettingsInvalid, match=names) as refused:
        call("bucket")
    assert KEY not in refused.value.message
