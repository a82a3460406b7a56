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
from indx_core.app.installation import Installation
from indx_core.app.service import Service
from indx_core.contracts.capability import Device
from indx_core.contracts.errors import InvalidEmbeddingSpace, RequestInvalid
from indx_core.kit.registry import Contribution, build
from indx_core.testing.fakes.embedding import FakeEmbedder


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


def test_a_box_is_printed_as_it_was_meant(tmp_path: Path) -> None:
    """The lake keeps an edge in four bytes: 0.104 came out as 0.10400000214576721."""
    box = {"x0": 0.104, "y0": 0.2, "x1": 0.3, "y1": 0.9, "bbox_reason": None}
    document(lake_at(tmp_path / "lake"), "c/規程.txt", chunk("c/規程.txt", 0, "保存期間は九十日", **box))
    assert run("保存期間", "--words-only")[0]["box"] == [0.104, 0.2, 0.3, 0.9]


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


def test_without_vectors_the_words_answer(tmp_path: Path) -> None:
    """A corpus may be ingested with no embedding space, and a question need not name one."""
    assert [hit["found_by"] for hit in run("保存期間")] == [{"lexical": 1.0}]


def test_a_question_that_names_no_space_is_asked_in_one_that_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But never in one of a vendor's: its text would be sent there."""
    vendor = FakeEmbedder("vendor", "hosted", 2, device=Device.EXTERNAL)
    registry = build([("fakes", Contribution(embedders=[vendor, FakeEmbedder("model", "of-a-model", 2)]))])
    monkeypatch.setattr("indx_core.app.facade._service", lambda: Service(Installation.of(registry)))
    for space in ("hosted", "of-a-model"):
        rows = [chunk("c/規程.txt", 0, "保存期間は九十日")]
        document(lake_at(tmp_path / "lake"), "c/規程.txt", *rows, matrix=[[1.0, 0.0]], space=space)
    assert {name for hit in run("保存期間") for name in hit["found_by"]} == {"lexical", "of-a-model"}


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
