"""docs/dependencies.md names every dependency, and every licence that is not plainly permissive."""

import importlib.metadata
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
COPYLEFT = re.compile(r"GPL|MPL|EPL|CDDL|SSPL|EUPL|Proprietary", re.IGNORECASE)


_EXTRA = re.compile(r"(?:install the '|(?<!its )extras? [`'])([a-z]+)[`']")


def _project() -> dict[str, Any]:
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project


def _declared() -> list[str]:
    project = _project()
    lists = [project["dependencies"], *project["optional-dependencies"].values()]
    return sorted({re.split(r"[\[<>=!~; ]", requirement)[0] for each in lists for requirement in each})


def _pinned() -> list[str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return [line.split("==")[0] for line in lines if not line.startswith("#")]


@pytest.mark.parametrize("name", _declared())
def test_a_dependency_has_its_line_and_its_pin(name: str) -> None:
    assert re.search(rf"^\|.*\b{re.escape(name)}\b", PAGE, re.MULTILINE)
    assert name.lower().replace("_", "-") in _pinned()


def test_every_extra_that_a_message_or_a_page_names_can_be_installed() -> None:
    """A remedy that pip answers with "does not provide the extra" is none."""
    sources = [*(ROOT / "indx_core").rglob("*.py"), *(ROOT / "docs").glob("*.md"), ROOT / "README.md"]
    named = {name for path in sources for name in _EXTRA.findall(path.read_text(encoding="utf-8"))}
    assert {"ocr", "zeroshot", "near"} <= named
    assert named <= set(_project()["optional-dependencies"])


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
