"""Distributions of this folder, installed as anybody would install them. Holds no test."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def install(plugin: str, target: Path) -> None:
    """Install a plugin of this folder into a directory of its own, without touching the network; skip if that fails."""
    if find_spec("hatchling") is None or find_spec("pip") is None:
        pytest.skip("installing a plugin without a network needs pip and hatchling in this environment")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    command += ["--disable-pip-version-check", "--target", str(target), str(HERE / plugin)]
    subprocess.run(command, check=True, capture_output=True, text=True, timeout=120)
