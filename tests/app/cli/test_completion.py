"""The shell's completion, by click's own protocol: what a shell is told when TAB is pressed."""

import os
import shutil
import subprocess
import sys

import pytest

COMMAND = [sys.executable, "-c", "from indx_core.app.cli import main; main()"]


def told(variable: str, **more: str) -> str:
    environment = {**os.environ, "_INDX_COMPLETE": variable, **more}
    return subprocess.run(COMMAND, env=environment, capture_output=True, text=True, check=True).stdout


def completed(words: str) -> set[str]:
    """What may stand in the place of the last word."""
    answer = told("bash_complete", COMP_WORDS=words, COMP_CWORD=str(len(words.split(" ")) - 1))
    return {line.partition(",")[2] for line in answer.splitlines()}


@pytest.mark.parametrize(
    ("words", "some"),
    [
        ("indx ", {"plan", "encode", "doctor", "ingest", "review"}),
        ("indx pl", {"plan"}),
        ("indx plan --s", {"--signatures", "--space"}),
        ("indx export d", {"drawio"}),
        ("indx review ", {"list", "answer"}),
    ],
)
def test_commands_options_and_choices_are_completed(words: str, some: set[str]) -> None:
    found = completed(words)
    assert some <= found
    assert all(each.startswith(words.rsplit(" ", maxsplit=1)[-1]) for each in found)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_for_a_shell_asks_indx(shell: str) -> None:
    if shell == "bash" and shutil.which("bash") is None:
        pytest.skip("click asks bash for its version")
    assert "_INDX_COMPLETE" in told(f"{shell}_source")
