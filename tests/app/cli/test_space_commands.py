"""``indx inspect``, ``indx diff``, ``indx export`` of a space and ``indx views``."""

import json
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner
from knowledge.spaces import small_space

from indx_core.app.cli.commands.diff import readable as readable_difference
from indx_core.app.cli.commands.inspect import readable
from indx_core.app.cli.main import cli
from indx_core.contracts.errors import ArchiveInvalid, RequestInvalid
from indx_core.kit.lake import Lake, LakeSettings, encode_table, rows_table
from indx_core.kit.settings import overriding
from indx_core.knowledge.space.difference import difference


def run(*arguments: object) -> str:
    """Standard output of a command that succeeds; a typed error is raised."""
    result = CliRunner().invoke(cli, [str(argument) for argument in arguments], standalone_mode=False)
    if result.exception is not None:
        raise result.exception
    return result.stdout


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    small_space().save(tmp_path / "space.indx")
    return tmp_path / "space.indx"


def test_inspect_prints_the_stats_of_the_data_model(archive: Path) -> None:
    assert json.loads(run("inspect", archive, "--json")) == small_space().stats.model_dump()


def test_inspect_says_more_to_a_person() -> None:
    shown = readable(small_space())
    assert "  default-text  2 x 3" in shown
    assert "  parent        1" in shown


def test_inspect_refuses_what_is_no_archive(tmp_path: Path) -> None:
    (tmp_path / "x.indx").write_bytes(b"PK")
    with pytest.raises(ArchiveInvalid):
        run("inspect", tmp_path / "x.indx")


def test_diff_of_two_archives(archive: Path, tmp_path: Path) -> None:
    space = small_space()
    changed = space.chunks[2].model_copy(update={"text": "Enterprise data is kept 30 days"})
    other = space.model_copy(update={"chunks": [*space.chunks[:2], changed]})
    other.save(tmp_path / "other.indx")
    found = json.loads(run("diff", archive, tmp_path / "other.indx", "--json"))
    assert found["changed"] == ["policies/保存期間.pdf"]
    assert [each["change"] for each in found["chunks"]] == ["changed"]
    assert readable_difference(difference(space, other)).splitlines() == [
        "~ policies/保存期間.pdf",
        "  ~ policies/保存期間.pdf  chunk_0003 → chunk_0003",
    ]
    assert readable_difference(difference(space, space)) == "no difference"


@pytest.mark.parametrize(
    ("format_", "files"),
    [
        ("jsonl", ["chunks.jsonl"]),
        ("parquet", ["chunks.parquet"]),
        ("qdrant", ["collection.json", "points.jsonl", "space.json"]),
    ],
)
def test_a_space_is_exported_for_another_index(archive: Path, tmp_path: Path, format_: str, files: list[str]) -> None:
    assert run("export", format_, archive, "-o", tmp_path / "a" / "b") == ""
    assert sorted(path.name for path in (tmp_path / "a" / "b").iterdir()) == files


def test_an_index_needs_a_folder(archive: Path) -> None:
    with pytest.raises(RequestInvalid, match="several files"):
        run("export", "jsonl", archive)
    with pytest.raises(RequestInvalid, match="cannot be written"):
        run("export", "jsonl", archive, "-o", archive)


def test_views_run_in_a_duckdb_of_ones_own(tmp_path: Path) -> None:
    lake = Lake.open(LakeSettings(lake=str(tmp_path / "lake")))
    row = {"key": "c/x", "block_id": "document", "unit": "document", "summary": "short", "enricher": "e"}
    lake.write("summaries", "c/x", encode_table(rows_table("summaries", [row])))
    with overriding({"INDX_LAKE": str(tmp_path / "lake")}):
        statements = run("views")
    with duckdb.connect() as connection:
        connection.execute(statements)
        assert connection.execute("SELECT summary FROM summaries").fetchall() == [("short",)]
        assert connection.execute("SELECT count(*) FROM chunks").fetchone() == (0,)


def test_views_of_a_bucket_are_refused_with_what_works_instead() -> None:
    variables = {"INDX_LAKE": "s3://bucket/x", "INDX_LAKE_REGION": "eu-west-1"}
    with overriding(variables), pytest.raises(RequestInvalid) as refused:
        run("views")
    assert "indx sql" in str(refused.value.remedy)
