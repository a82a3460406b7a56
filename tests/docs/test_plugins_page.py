"""docs/plugins.md shows the plugin that the tests install, word for word, and its own tests pass."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MEMO = ROOT / "tests" / "plugins" / "indx-plugin-memo"
PAGE = (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")
PARTS = re.findall(r"^```(?:toml|python)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
PLUGIN = [part for part in PARTS if "def test_" not in part]
TESTS = [part for part in PARTS if "def test_" in part]


@pytest.mark.parametrize("part", PLUGIN, ids=lambda part: part.splitlines()[0])
def test_a_shown_part_stands_in_the_installed_plugin(part: str) -> None:
    sources = [path.read_text(encoding="utf-8") for path in (MEMO / "pyproject.toml", *MEMO.rglob("*.py"))]
    assert any(part.strip() in source for source in sources)


def test_the_shown_tests_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(MEMO / "src"))
    namespace: dict[str, object] = {}
    exec(TESTS[0], namespace)
    tests = [value for name, value in namespace.items() if name.startswith("test_")]
    assert len(tests) == 2
    for test in tests:
        test()  # type: ignore[operator]
