"""``indx serve`` as a process of its own: it comes up, says where, and goes without a trace."""

import http.client
import json
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

pytest.importorskip("uvicorn", reason="the serve extra is not installed")

from indx_core.app.http.app import create_app
from indx_core.app.http.engine import Engine
from indx_core.app.http.server import _Server
from indx_core.app.http.settings import HttpSettings
from indx_core.contracts.errors import SettingsInvalid
from indx_core.kit.settings import overriding

COMMAND = ["-c", "from indx_core.app.cli import main; main(['serve', '--port', '0'])"]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    environment = ["env", f"TMPDIR={tmp_path}", "INDX_WORKERS=1"]
    with subprocess.Popen([*environment, sys.executable, *COMMAND], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            said = json.loads(next(line for line in process.stderr if "listening" in line))
            assert (said["host"], said["workers"]) == ("127.0.0.1", 1)
            yield process, said["port"]
        finally:
            process.kill()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_serves_until_told_to_stop_and_leaves_no_process_and_no_file(served, tmp_path: Path, number: int) -> None:
    process, port = served
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", "/health", headers={"X-Request-ID": "from-outside"})
    answer = connection.getresponse()
    assert (answer.status, json.loads(answer.read())["status"]) == (200, "ok")
    assert answer.headers["server"] is None, "what runs here is nobody's business"
    connection.close()
    children = psutil.Process(process.pid).children(recursive=True)
    assert children
    process.send_signal(number)
    _, rest = process.communicate(timeout=60)
    assert process.returncode == 0
    assert [json.loads(line)["x_request_id"] for line in rest.splitlines()] == ["from-outside"]
    assert psutil.wait_procs(children, timeout=20)[1] == []
    assert list(tmp_path.iterdir()) == []


def test_an_address_that_is_taken_is_a_bad_setting() -> None:
    """Uvicorn leaves with a status of its own, 3, which is that of a source that cannot be read."""
    with socket.create_server(("127.0.0.1", 0)) as taken, overriding({"INDX_WORKERS": "1"}):
        engine = Engine(HttpSettings(http_port=taken.getsockname()[1]))
        try:
            with pytest.raises(SettingsInvalid, match="INDX_HTTP_PORT"):
                _Server(engine, create_app(engine)).run()
        finally:
            engine.close()
