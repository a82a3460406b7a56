"""Commands whose standard streams are closed, full, read by somebody who leaves, or in another encoding than UTF-8."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from app.cli.test_commands import run

COMMAND = [sys.executable, "-c", "from indx_core.app.cli import main; main()"]


def started(arguments: list[str], redirected: str = "", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """A command of its own process; ``redirected`` is what the shell does with its streams."""
    shell = ["bash", "-c", f'"$@" {redirected}', "-", *COMMAND, *arguments]
    return subprocess.run(shell, capture_output=True, check=False, env={**os.environ, **environment})


@pytest.mark.parametrize("arguments", [["capabilities"], ["plan", "--help"], ["--help"]], ids=" ".join)
def test_a_reader_who_leaves_early_is_no_failure(arguments: list[str]) -> None:
    """`indx sql ... | head` in a script with pipefail."""
    done = started(arguments, "| (exec 0<&-; sleep 2); exit ${PIPESTATUS[0]}")
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("redirected", ["2>&-", "2>/dev/full"])
def test_the_status_tells_what_a_closed_stderr_cannot(redirected: str) -> None:
    assert started(["plan", "/no/such/file"], redirected).returncode == 3


def test_a_command_without_stdout_does_its_work(tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    note.write_text("words")
    assert started(["plan", str(note)], ">&-").returncode == 0


def test_a_full_disk_is_said_in_the_system_s_words(tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    note.write_text("words")
    done = started(["plan", str(note)], ">/dev/full")
    assert done.returncode == 1
    assert "No space left on device" in json.loads(done.stderr)["error"]["message"]


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp932", "utf-8"])
def test_json_is_json_whatever_the_output_is_encoded_in(tmp_path: Path, encoding: str) -> None:
    """A program that reads JSON takes it for UTF-8."""
    note = tmp_path / "規程.txt"
    note.write_text("出張旅費 é 😀", encoding="utf-8")
    done = started(["encode", str(note)], PYTHONIOENCODING=encoding)
    blocks = json.loads(done.stdout.decode("utf-8"))["blocks"]
    assert (done.returncode, blocks[0]["text"]) == (0, "出張旅費 é 😀")


def on_a_terminal(arguments: list[str], **environment: str) -> tuple[int, bytes]:
    """Status and all output of a command that a person looks at."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(environment)
        os.execv(sys.executable, [*COMMAND, *arguments])
    shown = b""
    try:
        while piece := os.read(terminal, 65536):
            shown += piece
    except OSError:  # how Linux says that the other end is closed
        pass
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), shown


@pytest.mark.parametrize(
    ("environment", "coloured"), [({"TERM": "xterm"}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)]
)
def test_colours_are_for_who_wants_them(environment: dict[str, str], coloured: bool) -> None:
    status, shown = on_a_terminal(["plan", "/no/such/file"], **{"NO_COLOR": "", "TERM": "xterm", **environment})
    assert (status, b"\x1b[" in shown) == (3, coloured)


def test_what_a_document_says_cannot_act_on_the_terminal(tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    note.write_text("a title \x1b]0;owned\x07 and a colour \x1b[31m", encoding="utf-8")
    status, shown = on_a_terminal(["encode", str(note)])
    assert (status, b"\x1b" in shown, b"\x07" in shown, b"a title" in shown) == (0, False, False, True)


def test_characters_that_a_terminal_lacks_are_escaped(tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    note.write_text("請求書", encoding="utf-8")
    status, shown = on_a_terminal(["encode", str(note)], PYTHONIOENCODING="latin-1")
    assert (status, rb"\u8acb\u6c42\u66f8" in shown) == (0, True)


@pytest.mark.parametrize(
    ("arguments", "param"),
    [
        (["no-such-command"], None),
        (["plan"], "source"),
        (["plan", "a", "--no-such-option"], None),
        (["search", "a", "-k", "0"], "k"),
        (["export", "pdf", "a"], "format"),
        (["encode", "a", "--plan", "/no/such/file"], "plan"),
    ],
)
def test_arguments_that_make_no_command_are_refused_in_the_envelope(capsys, arguments: list[str], param) -> None:
    status, out, err = run(capsys, *arguments)
    error = json.loads(err)["error"]
    assert (status, out, error["code"], error.get("param")) == (2, "", "validation_error", param)


@pytest.mark.parametrize(
    ("arguments", "param"), [(["plan", "http://\udcff/"], "source.uri.uri"), (["sql", "select '\udcff'"], "sql")]
)
def test_an_argument_that_is_no_utf_8_is_refused(capsys, arguments: list[str], param: str) -> None:
    """Python hands its bytes over as halves of surrogate pairs."""
    status, out, err = run(capsys, *arguments)
    assert (status, out, json.loads(err)["error"]["param"]) == (2, "", param)
