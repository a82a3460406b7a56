"""`indx ingest` as a user runs it: real worker processes, a real instance, nothing leaves the machine."""

import json
import time
from pathlib import Path

import pytest
from indx_dagster_commands import connections, indx, interrupt, start

pytestmark = pytest.mark.slow


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    documents = tmp_path / "documents"
    documents.mkdir()
    for index in range(5):
        (documents / f"{index}.txt").write_text(f"document {index}\fsecond page", encoding="utf-8")
    (documents / "価格表.csv").write_bytes("品名,価格\n紙,１２０\n".encode("cp932"))
    (tmp_path / "indx.toml").write_text('[corpora.docs]\nroot = "documents"\n', encoding="utf-8")
    return tmp_path


def test_a_corpus_is_ingested_once_and_then_only_what_changed_is_processed_and_what_is_gone_retired(
    folder: Path,
) -> None:
    status, out, err = indx(folder, "ingest", INDX_TEXT_ENCODING="utf-8-sig,cp932")
    assert (status, out["run"]["documents"], out["run"]["pages"], out["run"]["refused"]) == (
        0,
        6,
        {"completed": 11},
        {},
    ), err
    assert out["corpus"]["pages"] == {"completed": 11}
    status, out, _err = indx(folder, "ingest", INDX_TEXT_ENCODING="utf-8-sig,cp932")
    assert (status, out["run"]["documents"], out["corpus"]["documents"]) == (0, 0, 6)
    (folder / "documents" / "3.txt").write_text("changed", encoding="utf-8")
    (folder / "documents" / "4.txt").unlink()
    _status, dry, _err = indx(folder, "ingest", "--dry-run", INDX_TEXT_ENCODING="utf-8-sig,cp932")
    expected = [("docs/3.txt", ["source changed"]), ("docs/4.txt", ["gone"])]
    assert [(row["document"], row["reasons"]) for row in dry] == expected
    _status, out, _err = indx(folder, "ingest", INDX_TEXT_ENCODING="utf-8-sig,cp932")
    assert (out["run"]["documents"], out["run"]["retired"]) == (1, ["docs/4.txt"])
    _status, rows, _err = indx(
        folder, "sql", "SELECT text FROM pages WHERE key IN ('docs/3.txt', 'docs/4.txt')", "--json"
    )
    assert rows == [{"text": "changed"}]
    assert connections(folder) == []


def test_a_refused_file_never_fails_the_batch_and_says_what_to_do(folder: Path) -> None:
    """CP932 under the default encoding is refused rather than mangled."""
    status, out, _err = indx(folder, "ingest")
    assert (status, out["run"]["documents"], out["run"]["refused"]) == (0, 6, {"source_unreadable": 1})
    (refusal,) = out["corpus"]["refusals"]
    assert refusal["document"] == "docs/価格表.csv"
    assert "INDX_TEXT_ENCODING" in refusal["message"] + refusal["remedy"]
    status, out, _err = indx(folder, "replay", "docs/価格表.csv")
    assert (status, out["run"]["refused"]) == (5, {"plan_conflict": 1})
    assert "nothing to replay: the document was refused at observation" in out["run"]["failed"][0]["message"]
    assert [each["code"] for each in out["corpus"]["refusals"]] == ["source_unreadable"]


def test_an_interrupted_ingest_stops_cleanly_and_the_next_one_continues(folder: Path) -> None:
    for index in range(120):
        (folder / "documents" / f"more{index}.txt").write_text(f"more {index} " * 400, encoding="utf-8")
    process = start(folder, "ingest")
    sources = folder / "lake" / "sources"
    deadline = time.monotonic() + 120
    while len(list(sources.rglob("*.parquet"))) < 30:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.05)
    interrupt(process)
    _out, err = process.communicate(timeout=60)
    assert (process.returncode, "Traceback" in err) == (130, False), err
    assert "interrupted" in err
    status, out, err = indx(folder, "ingest")
    assert status == 0, err
    assert 0 < out["run"]["documents"] < 126
    assert out["corpus"]["documents"] == 125


