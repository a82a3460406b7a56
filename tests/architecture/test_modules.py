"""What every module owes its reader: a paragraph that says what belongs there, and a length that can be read."""

import ast
import re
from pathlib import Path

import pytest
from architecture.repository import ROOT, modules

MAXIMUM_LINES = 350
DEBT = {
    "indx_core/contracts/errors.py": 450,  # one class per error, each with its code, status and remedy
}
"""Longer modules, and how long each may be: a list that only ever gets shorter."""

ENVIRONMENT = {
    "indx_core/kit/settings.py": "the one place that reads it",
    "indx_dagster/home.py": "Dagster's own variables, set before Dagster is imported",
    "indx_core/kit/llm/library.py": "LiteLLM's own variables: it can be told no other way, and only before it is imported",
    "indx_core/formats/dxf/loading.py": "ezdxf's own folders while it is imported, put back at once",
    "indx_core/kit/workers/limits.py": "writes thread limits for C libraries into a worker's own process",
}


def test_every_module_opens_with_what_belongs_in_it() -> None:
    first = {str(module): (ast.get_docstring(_tree(module)) or "").split("\n\n")[0] for module in modules()}
    assert {name: text for name, text in first.items() if not re.search(r"\w.*[.:?]$", text, re.DOTALL)} == {}


def test_every_module_can_be_read_in_one_sitting() -> None:
    lengths = {str(module): len(_lines(module)) for module in modules()}
    assert {name: n for name, n in lengths.items() if n > DEBT.get(name, MAXIMUM_LINES)} == {}


@pytest.mark.parametrize("module", DEBT)
def test_listed_debt_is_still_owed(module: str) -> None:
    """A module that has become short leaves the list, or it may grow again unseen."""
    assert len(_lines(Path(module))) > MAXIMUM_LINES


def test_only_the_settings_read_the_environment() -> None:
    """A variable read elsewhere is in no data version and on no page of the documentation."""
    readers = {str(module) for module in modules() if _touches_environment(_tree(module))}
    assert readers == {name for name in ENVIRONMENT if (ROOT / name).is_file()}


def _touches_environment(tree: ast.AST) -> bool:
    names = {"environ", "environb", "getenv", "getenvb", "putenv"}
    attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    imported = {
        alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module == "os"
        for alias in node.names
    }  # fmt: skip
    return bool(names & (attributes | imported))


def _lines(module: Path) -> list[str]:
    return (ROOT / module).read_text(encoding="utf-8").splitlines()


def _tree(module: Path) -> ast.Module:
    return ast.parse((ROOT / module).read_text(encoding="utf-8"))
