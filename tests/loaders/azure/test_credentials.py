"""az: which credentials a request goes out with, by what a server is sent."""

from collections.abc import Iterator

import pytest
from loaders.http.documents_server import DocumentsServer, reply, serving

from indx_core.loaders.azure import loader as azure
from indx_core.loaders.azure.loader import AzureLoader

LOADER = AzureLoader()
ANSWER = reply(b"text", 'ETag: "1"', "Last-Modified: Mon, 30 Nov 2026 00:00:00 GMT")
KEY = "c2VjcmV0LWtleQ=="


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[DocumentsServer]:
    azure._store.cache_clear()
    with serving() as running:
        running.answers["/documents/a"] = ANSWER
        monkeypatch.setenv("INDX_LOADER_AZURE_ENDPOINT_URL", running.url(""))
        monkeypatch.setenv("INDX_LOADER_AZURE_ACCOUNT_NAME", "account")
        yield running
    azure._store.cache_clear()


def test_a_key_signs_requests_for_the_account(server: DocumentsServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INDX_LOADER_AZURE_ACCOUNT_KEY", KEY)
    assert LOADER.load("az://documents/a", None).data == b"text"
    assert b"SharedKey account:" in server.heads[-1]


@pytest.mark.parametrize("token", ["sv=2023-11-03&sp=r&sig=abc%3D", "?sv=2023-11-03&sp=r&sig=abc%3D"])
def test_a_signature_is_sent_in_the_query_and_an_ambient_key_is_not_used(
    server: DocumentsServer, monkeypatch: pytest.MonkeyPatch, token: str
) -> None:
    monkeypatch.setenv("AZURE_STORAGE_ACCOUNT_KEY", KEY)
    monkeypatch.setenv("INDX_LOADER_AZURE_SAS_TOKEN", token)
    path = "/documents/a?sv=2023-11-03&sp=r&sig=abc%3D"
    server.answers[path] = ANSWER
    assert LOADER.load("az://documents/a", None).data == b"text"
    assert server.requests == [path]
    assert b"SharedKey" not in server.heads[-1]


def test_without_either_the_standard_chain_applies(server: DocumentsServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZURE_STORAGE_ACCOUNT_KEY", KEY)
    LOADER.load("az://documents/a", None)
    assert b"SharedKey account:" in server.heads[-1]
