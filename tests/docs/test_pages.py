"""Documentation that names a file, a target or a variable names one that exists."""

import re
from pathlib import Path

import pytest
from architecture.repository import ROOT, committed, modules

from indx_core.kit.settings import all_settings

SWITCHES = {"INDX_REGENERATE_GOLDEN", "INDX_REQUIRE_CORPUS", "INDX_TEST_AZURITE", "INDX_TEST_CORPUS"}
"""Read by the tests themselves."""


def _pages() -> list[Path]:
    return [path for path in committed() if path.suffix == ".md"]


def test_every_relative_link_leads_somewhere() -> None:
    broken = [
        f"{page}: {target}"
        for page in _pages()
        for target in re.findall(r"\]\(([^)#:]+)\)", (ROOT / page).read_text(encoding="utf-8"))
        if not (ROOT / page.parent / target).exists()
    ]
    assert broken == []


def test_every_make_target_named_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = {
        target
        for page in _pages()
        for target in re.findall(r"(?:^|[`$ ])make ([a-z-]+)\b", _code((ROOT / page).read_text(encoding="utf-8")))
    }
    assert named
    assert named <= targets


def test_every_variable_named_exists() -> None:
    """In documentation, build files and messages of the code alike: advice to set a variable nobody reads is a lie."""
    variables = {name for cls in all_settings() for name in cls.variables()} | SWITCHES
    files = [*_pages(), Path("Makefile"), Path("indx.toml"), Path(".ci/run"), *modules()]
    unknown = {
        f"{path}: {name}"
        for path in files
        for name in re.findall(r"\bINDX_[A-Z0-9_]*[A-Z0-9]\b(?![_*<…])", (ROOT / path).read_text(encoding="utf-8"))
        if name not in variables
    }
    assert unknown == set()


def test_every_variable_is_described_and_declared_once() -> None:
    declared = [(name, info.description) for cls in all_settings() for name, info in cls.variables().items()]
    names = [name for name, _ in declared]
    assert sorted(set(names)) == sorted(names)
    assert [name for name, description in declared if not (description or "").strip()] == []


@pytest.mark.parametrize("key", ["constraints", "signature_detection", "embedding_spaces", "languages", "chunkers"])
def test_the_example_configuration_shows_every_option(key: str) -> None:
    assert re.search(rf"^(\[ingest\.{key}\]|{key} = )", (ROOT / "indx.toml").read_text(encoding="utf-8"), re.MULTILINE)


def _code(text: str) -> str:
    """Fenced blocks and code spans alone: prose may say `make` of anything."""
    fenced = re.findall(r"^```.*?^```", text, re.MULTILINE | re.DOTALL)
    return "\n".join([*fenced, *re.findall(r"`[^`\n]+`", text)])
