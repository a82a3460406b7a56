"""What commands print for a person, where that says less than their JSON."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from kit.lake.table_rows import chunk
from knowledge.search.lakes import document, lake_at
from knowledge.spaces import small_space

from indx_core.app.cli.commands import capabilities, diff, embed, encode, inspect
from indx_core.app.cli.main import cli
from indx_core.app.facade import capabilities as snapshot
from indx_core.app.facade import embed as embedded
from indx_core.app.facade import encode as encoded
from indx_core.knowledge.space.difference import ChunkChange, Difference


def test_encode_counts_the_chunks_that_it_does_not_list(tmp_path: Path) -> None:
    """A list that merely ends passes for all there is."""
    note = tmp_path / "note.txt"
    note.write_text("\f".join(f"page {number}" for number in range(1, 26)))
    lines = encode.readable(encoded(str(note))).splitlines()
    assert [line for line in lines if "more" in line] == [
        "  and 5 more: --json has them all",
        "  and 15 more: --json has them all",
    ]
    note.write_text("one page")
    assert "more" not in encode.readable(encoded(str(note)))


def test_capabilities_names_media_types_briefly() -> None:
    """In full, those of Office files take a dozen lines of a terminal, for three rows of a table."""
    shown = capabilities.readable(snapshot())
    row = next(line for line in shown.splitlines() if line.lstrip().startswith("office-extraction"))
    assert "docx, docm" in row
    assert "wordprocessingml" not in shown


def test_embed_shows_the_components_that_say_something() -> None:
    """The first of a hashed vector are nearly always zero."""
    vector = embedded("annual recurring revenue").vector
    components = embed.readable(embedded("annual recurring revenue")).splitlines()[1]
    strongest = max(range(len(vector)), key=lambda place: abs(vector[place]))
    assert f"{strongest}: {vector[strongest]:.4f}" in components
    assert ": 0.0000" not in components
    assert f"and {sum(value != 0 for value in vector) - 6} smaller ones" in components


def test_diff_counts_the_chunks_of_a_document_that_came_and_lists_those_of_one_that_changed() -> None:
    found = Difference(
        added=("new.pdf",),
        changed=("old.pdf",),
        chunks=(
            ChunkChange(change="added", path="new.pdf", after="chunk_0001"),
            ChunkChange(change="added", path="new.pdf", after="chunk_0002"),
            ChunkChange(change="changed", path="old.pdf", before="chunk_0001", after="chunk_0003"),
        ),
    )
    assert diff.readable(found).splitlines() == [
        "+ new.pdf  2 chunks",
        "~ old.pdf",
        "  ~ old.pdf  chunk_0001 → chunk_0003",
    ]


def test_inspect_keeps_its_numbers_in_line_however_long_a_path_is() -> None:
    error = {"path": "総務部/" + "long-name-" * 10 + ".docx", "code": "source_encrypted", "message": "protected"}
    shown = inspect.readable(small_space().model_copy(update={"metadata": {"errors": [error] * 21}})).splitlines()
    assert max(len(line) for line in shown if line.startswith("chunks")) < 30
    assert shown[-2:] == [f"  {error['path']}  source_encrypted: protected", "  and 1 more"]


def printed(*arguments: str) -> str:
    """Standard output of a command, which is no terminal here."""
    result = CliRunner().invoke(cli, list(arguments), standalone_mode=False)
    if result.exception is not None:
        raise result.exception
    return result.stdout


@pytest.fixture
def passage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The key of a lake's one document, too long for 80 columns."""
    key = "corpus/" + "long-name-" * 12 + ".txt"
    monkeypatch.setenv("INDX_LAKE", str(tmp_path / "lake"))
    document(lake_at(tmp_path / "lake"), key, chunk(key, 0, "text"))
    return key


def test_the_form_for_people_can_be_had_in_a_pipe(passage: str) -> None:
    """A build's log is read by people, and has no terminal; nothing is folded for one of 80 columns."""
    question = "SELECT key FROM chunks"
    assert json.loads(printed("sql", question)) == json.loads(printed("sql", question, "--json")) == [{"key": passage}]
    table = printed("sql", question, "--no-json")
    assert f"│ {passage} │" in table
    assert "1 row" in table
    assert "1 rows" not in table
    assert printed("doctor", "--no-json").startswith("indx ")
