"""``indx export``: the charts of a deck in a file or on standard output, and what is refused."""

import json
from pathlib import Path

import pytest
from app.cli.test_commands import run
from signatures.process_chart.charts import CASES

GOLDEN = Path(__file__).parents[2] / "golden" / "process_chart"


@pytest.fixture
def decks(tmp_path: Path) -> dict[str, str]:
    paths = {name: tmp_path / f"{name}.pptx" for name in CASES}
    for name, path in paths.items():
        path.write_bytes(CASES[name]())
    return {name: str(path) for name, path in paths.items()}


@pytest.mark.parametrize("case", CASES)
def test_a_drawio_file_holds_every_chart_of_the_deck(capsys, decks, case: str) -> None:
    status, out, _err = run(capsys, "export", "drawio", decks[case])
    assert (status, out) == (0, (GOLDEN / case / "expected.drawio").read_text(encoding="utf-8"))


def test_mermaid_source_is_that_of_the_page_named(capsys, decks) -> None:
    status, out, _err = run(capsys, "export", "mermaid", decks["two-charts"], "--page", "3")
    assert (status, out) == (0, (GOLDEN / "two-charts" / "expected-3.mmd").read_text(encoding="utf-8"))


def test_the_only_chart_of_a_deck_needs_no_page(capsys, decks) -> None:
    status, out, _err = run(capsys, "export", "mermaid", decks["impregnation-line"])
    assert (status, out.startswith("flowchart TB\n")) == (0, True)


def test_a_file_is_written_as_it_would_be_printed(capsys, decks, tmp_path: Path) -> None:
    target = tmp_path / "chart.drawio"
    status, out, _err = run(capsys, "export", "drawio", decks["two-charts"], "--page", "1", "-o", str(target))
    assert (status, out) == (0, "")
    assert target.read_bytes().count(b"<diagram ") == 1


@pytest.mark.parametrize(
    ("arguments", "param", "says"),
    [
        (("mermaid", "two-charts"), "page", "pages 1, 3 are process charts"),
        (("drawio", "two-charts", "--page", "2"), "page", "page 2 is not drawn as a process chart"),
        (("mermaid", "impregnation-line", "--page", "7"), "page", "page 7 is not drawn as a process chart"),
    ],
)
def test_a_chart_that_is_not_there_is_a_typed_refusal(capsys, decks, arguments, param: str, says: str) -> None:
    format_, deck, *options = arguments
    status, out, err = run(capsys, "export", format_, decks[deck], *options)
    error = json.loads(err)["error"]
    assert (status, out, error["param"]) == (2, "", param)
    assert error["message"].startswith(says)


def test_a_document_without_a_chart_is_refused_and_no_file_is_made(capsys, tmp_path: Path) -> None:
    note, target = tmp_path / "note.txt", tmp_path / "chart.drawio"
    note.write_text("words", encoding="utf-8")
    status, _out, err = run(capsys, "export", "drawio", str(note), "-o", str(target))
    assert (status, json.loads(err)["error"]["param"], target.exists()) == (2, "source", False)


def test_a_place_that_cannot_be_written_is_said_without_a_traceback(capsys, decks, tmp_path: Path) -> None:
    target = str(tmp_path / "nowhere" / "chart.drawio")
    status, _out, err = run(capsys, "export", "drawio", decks["two-charts"], "-o", target)
    error = json.loads(err)["error"]
    assert (status, error["param"]) == (2, "output")
    assert error["message"] == "chart.drawio cannot be written: No such file or directory"
