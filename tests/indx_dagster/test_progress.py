"""A progress bar on a terminal; nothing at all in a pipe."""

import io
import sys

import pytest

from indx_core.app.ingest.task import DocumentOutcome, DocumentTask
from indx_core.contracts.ingest import IngestOptions
from indx_dagster.cli import progress_of
from indx_dagster.summary import Tally


class Terminal(io.StringIO):
    """Standard error where a person looks at it."""

    def isatty(self) -> bool:
        return True


def outcome(name: str) -> DocumentOutcome:
    key = f"mine/{name}"
    return DocumentOutcome(DocumentTask(key, "mine", name, f"file:///{name}", "1", key, (), IngestOptions()))


def shown(stderr: io.StringIO, monkeypatch: pytest.MonkeyPatch, *names: str) -> str:
    """What is written to standard error while documents are processed."""
    monkeypatch.setattr(sys, "stderr", stderr)
    monkeypatch.setenv("TERM", "xterm")
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    tally = Tally()
    with progress_of(len(names), tally) as on_outcome:
        for name in names:
            on_outcome(outcome(name))
    assert tally.documents == len(names)
    return stderr.getvalue()


def test_a_terminal_is_shown_how_far_it_is_and_left_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    written = shown(Terminal(), monkeypatch, "a.txt", "b.txt")
    assert "2/2" in written
    assert written.rstrip().endswith("\x1b[2K"), "the bar is erased at the end"


def test_a_pipe_is_shown_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(io.StringIO(), monkeypatch, "a.txt", "b.txt") == ""


def test_a_terminal_is_shown_nothing_where_there_is_nothing_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(Terminal(), monkeypatch) == ""
