"""gs: which credentials a request goes out with, by what a server is sent."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from loaders.http.documents_server import DocumentsServer, reply, serving

from indx_core.loaders.gcs import loader as gcs
from indx_core.loaders.gcs.loader import GcsLoader

LOADER = GcsLoader()
ANSWER = reply(b"text", 'ETag: "1"', "Last-Modified: Mon, 30 Nov 2026 00:00:00 GMT")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[DocumentsServer]:
    gcs._store.cache_clear()
    for name in ("GOOGLE_SERVICE_ACCOUNT", "GOOGLE_SERVICE_ACCOUNT_KEY", "GOOGLE_APPLICATION_CREDENTIALS"):
        monkeypatch.delenv(name, raising=False)
    with serving() as running:
        running.answers["/documents/a"] = ANSWER
        monkeypatch.setenv("INDX_LOADER_GS_ENDPOINT_URL", running.url(""))
        yield running
    gcs._store.cache_clear()


def _account(server: DocumentsServer, **members: object) -> str:
    """A service account's key in the form that asks for no token."""
    return json.dumps({
        "gcs_base_url": server.url(""),
        "disable_oauth": True,
        "client_email": "indx@example.com",
        "private_key": "",
        "private_key_id": "",
        **members,
    })  # fmt: skip


def test_a_public_bucket_is_read_without_credentials(server: DocumentsServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INDX_LOADER_GS_ANONYMOUS", "true")
    assert LOADER.load("gs://documents/a", None).data == b"text"
    assert b"uthorization" not in server.heads[-1]


def test_the_key_of_a_service_account_is_its_text(server: DocumentsServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INDX_LOADER_GS_SERVICE_ACCOUNT_KEY", _account(server))
    assert LOADER.load("gs://documents/a", None).data == b"text"


def test_without_it_the_standard_chain_applies(
    server: DocumentsServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "account.json").write_text(_account(server))
    monkeypatch.setenv("GOOGLE_SERVICE_ACCOUNT", str(tmp_path / "account.json"))
    assert LOADER.load("gs://documents/a", None).data == b"text"