def test_two_commands_at_once_share_the_work_and_the_second_says_what_it_waits_for(folder: Path) -> None:
    both = [start(folder, "ingest", "--json", INDX_TEXT_ENCODING="cp932") for _ in range(2)]
    answers = [process.communicate(timeout=180) for process in both]
    assert [process.returncode for process in both] == [0, 0], answers
    processed = [json.loads(out)["run"]["documents"] for out, _err in answers]
    assert sorted(processed) == [0, 6]
    waiting = answers[processed.index(0)][1]
    assert "being processed by another run" in waiting or not waiting


def test_a_command_that_was_killed_blocks_nobody(folder: Path) -> None:
    """Nothing of it could say that it had ended: `kill -9`, as the kernel does it for want of memory."""
    for index in range(40):
        (folder / "documents" / f"more{index}.txt").write_text(f"more {index} " * 400, encoding="utf-8")
    killed = start(folder, "ingest", INDX_TEXT_ENCODING="cp932")
    deadline = time.monotonic() + 120
    while not list((folder / "lake" / "sources").rglob("*.parquet")):
        assert killed.poll() is None, killed.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.05)
    killed.kill()
    killed.wait()
    status, out, err = indx(folder, "ingest", INDX_TEXT_ENCODING="cp932")
    assert (status, out["corpus"]["documents"]) == (0, 46), err
    assert err == ""


def test_one_file_is_ingested_alone_and_its_corpus_keeps_the_others(folder: Path) -> None:
    (folder / "documents" / ".DS_Store").write_bytes(b"Bud1")
    _status, _out, err = indx(folder, "ingest", INDX_TEXT_ENCODING="cp932")
    assert err.startswith("note: left out of docs, a system file: .DS_Store")
    (folder / "documents" / "3.txt").write_text("changed", encoding="utf-8")
    (folder / "documents" / "4.txt").unlink()
    status, out, err = indx(folder, "ingest", "documents/3.txt", INDX_TEXT_ENCODING="cp932")
    assert (status, out["run"]["documents"], out["corpus"]["documents"]) == (0, 1, 6), err


def test_an_interrupted_command_leaves_no_process_behind(folder: Path) -> None:
    import psutil

    process = start(folder, "ingest")
    children: list[psutil.Process] = []
    deadline = time.monotonic() + 120
    while not children and time.monotonic() < deadline and process.poll() is None:
        children = psutil.Process(process.pid).children(recursive=True)
        time.sleep(0.05)
    interrupt(process)
    process.communicate(timeout=60)
    _gone, alive = psutil.wait_procs(children, timeout=10)
    assert alive == []


def test_a_folder_that_no_configuration_names_is_ingested_by_its_path(tmp_path: Path) -> None:
    documents = tmp_path / "契約書"
    documents.mkdir()
    (documents / "a.txt").write_text("本契約は一年とする。", encoding="utf-8")
    status, out, err = indx(tmp_path, "ingest", str(documents), INDX_CONFIG=str(_empty_config(tmp_path)))
    assert (status, out["run"]["documents"]) == (0, 1), err
    status, hits, _err = indx(tmp_path, "search", "契約", "--json")
    assert (status, hits[0]["page"]) == (0, 1)
    assert hits[0]["text"] == "本契約は一年とする。"


def test_a_replay_of_a_moved_source_ends_with_the_conflict_and_a_status_of_its_own(folder: Path) -> None:
    indx(folder, "ingest")
    status, out, _err = indx(folder, "replay", "docs/1.txt")
    assert (status, out["run"]["documents"]) == (0, 1)
    (folder / "documents" / "1.txt").write_text("moved", encoding="utf-8")
    status, out, _err = indx(folder, "replay", "docs/1.txt")
    assert (status, out["run"]["refused"]) == (5, {"plan_conflict": 1})


def test_nothing_to_ingest_is_a_typed_refusal(tmp_path: Path) -> None:
    status, out, err = indx(tmp_path, "ingest", INDX_CONFIG=str(_empty_config(tmp_path)))
    assert (status, out) == (8, "")
    assert json.loads(err.splitlines()[-1])["error"]["code"] == "invalid_config"


def _empty_config(folder: Path) -> Path:
    path = folder / "empty.toml"
    path.write_text("", encoding="utf-8")
    return path
