"""What becomes of the workers when their parent is interrupted or killed: a parent that is a program of its own."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

ROOT = Path(__file__).resolve().parents[3]

PROGRAM = """
import sys
from kit.workers import worker_jobs
from indx_core.kit.workers.pool import WorkerPool

if __name__ == "__main__":
    try:
        print("begun", flush=True)
        with WorkerPool(
            worker_jobs.perform, environment={}, workers=2, task_seconds=None, memory_bytes=None
        ) as pool:
            for _ in pool.map_in_order(f"announce:{sys.argv[1]}/{n}" for n in range(2)):
                pass
    except KeyboardInterrupt:
        print("interrupted")
        sys.exit(130)
"""


def launched(tmp_path: Path) -> tuple[subprocess.Popen[str], Path]:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    notes = tmp_path / "notes"
    notes.mkdir()
    command = [sys.executable, str(program), str(notes)]
    parent = subprocess.Popen(
        command,
        env={**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    return parent, notes


def started(tmp_path: Path) -> tuple[subprocess.Popen[str], list[int]]:
    parent, notes = launched(tmp_path)
    deadline = time.monotonic() + 20
    while len(pids := [int(note.read_text() or 0) for note in notes.iterdir()]) < 2 or 0 in pids:
        assert time.monotonic() < deadline, parent.communicate(timeout=1)
        time.sleep(0.02)
    return parent, pids


def all_gone(pids: list[int]) -> bool:
    _, alive = psutil.wait_procs([psutil.Process(p) for p in pids if psutil.pid_exists(p)], timeout=5)
    return all(process.status() == psutil.STATUS_ZOMBIE for process in alive)


def test_ctrl_c_stops_parent_and_workers_quickly_and_quietly(tmp_path: Path) -> None:
    """A terminal sends SIGINT to the whole group, workers included; they must not print tracebacks of their own."""
    parent, pids = started(tmp_path)
    os.killpg(parent.pid, signal.SIGINT)
    out, err = parent.communicate(timeout=10)
    assert (parent.returncode, out, err) == (130, "begun\ninterrupted\n", "")
    assert all_gone(pids)


@pytest.mark.slow
@pytest.mark.parametrize("pause", [0.1, 0.25])
def test_ctrl_c_while_workers_start_is_as_quiet(tmp_path: Path, pause: float) -> None:
    parent, _ = launched(tmp_path)
    assert parent.stdout is not None
    assert parent.stdout.readline() == "begun\n"
    time.sleep(pause)
    os.killpg(parent.pid, signal.SIGINT)
    out, err = parent.communicate(timeout=10)
    assert (parent.returncode, out, err) == (130, "interrupted\n", "")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux kills a child with its parent")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_workers_die_with_a_parent_that_was_killed(tmp_path: Path, number: signal.Signals) -> None:
    parent, pids = started(tmp_path)
    parent.send_signal(number)
    parent.wait(timeout=10)
    assert all_gone(pids)
