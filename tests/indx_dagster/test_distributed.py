"""Runs on two workers that share nothing but Postgres, a broker and a bucket: Celery, as deploy/celery configures it.

Each worker is a host of its own as far as one machine can show it: another working directory, another DAGSTER_HOME,
another configuration file. Documents are read from the store and tables are written to it.
"""

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import dagster as dg
import pytest
from indx_dagster_commands import LOOPBACK_ONLY
from object_servers import ObjectServer, s3_server
from postgres_server import postgres_server, programs
from redis_server import program, redis_server

from assets.batches import batches
from indx_core.app.ingest.corpus import named_corpus
from indx_core.app.ingest.listing import ListedSource
from indx_core.contracts.ingest import Grain
from indx_core.kit.config import LoadedConfig, load_config
from indx_core.kit.lake import Lake
from indx_core.kit.settings import overriding
from indx_dagster.home import ENVIRONMENT
from indx_dagster.launch import Session

pytestmark = [pytest.mark.slow, pytest.mark.services]

DEPLOYED = Path(__file__).resolve().parents[2] / "deploy" / "celery"
CONFIG = """
grain = "{grain}"
shards = 2
batch_size = 4
[corpora.minutes]
root = "s3://documents/minutes"
[ingest]
languages = false
"""
DOCUMENTS = 8
CLOCKS = {"trace", "usage", "listing"}
"""Tables that hold clock readings or times of the store."""
LAUNCH = """mutation($p: ExecutionParams!) { launchRun(executionParams: $p) {
    __typename ... on LaunchRunSuccess { run { runId } } ... on PythonError { message } } }"""


class Hosts:
    """Processes that each live in a folder of their own, with the same addresses in their environment."""

    def __init__(self, folder: Path, variables: dict[str, str], port: int) -> None:
        self.folder, self.variables, self.port = folder, variables, port
        self._running: list[subprocess.Popen[bytes]] = []

    def home(self, name: str) -> Path:
        """A host's folder: what the image brings along, and the configuration that is mounted."""
        home = self.folder / name
        shutil.copytree(DEPLOYED, home)
        workspace = (DEPLOYED / "workspace.yaml").read_text()
        workspace = workspace.replace("host: code", "host: 127.0.0.1").replace("port: 4000", f"port: {self.port}")
        (home / "workspace.yaml").write_text(workspace)
        (home / "indx.toml").write_text(CONFIG.format(grain=Grain.SOURCE))
        return home

    def start(self, name: str, *command: str) -> Path:
        """Start a program on a host; returns its log."""
        home = self.home(name)
        variables = self.variables | {"DAGSTER_HOME": str(home), "INDX_CONFIG": str(home / "indx.toml")}
        log = home / "log"
        with log.open("wb") as out:
            command = (sys.executable, "-m", *command)
            self._running.append(subprocess.Popen(command, env=variables, cwd=home, stdout=out, stderr=out))
        return log

    def wait(self, ready: Callable[[], Any], what: str, seconds: float = 120) -> Any:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if found := ready():
                return found
            time.sleep(0.2)
            assert all(each.poll() is None for each in self._running), f"{what}: a process ended\n{self.logs()}"
        raise AssertionError(f"{what} did not happen\n{self.logs()}")

    def logs(self) -> str:
        return "\n".join(
            f"== {log.parent.name}\n{log.read_text()[-2500:]}" for log in sorted(self.folder.glob("*/log"))
        )

    def stop(self) -> None:
        for each in self._running:
            each.terminate()
        for each in self._running:
            try:
                each.wait(15)
            except subprocess.TimeoutExpired:
                each.kill()


@pytest.fixture(scope="module")
def store() -> Iterator[ObjectServer]:
    with s3_server() as server:
        for bucket in ("indx", "documents", "alone"):
            server.create(bucket)
        for number in range(DOCUMENTS):
            text = f"Minutes {number}: the committee approved {number + 1},000 yen.\fSecond page of {number}."
            server.write("documents", f"minutes/議事録-{number}.txt", text.encode(), "text/plain")
        yield server


@pytest.fixture(scope="module")
def hosts(store: ObjectServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosts]:
    where, broker_program = programs(), program()
    if where is None or broker_program is None:
        message = "needs a Postgres and a Redis server (Debian and Ubuntu: apt install postgresql redis-server)"
        if os.environ.get("INDX_REQUIRE_CORPUS"):
            pytest.fail(message)
        pytest.skip(message)
    with ExitStack() as stack:
        database = stack.enter_context(postgres_server(where))
        database.database("dagster")
        broker = stack.enter_context(redis_server(broker_program))
        folder = tmp_path_factory.mktemp("hosts")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        kept = {n: v for n, v in os.environ.items() if not n.startswith(("INDX_", "DAGSTER_", "AWS_", "PG"))}
        (folder / "connections").touch()
        variables = {
            **kept,
            **ENVIRONMENT,
            **store.lake,
            **store.loader,
            "PYTHONPATH": str(LOOPBACK_ONLY),
            "LOOPBACK_ONLY_LOG": str(folder / "connections"),
            "DAGSTER_PG_HOST": "",  # libpq's own variable names the socket
            "PGHOST": str(database.folder),
            "DAGSTER_PG_USERNAME": "postgres",
            "DAGSTER_PG_PASSWORD": "unused",
            "DAGSTER_PG_DB": "dagster",
            "CELERY_BROKER_URL": f"{broker}/0",
            "CELERY_RESULT_BACKEND": f"{broker}/1",
            "INDX_LAKE": "s3://indx/lake",
            "INDX_WORKERS": "1",
            "DAGSTER_COMPUTE_LOG_BUCKET": "indx",
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_DEFAULT_REGION": "us-east-1",
        }
        running = Hosts(folder, variables, port)
        stack.callback(running.stop)
        yield running


