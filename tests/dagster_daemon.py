"""A real Dagster daemon over a real instance: started, killed with everything it started, and started again.

The daemon is Dagster's own command; it starts the code location and a process per run by itself. Killing is SIGKILL.
"""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import dagster as dg
import psutil
from indx_dagster_commands import environment

from assets.in_flight import UNFINISHED, Worker
from assets.ingest import STEP
from assets.keys import asset_key
from indx_core.contracts.ingest import Stage

DAEMON = [sys.executable, "-m", "dagster._daemon", "run", "-m", "indx_dagster.definitions"]
DAGSTER_YAML = """
telemetry: {enabled: false}
run_coordinator: {module: dagster.core.run_coordinator, class: QueuedRunCoordinator, config: {dequeue_interval_seconds: 1}}
concurrency: {runs: {max_concurrent_runs: 2}}
"""


class Daemon:
    """The daemon of one folder, whose ``indx.toml`` it reads, and the instance it works on.

    Attributes:
        process: The running daemon; ``None`` before it is started and after it is killed.
    """

    def __init__(self, folder: Path, **variables: str) -> None:
        self.folder = folder
        self.process: subprocess.Popen[bytes] | None = None
        self._environment = environment(
            folder,
            DAGSTER_EMIT_PARTITION_SUBSET_IN_PLANNED_EVENTS="1",
            DAGSTER_EVENT_BATCH_SIZE="500",
            DAGSTER_DISABLE_TELEMETRY="1",
            INDX_CONFIG=str(folder / "indx.toml"),
            **variables,
        )
        home = folder / "home"
        home.mkdir(exist_ok=True)
        (home / "dagster.yaml").write_text(DAGSTER_YAML)
        self.instance = dg.DagsterInstance.from_config(str(home))

    def start(self) -> None:
        with (self.folder / "daemon.log").open("ab") as log:
            self.process = subprocess.Popen(
                DAEMON, env=self._environment, cwd=self.folder, stdout=log, stderr=log, start_new_session=True
            )

    def kill(self) -> None:
        """SIGKILL to the daemon and to everything below it: a machine that loses its power."""
        if self.process is None:
            return
        below = psutil.Process(self.process.pid).children(recursive=True)
        os.killpg(self.process.pid, signal.SIGKILL)
        for each in below:
            if each.is_running():
                each.kill()
        self.process.wait()
        self.process = None

    def runs(self, *statuses: dg.DagsterRunStatus) -> list[dg.RunRecord]:
        wanted = dg.RunsFilter(statuses=list(statuses)) if statuses else None
        return list(self.instance.get_run_records(wanted))

    def workers(self) -> list[psutil.Process]:
        """Processes of runs whose step has begun."""
        found = [Worker.of(record.dagster_run) for record in self.runs(dg.DagsterRunStatus.STARTED)]
        return [psutil.Process(each.pid) for each in found if each is not None and not each.is_gone()]

    def wait(self, ready: Callable[[], object], seconds: float, what: str) -> None:
        deadline = time.monotonic() + seconds
        while not ready():
            if time.monotonic() > deadline:
                raise AssertionError(f"{what} did not happen: {(self.folder / 'daemon.log').read_text()[-3000:]}")
            time.sleep(0.5)

    def idle(self) -> bool:
        return not self.runs(*UNFINISHED)

    def overlaps(self) -> list[str]:
        """Documents that two runs were about at one time."""
        spans: dict[str, list[tuple[float, float]]] = {}
        for record in self.runs():
            begun = record.create_timestamp.timestamp()
            ended = record.end_time or time.time()
            for key in record.dagster_run.run_config["ops"][STEP]["config"]["sources"]:
                spans.setdefault(key, []).append((begun, ended))
        return [
            key
            for key, found in spans.items()
            if any(later[0] < earlier[1] for earlier, later in zip(sorted(found), sorted(found)[1:], strict=False))
        ]

    def materialized(self) -> Counter[str]:
        """How often each document was taken to its last stage."""
        cursor: str | None = None
        found: Counter[str] = Counter()
        while True:
            page = self.instance.fetch_materializations(asset_key(Stage.ANNOTATIONS), limit=1000, cursor=cursor)
            found.update(record.partition_key for record in page.records if record.partition_key)
            if not page.has_more:
                return found
            cursor = page.cursor


@contextmanager
def daemon_of(folder: Path, **variables: str) -> Iterator[Daemon]:
    """A daemon that is killed at the end, whatever happened."""
    daemon = Daemon(folder, **variables)
    try:
        yield daemon
    finally:
        daemon.kill()
        daemon.instance.dispose()
