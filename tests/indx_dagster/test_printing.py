"""The summary on a terminal."""

import pytest

from indx_dagster.printing import print_quote, print_summary
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


def test_refusals_are_whole_however_narrow_the_terminal_and_those_not_shown_are_counted(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A document's name and code are what one searches for: cut in a column, they are of no use."""
    monkeypatch.setenv("COLUMNS", "40")
    key = "contracts-97d531/総務部/" + "長い名前" * 10 + ".pdf"
    refusal = {**STATE["refusals"][0], "document": key}
    tally = Tally(documents=30)
    tally.refusals["source_encrypted"] = 25
    print_summary({**STATE, "refusals": [refusal] * 25}, tally, 1.0)
    out = capsys.readouterr().out
    assert out.count(f"{key}  source_encrypted\n  protected\n  → remove it\n") == 20
    assert 'and 5 more: indx sql "FROM refusals"' in out
    assert "30 documents processed in 1.0 s, 25 of them refused" in out


def test_a_price_nobody_states_is_no_zero(capsys: pytest.CaptureFixture[str]) -> None:
    print_summary(STATE, Tally(documents=1, cost_known=False), 1.0)
    assert "$0 and what nobody states a price for" in capsys.readouterr().out


def test_one_document_is_not_documents(capsys: pytest.CaptureFixture[str]) -> None:
    print_summary(STATE, Tally(documents=1), 1.0)
    assert "1 document processed" in capsys.readouterr().out


def test_counts_of_nothing_are_none() -> None:
    assert joined({}.items()) == "none"


QUOTE = {
    "documents": 30,
    "bytes": 2000,
    "reasons": {"missing": 30},
    "stages": {"plan": 30},
    "refused": [],
    "expected_usd": 4.5,
    "people_usd": 4.0,
    "at_most_usd": 0.5,
    "unknown_prices": [],
    "engines": [],
}


def test_a_quote_says_that_its_list_is_not_whole_and_what_its_limit_leaves_aside(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Expected above "at most" is a contradiction, unless one says that people's work is in the first alone."""
    row = {
        "document": "docs/" + "長い名前" * 20 + ".pdf",
        "reasons": ["missing"],
        "stages": ["plan"],
        "expected_usd": 0.5,
    }
    print_quote(QUOTE, [row] * 20, None)
    out = capsys.readouterr().out
    assert out.count(f"{row['document']}  missing: plan  $0.5\n") == 20
    assert "and 10 more: --json has them all" in out
    assert "$4.5, of which $4 is people's work" in out
    assert "$0.5, should every first choice fail, people's work aside" in out
