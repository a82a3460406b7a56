"""The command as a user runs it: a process of its own, its Dagster home and lake in a folder, loopback only."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

LOOPBACK_ONLY = Path(__file__).resolve().parent / "loopback_only"
COMMAND = [sys.executable, "-c", "from indx_core.app.cli import main; main()"]


def environment(folder: Path, **more: str) -> dict[str, str]:
    """Variables of a fresh user whose machine refuses connections that leave it."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("INDX_", "DAGSTER_"))}
    log = folder / "connections.log"
    log.touch()
    return {
        **kept,
        "PYTHONPATH": str(LOOPBACK_ONLY),
        "LOOPBACK_ONLY_LOG": str(log),
        "DAGSTER_HOME": str(folder / "home"),
        "INDX_LAKE": str(folder / "lake"),
        "INDX_WORKERS": "2",
        "HOME": str(folder),
        **more,
    }


def indx(folder: Path, *arguments: str, cwd: Path | None = None, **more: str) -> tuple[int, Any, str]:
    """Exit status, parsed JSON (or the text) of stdout, and stderr."""
    done = subprocess.run(
        [*COMMAND, *arguments],
        env=environment(folder, **more),
        cwd=cwd or folder,
        capture_output=True,
        text=True,
        check=False,
    )
    try:
        out: Any = json.loads(done.stdout)
    except json.JSONDecodeError:
        out = done.stdout
    return done.returncode, out, done.stderr


def start(folder: Path, *arguments: str, **more: str) -> "subprocess.Popen[str]":
    """A command in the background, in a process group of its own so that it can be interrupted like on a terminal."""
    return subprocess.Popen(
        [*COMMAND, *arguments],
        env=environment(folder, **more),
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def interrupt(process: "subprocess.Popen[str]") -> None:
    """Ctrl-C: the signal goes to the whole group, workers included."""
    os.killpg(process.pid, signal.SIGINT)


def connections(folder: Path) -> list[str]:
    """Connections that tried to leave the machine."""
    return (folder / "connections.log").read_text().splitlines()
