"""docs/knowledge-space.md: its Python runs, and its SQL answers over a real database."""

import re
from pathlib import Path

import duckdb
import pytest
from architecture.repository import ROOT
from knowledge.spaces import small_space

from indx_core.knowledge.database import write_database

PAGE = (ROOT / "docs" / "knowledge-space.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("statement", blocks("sql"))
def test_a_query_of_the_page_answers(tmp_path: Path, statement: str) -> None:
    write_database(small_space(), tmp_path / "space.duckdb")
    with duckdb.connect(str(tmp_path / "space.duckdb")) as connection:
        assert connection.execute(statement).fetchall()


def test_the_example_of_the_page_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "tree"
    folder.mkdir()
    (folder / "規程.txt").write_text("保存期間は九十日とする。", encoding="utf-8")
    (example,) = blocks("python")
    exec(compile(example, "knowledge-space.md", "exec"), {"folder": folder, "out": tmp_path / "out"})
    assert capsys.readouterr().out.startswith("規程.txt 1 ")
    assert (tmp_path / "out" / "space.indx").is_file()
