"""Nothing of one machine or one company's network is committed."""

import re
from pathlib import Path

import pytest
from architecture.repository import ROOT, committed

BINARY = {".pdf", ".png", ".jpg", ".tif", ".xlsx", ".docx", ".pptx", ".doc", ".xls", ".ppt", ".dxf", ".msg", ".indx"}
FORBIDDEN = {
    # Written in pieces, so that this file does not name what it forbids.
    "a path of one machine": r"(?<![\w./:])/" + r"(work|home|root|Users)/\w",
    "a package index": "|".join(
        ["pypi" + r"\.org", "python" + "hosted", "npm" + "js", "arti" + "factory", "index" + "-url"]
    ),
    "a private address": r"\b(10\.\d+\.\d+\.\d+|192\.168\.\d+\.\d+):\d",
}
LOCK_FILES = {
    "poetry.lock",
    "uv.lock",
    "Pipfile.lock",
    "pdm.lock",
    "package-lock.json",
    "yarn.lock",
    "pip.conf",
    ".npmrc",
}


@pytest.mark.parametrize(("what", "pattern"), FORBIDDEN.items(), ids=list(FORBIDDEN))
def test_no_committed_text_names(what: str, pattern: str) -> None:
    found = [
        f"{path}:{number}: {line.strip()[:80]}"
        for path in committed()
        if path.suffix not in BINARY
        for number, line in enumerate(_lines(path), start=1)
        if re.search(pattern, line)
    ]
    assert found == [], what


def test_no_lock_file_with_addresses_is_committed() -> None:
    """Versions are pinned by name in constraints.txt, wherever they are installed from."""
    assert {path.name for path in committed()} & LOCK_FILES == set()


def test_constraints_pin_versions_and_nothing_else() -> None:
    lines = [line for line in _lines(Path("constraints.txt")) if line and not line.startswith("#")]
    assert [line for line in lines if not re.fullmatch(r"[a-z0-9-]+==[0-9][0-9a-z.]*", line)] == []
    assert lines == sorted(lines)


def _lines(path: Path) -> list[str]:
    return (ROOT / path).read_text(encoding="utf-8", errors="replace").splitlines()
