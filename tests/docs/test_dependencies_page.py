"""docs/dependencies.md names every dependency, and every licence that is not plainly permissive."""

import importlib.metadata
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
COPYLEFT = re.compile(r"GPL|MPL|EPL|CDDL|SSPL|EUPL|Proprietary", re.IGNORECASE)


def _declared() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lists = [project["dependencies"], *project["optional-dependencies"].values()]
    return sorted({re.split(r"[\[<>=!~; ]", requirement)[0] for each in lists for requirement in each})


def _pinned() -> list[str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return [line.split("==")[0] for line in lines if not line.startswith("#")]


@pytest.mark.parametrize("name", _declared())
def test_a_dependency_has_its_line_and_its_pin(name: str) -> None:
    assert re.search(rf"^\|.*\b{re.escape(name)}\b", PAGE, re.MULTILINE)
    assert name.lower().replace("_", "-") in _pinned()


def test_every_licence_that_is_not_permissive_is_named() -> None:
    """Read from the metadata of what is installed here, transitive packages included."""
    found = {name for name in _pinned() if COPYLEFT.search(_licence(name))}
    explained = PAGE[PAGE.index("## Licences that are not plainly permissive") :]
    assert {name for name in found if name not in explained} == set()


def _licence(name: str) -> str:
    try:
        metadata = importlib.metadata.metadata(name)
    except importlib.metadata.PackageNotFoundError:  # an extra that is not installed here
        return ""
    classifiers = [line for line in metadata.get_all("Classifier") or [] if line.startswith("License")]
    # A licence field may hold the whole text of a licence, which names others.
    stated = (metadata.get("License") or "").split("\n")[0][:80]
    return " ".join([metadata.get("License-Expression") or "", stated, *classifiers])
