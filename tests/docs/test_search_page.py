"""docs/search.md: its commands and its Python run over a lake, and its table of filters is the code's."""

import dataclasses
import re
import shlex
from pathlib import Path

import pytest
from architecture.repository import ROOT
from click.testing import CliRunner
from kit.lake.table_rows import chunk
from knowledge.search.lakes import document, lake_at
from knowledge.spaces import chunk as space_chunk
from knowledge.spaces import document as space_document

from indx_core.app.cli.commands.search import command
from indx_core.app.cli.main import cli
from indx_core.engines.embed_hashed.embedder import HashedEmbedder
from indx_core.knowledge.search import SearchFilters
from indx_core.knowledge.space import KnowledgeSpace

PAGE = (ROOT / "docs" / "search.md").read_text(encoding="utf-8")
COMMANDS = [
    line for block in re.findall(r"^```sh\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL) for line in block.splitlines()
]
TEXTS = ("再生紙の値上げ", "残業時間 overtime hours per employee", "総務部への出張の申請", "請求書の写し")


@pytest.fixture
def lake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("INDX_LAKE", str(tmp_path / "lake"))
    lake = lake_at(tmp_path / "lake")
    matrix = HashedEmbedder().embed_texts(list(TEXTS), "document").vectors
    for number, text in enumerate(TEXTS):
        key = f"sample/総務部/{number}"
        media_type = "application/pdf" if number == 0 else "text/plain"
        document(lake, key, chunk(key, 0, text), space="default-text", matrix=matrix[[number]], media_type=media_type)
    held = [space_chunk(1, 1, 0, "a.txt", TEXTS[3])]
    KnowledgeSpace(root="/", documents=[space_document(1, "a.txt", ["chunk_0001"])], chunks=held).save("space.indx")


@pytest.mark.usefixtures("lake")
@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_of_the_page_finds_something(line: str) -> None:
    """The model of the other space is an extra: the baseline stands in for it."""
    program, *arguments = shlex.split(line.replace("sentence-multilingual", "default-text"))
    assert program == "indx"
    result = CliRunner().invoke(cli, arguments, catch_exceptions=False)
    assert result.exit_code == 0
    assert '"text"' in result.stdout


@pytest.mark.usefixtures("lake")
def test_the_python_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    exec(compile(example, "search.md", "exec"), {})
    assert capsys.readouterr().out.startswith("sample 総務部/0 1 None 1.0\n再生紙の値上げ []")


def test_the_table_of_filters_is_the_code_s() -> None:
    rows = re.findall(r"^\| (`--[^|]*`) \| (`[^|]*`) \|", PAGE, re.MULTILINE)
    options = {name.strip("`") for row, _ in rows for name in row.split(", ")}
    fields = {name.strip("`") for _, row in rows for name in row.split(", ")}
    assert fields == {each.name for each in dataclasses.fields(SearchFilters)}
    assert options <= {each for parameter in command.params for each in parameter.opts}
