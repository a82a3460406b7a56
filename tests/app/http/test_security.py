"""Who gets in, what gets out, and what a source may not reach."""

import io
import json
import logging
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from app.http.serving import Reply, Running, file_part, request_part, running
from canaries import CANARY, planted

from indx_core.app.cli.main import main
from indx_core.app.http.server import allowed_hosts, is_loopback
from indx_core.app.http.settings import HttpSettings
from indx_core.contracts.errors import SettingsInvalid
from indx_core.kit import blot
from indx_core.kit.logs import lines as logs
from indx_core.kit.settings import overriding


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "[::1]", "localhost"])
def test_this_machine_s_own_addresses(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.7", "example.org", "localhost.example.org", "", "127.1"])
def test_any_other_address_is_refused_without_the_flag(host: str) -> None:
    settings = HttpSettings(http_host=host)
    with pytest.raises(SettingsInvalid, match="INDX_HTTP_HOST"):
        allowed_hosts(settings, allow_remote=False)
    assert allowed_hosts(settings, allow_remote=True) is None


def test_the_command_refuses_too_and_says_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["serve", "--host", "0.0.0.0", "--port", "0"])
    assert left.value.code == 8
    assert "other machines" in json.loads(capsys.readouterr().err)["error"]["message"]


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({"host": "evil.example"}, "host_not_allowed"),
        ({"host": "localhost.evil.example:8000"}, "host_not_allowed"),
        ({"host": "127.0.0.1.evil.example"}, "host_not_allowed"),
        ({"origin": "https://evil.example"}, "origin_not_allowed"),
        ({"origin": "null"}, "origin_not_allowed"),
        ({"origin": "http://127.0.0.1:1"}, "origin_not_allowed"),
    ],
)
def test_a_web_page_of_somebody_else_does_not_get_in(service: Running, headers: dict[str, str], code: str) -> None:
    """By a name it points at this address, or as a form: a browser on this machine would carry both in."""
    for reply in (service.get("/v1/capabilities", **headers), service.call("POST", "/v1/plan", b"{}", headers)):
        assert (reply.status, reply.error["type"], reply.error["code"]) == (403, "http_error", code)
        assert "access-control-allow-origin" not in reply.headers


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:80", "127.0.0.1", "[::1]:8000"])
def test_own_names_get_in_with_any_port(service: Running, host: str) -> None:
    assert service.get("/health", host=host).status == 200


def test_a_page_of_the_service_itself_gets_in(service: Running) -> None:
    own = f"127.0.0.1:{service.port}"
    assert service.get("/health", host=own, origin=f"http://{own}").status == 200


def test_behind_a_proxy_the_names_it_forwards_are_said() -> None:
    settings = HttpSettings(http_host="10.0.0.7", http_allowed_hosts=("indx.example",))
    assert allowed_hosts(settings, allow_remote=True) == ("indx.example",)


def _everything(service: Running) -> list[Reply]:
    sources = [
        {"type": "uri", "uri": "s3://bucket/key"},
        {"type": "uri", "uri": "gs://bucket/key"},
        {"type": "uri", "uri": "az://container/key"},
        {"type": "uri", "uri": "http://127.0.0.1:1/x"},
        {"type": "uri", "uri": "ftp://example.org/x"},
        {"type": "uri", "uri": "file:///etc/passwd"},
        {"type": "inline", "data": "JVBERi0xLjcK", "filename": "x.pdf"},
    ]
    query = {"embedding_space_id": "hosted-text", "input": {"type": "text", "text": "x"}}
    scan = b"\x89PNG\r\n\x1a\n"
    return [
        service.get("/v1/capabilities"),
        service.get("/openapi.json"),
        *(service.post("/v1/plan", {"source": source}) for source in sources),
        service.post("/v1/embed", query),
        service.upload("/v1/encode", file_part(scan, "x.png")),
        service.upload(
            "/v1/encode", file_part("請求書 合計".encode()), request_part({"classification": {"document_ids": ["llm"]}})
        ),
    ]


