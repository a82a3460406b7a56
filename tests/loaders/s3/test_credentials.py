"""s3: which credentials and which endpoint a request goes out with, by what a server is sent."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from loaders.http.documents_server import DocumentsServer, reply, serving

from indx_core.contracts.errors import SourceUnreadable
from indx_core.loaders.s3 import loader as s3
from indx_core.loaders.s3.loader import S3Loader

LOADER = S3Loader()
ANSWER = reply(b"text", 'ETag: "1"', "Last-Modified: Mon, 30 Nov 2026 00:00:00 GMT")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[DocumentsServer]:
    """A server that is the endpoint, on a machine without AWS credentials of its own."""
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "credentials"))
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "config"))
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE", "AWS_REGION"):
        monkeypatch.delenv(name, raising=False)
    s3._store.cache_clear()
    with serving() as running:
        running.answers["/my.bucket/a"] = ANSWER
        monkeypatch.setenv("INDX_LOADER_S3_ENDPOINT_URL", running.url(""))
        yield running
    s3._store.cache_clear()


def _sent(server: DocumentsServer) -> tuple[str, str, str | None]:
    """Access key, region and session token of the last request."""
    head = server.heads[-1].decode()
    scope = re.search(r"Credential=([^/]+)/\d+/([^/]+)/s3", head, re.IGNORECASE)
    token = re.search(r"x-amz-security-token: (\S+)", head, re.IGNORECASE)
    assert scope is not None
    return scope[1], scope[2], token[1] if token else None


def test_the_variables_of_indx_are_the_credentials(server: DocumentsServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INDX_LOADER_S3_ACCESS_KEY_ID", "indx-key")
    monkeypatch.setenv("INDX_LOADER_S3_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("INDX_LOADER_S3_REGION", "ap-northeast-1")
    assert LOADER.load("s3://my.bucket/a", None).data == b"text"
    assert _sent(server) == ("indx-key", "ap-northeast-1", None)
    monkeypatch.setenv("INDX_LOADER_S3_SESSION_TOKEN", "indx-token")
    LOADER.load("s3://my.bucket/a", None)
    assert _sent(server) == ("indx-key", "ap-northeast-1", "indx-token")


def test_no_part_of_the_environments_own_credentials_is_mixed_in(
    server: DocumentsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A token of another key makes every request fail, and another endpoint would be sent the documents' names."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "ambient-key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "ambient-secret")
    monkeypatch.setenv("AWS_SESSION_TOKEN", "ambient-token")
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", "http://127.0.0.1:1")
    monkeypatch.setenv("AWS_VIRTUAL_HOSTED_STYLE_REQUEST", "true")
    monkeypatch.setenv("INDX_LOADER_S3_ACCESS_KEY_ID", "indx-key")
    monkeypatch.setenv("INDX_LOADER_S3_SECRET_ACCESS_KEY", "secret")
    assert LOADER.load("s3://my.bucket/a", None).data == b"text"
    assert _sent(server)[0::2] == ("indx-key", None)


def test_without_them_the_standard_chain_applies(server: DocumentsServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "ambient-key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "ambient-secret")
    monkeypatch.setenv("AWS_SESSION_TOKEN", "ambient-token")
    LOADER.load("s3://my.bucket/a", None)
    assert _sent(server)[0::2] == ("ambient-key", "ambient-token")


def test_the_standard_chain_holds_with_boto3_absent(server: DocumentsServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(s3, "find_spec", lambda name: None)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "ambient-key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "ambient-secret")
    LOADER.load("s3://my.bucket/a", None)
    assert _sent(server)[0] == "ambient-key"


def test_a_profile_is_part_of_the_chain_where_boto3_is_installed(
    server: DocumentsServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("boto3", reason="profiles need boto3")
    (tmp_path / "credentials").write_text("[archive]\naws_access_key_id = profile-key\naws_secret_access_key = x\n")
    (tmp_path / "config").write_text("[profile archive]\nregion = eu-west-1\n")
    monkeypatch.setenv("AWS_PROFILE", "archive")
    LOADER.load("s3://my.bucket/a", None)
    assert _sent(server) == ("profile-key", "eu-west-1", None)


def test_no_credentials_at_all_says_what_to_set(server: DocumentsServer) -> None:
    pytest.importorskip("boto3", reason="without it obstore looks for the instance's role itself")
    with pytest.raises(SourceUnreadable, match="no credentials") as refused:
        LOADER.load("s3://my.bucket/a", None)
    assert "INDX_LOADER_S3_ACCESS_KEY_ID" in refused.value.remedy
    assert server.requests == []
