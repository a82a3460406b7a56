"""Third parties come in by installation alone: real distributions, installed by pip, seen by a fresh interpreter."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from plugins.installing import install as install_into

HERE = Path(__file__).parent
ROOT = HERE.parents[1]

Installed = Callable[..., Path]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Installs plugins of this folder into a directory of their own, once each, without touching the network."""
    targets: dict[str, Path] = {}

    def install(plugin: str) -> Path:
        if plugin not in targets:
            target = tmp_path_factory.mktemp(plugin)
            install_into(plugin, target)
            targets[plugin] = target
        return targets[plugin]

    return install


def _run(script: str, *targets: Path) -> dict:  # type: ignore[type-arg]
    """Run a script that prints JSON in a fresh interpreter that sees these directories."""
    path = os.pathsep.join([str(ROOT), *map(str, targets)])
    finished = subprocess.run(
        [sys.executable, "-c", script],
        check=False,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert finished.returncode == 0, finished.stderr
    return json.loads(finished.stdout)  # type: ignore[no-any-return]


READ_A_MEMO = """
import json
from indx_core.contracts.source import UriSource
from indx_core.kit.intake import acquire, observe_document, open_document, resolvable
from indx_core.kit.registry import discover

registry = discover()
acquired = acquire(UriSource(uri="memo:buy milk/---/call 山田"), registry)
with open_document(acquired, registry) as document:
    observation = observe_document(acquired, document, registry)
    pages = [page.number for page in observation.pages]
    texts = [output.text for output in registry.reader("memo-extraction").read(document, pages)]
print(json.dumps({
    "schemes": resolvable(registry).schemes,
    "observable": resolvable(registry).observable_media_types,
    "who": [observation.loader, observation.sniffer, observation.observer],
    "texts": texts,
    "first": registry.loaders[0].distribution,
    "failures": [failure.distribution for failure in registry.failures if "plugin" in failure.distribution],
}))
"""


def test_an_installed_distribution_adds_a_scheme_an_observer_and_a_reader(installed: Installed) -> None:
    seen = _run(READ_A_MEMO, installed("indx-plugin-memo"))
    assert "memo" in seen["schemes"]
    assert "text/x-memo" in seen["observable"]
    assert seen["who"] == ["indx-plugin-memo"] * 3
    assert seen["texts"] == ["buy milk", "call 山田"]
    assert seen["first"] == "indx-plugin-memo", "third parties are asked before what ships"


def test_a_distribution_that_fails_to_import_is_left_out_and_reported_and_the_others_work(installed: Installed) -> None:
    seen = _run(READ_A_MEMO, installed("indx-plugin-memo"), installed("indx-plugin-broken"))
    assert seen["texts"] == ["buy milk", "call 山田"]
    assert seen["failures"] == ["indx-plugin-broken"]


def test_an_id_that_is_taken_is_refused_at_start_up_naming_both_owners(installed: Installed) -> None:
    script = """
import json
from indx_core.contracts.errors import DuplicateComponent
from indx_core.kit.registry import discover

try:
    discover()
    print(json.dumps({}))
except DuplicateComponent as error:
    print(json.dumps({"message": error.message}))
"""
    message = _run(script, installed("indx-plugin-double"))["message"]
    assert "scheme 'file'" in message
    assert "indx-plugin-double" in message
    assert "indx_core.loaders.file" in message


def test_a_plugin_author_can_hold_a_plugin_against_the_conformance_suites(installed: Installed) -> None:
    script = """
import json
from indx_core.ports.document import OpenDocument
from indx_core.testing.conformance import check_loader, check_observer, check_reader
from indx_plugin_memo.memo import MEDIA_TYPE, MemoLoader, MemoObserver, MemoReader

def memo():
    return OpenDocument(b"MEMO\\none\\n---\\ntwo", MEDIA_TYPE)

check_loader(MemoLoader(), "memo:one", b"MEMO\\none", "memo:!")
check_observer(MemoObserver(), memo, pages=2)
check_reader(MemoReader(), memo, pages=[1, 2])
print(json.dumps({"conforms": True}))
"""
    assert _run(script, installed("indx-plugin-memo")) == {"conforms": True}


def test_without_the_distribution_the_scheme_is_refused() -> None:
    script = """
import json
from indx_core.kit.intake import resolvable
from indx_core.kit.registry import discover

print(json.dumps({"schemes": resolvable(discover()).schemes}))
"""
    assert "memo" not in _run(script)["schemes"]