@contextmanager
def operator(hosts: Hosts) -> Iterator[dg.DagsterInstance]:
    """A shell on a host of its own: nothing it has but its environment leads to the others."""
    home = hosts.home("operator")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in hosts.variables.items():
            if not name.startswith("PYTHON"):
                patch.setenv(name, value)
        patch.setenv("DAGSTER_HOME", str(home))
        patch.setenv("INDX_CONFIG", str(home / "indx.toml"))
        with dg.DagsterInstance.get() as instance:
            yield instance


def listed(session: Session, loaded: LoadedConfig) -> list[ListedSource]:
    return session.discover([named_corpus("minutes", loaded)])


def tables() -> dict[str, bytes]:
    """Every object of the lake in force that holds no clock reading."""
    lake = Lake.open()
    names = [item.name for item in lake.store.list("") if item.name.split("/")[0] not in CLOCKS]
    return {name: bytes(lake.store.get(name) or b"") for name in names if name.endswith(".parquet")}


def test_two_workers_write_the_tables_that_one_process_writes(hosts: Hosts) -> None:
    worker = ["celery", "--app", "dagster_celery.app", "worker", "--queues", "dagster", "--pool=solo", "-l", "INFO"]
    logs = [hosts.start(name, *worker, "--hostname", f"{name}@%h") for name in ("first", "second")]
    serve = ["dagster", "api", "grpc", "--host", "127.0.0.1", "--port", str(hosts.port)]
    hosts.start("code", *serve, "--module-name", "indx_dagster.definitions")
    with operator(hosts) as instance:
        assert type(instance.run_launcher).__name__ == "CeleryRunLauncher"
        loaded = load_config()
        session = Session(loaded, instance=instance)
        stale = session.stale(listed(session, loaded))
        cut = list(batches(stale, loaded))
        assert [len(batch.sources) for batch in cut] == [DOCUMENTS // 2] * 2
        hosts.wait(lambda: all(" ready." in log.read_text() for log in logs), "both workers are ready")
        hosts.wait(lambda: _answers(hosts.port), "the code server answers")
        run_ids = [_submit(instance, hosts.port, batch) for batch in cut]
        assert {run.status for run in instance.get_runs()} == {dg.DagsterRunStatus.QUEUED}
        hosts.start("daemon", "dagster._daemon", "run", "--workspace", str(hosts.folder / "daemon" / "workspace.yaml"))
        hosts.wait(lambda: _ended(instance, run_ids), "both runs end")
        assert {run.status for run in instance.get_runs()} == {dg.DagsterRunStatus.SUCCESS}, hosts.logs()
        assert session.stale(listed(session, loaded)) == []
        distributed = tables()
        each_took = [log.read_text().count("succeeded in") for log in logs]
        assert each_took == [1, 1], hosts.logs()
    assert distributed == _in_one_process(hosts)
    assert (hosts.folder / "connections").read_text() == ""


def _submit(instance: dg.DagsterInstance, port: int, batch: Any) -> str:
    """Queue a run as the webserver does."""
    from dagster._core.workspace.context import WorkspaceProcessContext
    from dagster._core.workspace.load_target import GrpcServerTarget
    from dagster_graphql.test.utils import execute_dagster_graphql

    keys = [source.key for source in batch.sources]
    location = GrpcServerTarget(host="127.0.0.1", port=port, socket=None, location_name="indx")
    with WorkspaceProcessContext(instance, location) as context:
        answer = execute_dagster_graphql(
            context.create_request_context(),
            LAUNCH,
            {
                "p": {
                    "selector": {
                        "repositoryLocationName": "indx",
                        "repositoryName": "__repository__",
                        "pipelineName": "ingest",
                    },
                    "runConfigData": {"ops": {"documents": {"config": {"sources": keys}}}},
                    "executionMetadata": {"tags": [{"key": "dagster/partition", "value": keys[0]}]},
                }
            },
        ).data["launchRun"]
    assert answer["__typename"] == "LaunchRunSuccess", answer
    run_id: str = answer["run"]["runId"]
    return run_id


def _ended(instance: dg.DagsterInstance, run_ids: list[str]) -> bool:
    runs = [instance.get_run_by_id(run_id) for run_id in run_ids]
    return all(run is not None and run.is_finished for run in runs)


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def _in_one_process(hosts: Hosts) -> dict[str, bytes]:
    """The same corpus in this process, on SQLite, into a lake of its own."""
    variables = {name: value for name, value in hosts.variables.items() if name.startswith("INDX_")}
    config = hosts.folder / "operator" / "indx.toml"
    alone = variables | {"INDX_LAKE": "s3://alone/lake", "INDX_WORKERS": "0", "INDX_CONFIG": str(config)}
    home = hosts.folder / "alone"
    home.mkdir()
    with overriding(alone), dg.DagsterInstance.local_temp(str(home)) as instance:
        loaded = load_config()
        session = Session(loaded, instance=instance)
        for batch in batches(session.stale(listed(session, loaded)), loaded):
            assert session.run(batch).success
        return tables()