@pytest.mark.slow
def test_no_secret_setting_leaves_the_process(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Every secret there is holds a canary, and every vendor's address refuses: nothing written may show it."""
    variables = {**planted(), "INDX_LOADER_FILE_ROOTS": str(tmp_path)}
    blot._secrets.cache_clear()
    with running(variables) as service:
        replies = _everything(service)
        written = service.log.getvalue() + "".join(capfd.readouterr())
    blot._secrets.cache_clear()
    untyped = [reply.body for reply in replies if reply.status == 500 and reply.error.get("code") != "invalid_settings"]
    assert untyped == []
    for reply in replies:
        assert CANARY.encode() not in reply.body
        assert CANARY not in str(reply.headers)
        assert str(tmp_path).encode() not in reply.body
    assert CANARY not in written
    assert "request" in written, "the log itself was looked at"
    assert "127.0.0.1:1/v1" not in "".join(reply.body.decode() for reply in replies)


def test_a_traceback_in_the_log_is_blotted_out() -> None:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logs.JsonLines())
    log = logging.getLogger("tests.blotted")
    log.addHandler(handler)
    blot._secrets.cache_clear()
    with overriding({"INDX_VLM_API_KEY": CANARY}):
        error = ValueError(f"401 for https://user:pass@vendor.example/v1?sig=abc with key {CANARY}")
        log.error("the vendor said %s", CANARY, exc_info=error)
    log.removeHandler(handler)
    blot._secrets.cache_clear()
    line = json.loads(stream.getvalue())
    for part in (CANARY, "user:pass", "sig=abc"):
        assert part not in stream.getvalue()
    assert (line["message"], "https://***@vendor.example/v1?***" in line["traceback"]) == ("the vendor said ***", True)


def test_a_request_line_has_no_query_and_no_header(service: Running) -> None:
    service.get(f"/v1/capabilities?snapshot_id={CANARY}", **{"authorization": CANARY, "X-Request-ID": "quiet-1"})
    assert service.line("quiet-1")["path"] == "/v1/capabilities"
    assert CANARY not in service.log.getvalue()


@pytest.mark.parametrize("escape", ["../outside.txt", "link.txt", "folder/../../outside.txt", "%2e%2e/outside.txt"])
def test_nothing_outside_the_named_folders_is_read(tmp_path: Path, escape: str) -> None:
    root = tmp_path / "root"
    (root / "folder").mkdir(parents=True)
    outside = tmp_path / "outside.txt"
    outside.write_text(CANARY)
    (root / "link.txt").symlink_to(outside)
    with running({"INDX_LOADER_FILE_ROOTS": str(root)}) as service:
        reply = service.post("/v1/encode", {"source": {"type": "uri", "uri": f"file://{root}/{escape}"}})
    assert (reply.status, reply.error["code"]) == (422, "source_forbidden")
    assert CANARY not in reply.body.decode()
    assert "INDX_LOADER_FILE_ROOTS" in reply.error["message"]


def test_uri_sources_can_be_turned_off_altogether() -> None:
    with running({"INDX_URI_SCHEMES": "none"}) as service:
        reply = service.post("/v1/plan", {"source": {"type": "uri", "uri": "file:///etc/passwd"}})
        assert (reply.status, reply.error["code"]) == (415, "unsupported_source")
        assert service.get("/v1/capabilities").json["resolvable"]["schemes"] == []
        assert service.upload("/v1/plan", file_part(b"note")).status == 200


def test_a_zip_bomb_and_a_pixel_bomb_are_refused_by_their_own_worker(service: Running) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", b" " * 1000)
        archive.writestr("word/document.xml", b" " * 400_000_000)
    reply = service.upload("/v1/encode", file_part(packed.getvalue(), "x.docx"))
    assert (reply.status, reply.error["code"]) == (422, "source_unreadable")
    width = (60_000).to_bytes(4, "big")
    head = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + width + width + b"\x08\x02\x00\x00\x00"
    assert service.upload("/v1/encode", file_part(head, "x.png")).status in (200, 422)
    assert service.get("/health").status == 200


def test_a_name_that_is_no_file_name_is_only_a_label(service: Running) -> None:
    for filename in ("../../etc/passwd.txt", "x\x00.txt", "a" * 3000 + ".txt"):
        reply = service.upload("/v1/encode", file_part(b"note", filename))
        assert reply.status in (200, 422)


def test_without_the_extra_the_command_names_it(monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    for name in [name for name in sys.modules if name.startswith("indx_core.app.http.")]:
        if not name.endswith(".settings"):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with pytest.raises(SystemExit):
        main(["serve"])
    assert "the extra `serve`" in capsys.readouterr().err


def test_importing_the_core_imports_no_server() -> None:
    script = (
        "import sys, indx_core.app.service\n"
        "from indx_core.kit.settings import all_settings\n"
        "all_settings()\n"
        "print(sorted({'starlette', 'uvicorn', 'python_multipart'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
