"""Assets move data and nothing else, and their names follow one grammar."""

import ast
import re
from collections.abc import Iterator

import pytest
from architecture.repository import ROOT

MAXIMUM_BODY_LINES = 25
DECORATORS = {"asset", "multi_asset", "graph_asset", "observable_source_asset", "asset_check", "multi_asset_check"}
NAME = re.compile(r"[a-z]+(_[a-z]+)*")
ASSET_KEYS = ("annotations", "chunks", "embeddings", "knowledge_space", "observation", "page_reads", "plan")


def test_an_asset_body_is_short() -> None:
    """Ask a resource, call one core function, record: what needs more lines belongs in the core."""
    bodies = dict(_bodies())
    assert bodies, "no asset found: the decorators looked for are out of date"
    assert {name: lines for name, lines in bodies.items() if lines > MAXIMUM_BODY_LINES} == {}


@pytest.mark.slow
def test_asset_keys_are_the_six_stages_and_the_space_in_the_written_grammar() -> None:
    """A renamed asset loses its history: this list changes on purpose or not at all."""
    from indx_dagster.definitions import build_defs

    keys = sorted(key.path for key in build_defs().resolve_asset_graph().get_all_asset_keys())
    assert keys == [[name] for name in ASSET_KEYS]
    assert all(NAME.fullmatch(part) for path in keys for part in path)


def _bodies() -> Iterator[tuple[str, int]]:
    """Name and body lines, docstring excluded, of every function under an asset decorator."""
    for path in sorted((ROOT / "assets").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and any(_decorates(each) for each in node.decorator_list):
                statements = node.body[1:] if ast.get_docstring(node) else node.body
                yield f"{path.name}:{node.name}", sum(_lines(each) for each in statements)


def _decorates(decorator: ast.expr) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    return name in DECORATORS


def _lines(statement: ast.stmt) -> int:
    return (statement.end_lineno or statement.lineno) - statement.lineno + 1
