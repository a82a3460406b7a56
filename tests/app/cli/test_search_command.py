"""``indx search`` over a lake and over an archive: what is printed, and what is refused."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from kit.lake.table_rows import chunk
from knowledge.search.lakes import document, lake_at
from knowledge.spaces import small_space

from indx_core.app.cli.commands.search import readable
from indx_core.app.cli.main import cli
from indx_core.app.facade import search
from indx_core.contracts.errors import InvalidEmbeddingSpace, RequestInvalid


@pytest.fixture(autouse=True)
def lake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INDX_LAKE", str(tmp_path / "lake"))
    box = {"x0": 0.125, "y0": 0.25, "x1": 0.5, "y1": 0.75, "bbox_reason": None}
    rows = chunk("c/規程.txt", 0, "保存期間は九十日", **box), chunk("c/規程.txt", 1, "附則")
    document(lake_at(tmp_path / "lake"), "c/規程.txt", *rows)
    small_space(vectors=False).save(tmp_path / "space.indx")


def run(*arguments: str) -> list[dict]:
    result = CliRunner().invoke(cli, ["search", *arguments], standalone_mode=False)
    if result.exception is not None:
        raise result.exception
    return json.loads(result.stdout)


def test_json_has_the_place_the_score_and_what_stands_around_a_hit() -> None:
    (hit,) = run("保存期間", "--words-only")
    assert (hit["key"], hit["page"], hit["box"], hit["score"]) == ("c/規程.txt", 1, [0.125, 0.25, 0.5, 0.75], 1.0)
    assert hit["found_by"] == {"lexical": 1.0}
    assert hit["neighbors"] == [{"chunk_id": "page:1/chunk:2", "page": 1, "text": "附則"}]
    assert (hit["document"]["type"], hit["relations"]) == ("text", [])


def test_a_person_sees_document_page_box_score_and_text() -> None:
    (hit,) = search("保存期間", words_only=True)
    assert readable(hit) == (
        "1.000  c/規程.txt  page 1  [0.125, 0.250, 0.500, 0.750]  lexical 1.000\n       保存期間は九十日"
    )


def test_an_archive_is_searched_in_the_same_form(tmp_path: Path) -> None:
    (hit,) = run("保存期間", "--in", str(tmp_path / "space.indx"), "--type", "policy", "--folder", "policies")
    assert (hit["path"], hit["chunk_id"]) == ("policies/保存期間.pdf", "chunk_0002")
    assert [edge["to"] for edge in hit["relations"]] == ["legal/gdpr.md", "doc_0001"]
    assert set(hit) == set(run("保存期間", "--words-only")[0])


@pytest.mark.parametrize(
    "filters",
    [
        ("--corpus", "other"),
        ("--folder", "other"),
        ("--document", "other.txt"),
        ("--type", "pdf"),
        ("--media-type", "application/pdf"),
        ("--language", "ja"),
        ("--label", "contract"),
        ("--entity", "東京電力"),
        ("--since", "2024"),
        ("--until", "2024"),
    ],
    ids=lambda filters: filters[0],
)
@pytest.mark.parametrize("where", [("--words-only",), ("--in",)], ids=["lake", "archive"])
def test_every_filter_reaches_both_searches(tmp_path: Path, where: tuple[str, ...], filters: tuple[str, ...]) -> None:
    where = (*where, str(tmp_path / "space.indx")) if where == ("--in",) else where
    assert run("保存期間", *where, *filters) == []


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((" ",), RequestInvalid),
        (("a", "--words-only", "--space", "default-text"), RequestInvalid),
        (("a", "--space", "default-text"), InvalidEmbeddingSpace),
        (("a", "--words-only", "--since", "2024/04/01"), RequestInvalid),
        (("a", "--words-only", "--since", "2024-4"), RequestInvalid),
        (("a", "--words-only", "--until", "2024-13"), RequestInvalid),
        (("a", "--words-only", "--until", "last year"), RequestInvalid),
    ],
)
def test_a_question_that_cannot_be_asked(arguments: tuple[str, ...], error: type[Exception]) -> None:
    with pytest.raises(error):
        run(*arguments)
