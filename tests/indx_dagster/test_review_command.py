"""`indx review` as a user runs it: a scan nothing here reads, answered by a person, found by search afterwards."""

from pathlib import Path

import pytest
from indx_dagster_commands import indx
from PIL import Image

pytestmark = pytest.mark.slow

TOML = """
[ingest]
languages = false
embedding_spaces = []
[ingest.constraints]
capability_ids = ["manual-review"]
[corpora.faxes]
root = "documents"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "documents").mkdir()
    Image.new("RGB", (80, 100), "white").save(tmp_path / "documents" / "注文.png")
    (tmp_path / "indx.toml").write_text(TOML, encoding="utf-8")
    return tmp_path


def test_a_page_is_listed_with_its_picture_answered_and_gone_from_the_queue(folder: Path) -> None:
    status, _out, err = indx(folder, "ingest")
    assert status == 0, err
    status, (page,), err = indx(folder, "review", "list", "--images", "waiting")
    assert (status, page["document"], page["page"], page["status"]) == (0, "faxes/注文.png", 1, "unreadable"), err
    assert Path(page["image"]).read_bytes().startswith(b"\x89PNG")

    (folder / "answer.txt").write_text("再生紙 3箱\n", encoding="utf-8")
    answer = ("review", "answer", "faxes/注文.png", "1", "--file", "answer.txt", "--reviewer", "佐藤")
    status, out, err = indx(folder, *answer)
    assert (status, out["read_again"], out["pages_waiting"], out["failures"]) == (0, ["faxes/注文.png"], 0, []), err

    assert indx(folder, "review", "list")[1] == []
    sql = "SELECT p.text, p.reason, c.text AS chunk FROM pages p JOIN chunks c USING (key, page)"
    assert indx(folder, "sql", sql, "--json")[1] == [
        {"text": "再生紙 3箱\n", "reason": "read by 佐藤", "chunk": "再生紙 3箱\n"}
    ]
    assert indx(folder, "ingest", "--dry-run")[1] == []


def test_an_answer_to_a_page_that_is_not_there_is_refused_with_what_to_do(folder: Path) -> None:
    assert indx(folder, "ingest")[0] == 0
    status, _out, err = indx(folder, "review", "answer", "faxes/注文.png", "2", "--text", "x", "--reviewer", "佐藤")
    assert (status, "no page 2 of faxes/注文.png" in err) == (3, True)
    status, _out, err = indx(folder, "review", "answer", "faxes/注文.png", "1", "--reviewer", "佐藤")
    assert (status, "--text or with --file" in err) == (2, True)
