"""The Dockerfile: what it copies is there and is sent to the builder, and the extras it installs exist."""

import fnmatch
import re
import tomllib
from pathlib import Path

from container_commands import parses

ROOT = Path(__file__).resolve().parents[2]
DOCKERFILE = (ROOT / "deploy" / "Dockerfile").read_text()


def copied() -> list[str]:
    lines = re.findall(r"^COPY (?:--\S+ )*(.+)$", DOCKERFILE, re.MULTILINE)
    return [source for line in lines for source in line.split()[:-1]]


def test_what_is_copied_is_there_and_not_ignored() -> None:
    allowed = [
        line[1:] for line in (ROOT / "deploy" / "Dockerfile.dockerignore").read_text().splitlines() if line[:1] == "!"
    ]
    for source in copied():
        assert (ROOT / source).exists(), source
        assert any(fnmatch.fnmatch(source.split("/")[0], pattern) for pattern in allowed), source


def test_every_package_of_the_checkout_is_copied() -> None:
    packages = {"indx_core", "resources", "assets", "indx_dagster"}
    assert packages <= set(copied())


def test_the_extras_exist() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    (named,) = re.findall(r"^ARG EXTRAS=(\S+)$", DOCKERFILE, re.MULTILINE)
    assert set(named.split(",")) <= set(extras)
    assert {"postgres", "celery", "kubernetes"} <= set(named.split(","))


def test_a_container_started_without_a_command_serves_the_code_location() -> None:
    (command,) = re.findall(r"^CMD \[(.+)\]$", DOCKERFILE, re.MULTILINE)
    assert parses(re.findall(r'"([^"]+)"', command))


def test_the_process_is_not_root() -> None:
    assert DOCKERFILE.index("\nUSER indx") < DOCKERFILE.index("\nCMD")
