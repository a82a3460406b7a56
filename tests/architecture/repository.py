"""The repository as these tests see it: its root, its packages, their modules, and what is committed."""

import subprocess
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("indx_core", "resources", "assets", "indx_dagster")


def modules() -> list[Path]:
    """Every module of the shipped packages, relative to the root."""
    return sorted(path.relative_to(ROOT) for package in PACKAGES for path in (ROOT / package).rglob("*.py"))


@cache
def committed() -> tuple[Path, ...]:
    """Every file git knows, relative to the root. Skips outside a clone."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a git clone: what is committed cannot be told")
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z"], check=True, capture_output=True, text=True)
    return tuple(Path(name) for name in listed.stdout.split("\0") if name and (ROOT / name).is_file())
