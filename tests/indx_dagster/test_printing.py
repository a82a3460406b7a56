"""The summary on a terminal."""

import pytest

from indx_dagster.printing import print_summary
from indx_dagster.summary import Tally, joined

STATE = {
    "documents": 6,
    "pages": {"completed": 11, "unreadable": 1},
    "chunks": 1234,
    "vectors": {"default-text": 68},
    "refusals": [{"document": "c/a.pdf", "code": "source_encrypted", "message": "protected", "remedy": "remove it"}],
}


def test_an_idle_run_says_that_everything_is_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    print_summary(STATE, Tally(), 1.0)
    out = capsys.readouterr().out
    assert "completed 11, unreadable 1" in out
    assert "1,234" in out
    assert "source_encrypted" in out
    assert "everything is up to date" in out


def test_a_working_run_says_how_fast_it_was(capsys: pytest.CaptureFixture[str]) -> None:
    tally = Tally(documents=7)
    tally.pages["completed"] = 20
    print_summary(STATE, tally, 10.0)
    out = capsys.readouterr().out
    assert "7 documents processed in 10.0 s" in out
    assert "2.0" in out


def test_one_document_is_not_documents(capsys: pytest.CaptureFixture[str]) -> None:
    print_summary(STATE, Tally(documents=1), 1.0)
    assert "1 document processed" in capsys.readouterr().out


def test_counts_of_nothing_are_none() -> None:
    assert joined({}.items()) == "none"
