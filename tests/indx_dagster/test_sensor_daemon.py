"""The real daemon watching a folder: killed in the middle, its run's process killed, and nothing lost or doubled."""

from pathlib import Path

import dagster as dg
import pytest
from dagster_daemon import Daemon, daemon_of

from indx_core.kit.lake import Lake
from indx_core.kit.settings import overriding

pytestmark = [pytest.mark.slow, pytest.mark.services]
TOML = """
batch_size = 4
[ingest]
languages = false
[corpora.watched]
root = "documents"
[corpora.watched.sensor]
running = true
every_seconds = 1
"""


def rows(folder: Path, table: str) -> list[str]:
    with overriding({"INDX_LAKE": str(folder / "lake")}):
        return sorted(Lake.open().dataset(table).to_table(columns=["key"]).column("key").to_pylist())


def write(folder: Path, *names: str) -> None:
    (folder / "documents").mkdir(exist_ok=True)
    for name in names:
        (folder / "documents" / f"{name}.txt").write_text(f"document {name}, of its own length{'.' * len(name)}")


def finished(daemon: Daemon, *names: str) -> bool:
    return daemon.idle() and rows(daemon.folder, "pages") == sorted(f"watched/{name}.txt" for name in names)


def test_killing_the_run_and_then_the_daemon_loses_nothing_and_reads_nothing_twice_at_a_time(tmp_path: Path) -> None:
    first = [f"first-{number:02}" for number in range(8)]
    write(tmp_path, *first)
    (tmp_path / "indx.toml").write_text(TOML)
    with daemon_of(tmp_path, INDX_RETRY_SECONDS="1", INDX_RUN_START_SECONDS="45") as daemon:
        daemon.start()
        daemon.wait(daemon.workers, 240, "a run at work")
        daemon.workers()[0].kill()
        daemon.wait(lambda: daemon.runs(dg.DagsterRunStatus.FAILURE), 180, "the killed run counted as failed")
        write(tmp_path, "second")
        daemon.kill()
        (tmp_path / "documents" / "first-00.txt").unlink()
        daemon.start()
        expected = [*first[1:], "second"]
        daemon.wait(lambda: finished(daemon, *expected), 400, "every document in the lake")
        assert daemon.overlaps() == []
        assert rows(tmp_path, "refusals") == []
        assert set(daemon.materialized()) - {"watched/first-00.txt"} == {f"watched/{name}.txt" for name in expected}
