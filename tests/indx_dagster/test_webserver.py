"""The real webserver and daemon: a partition materialized, a range backfilled with one bad document, a replay.

Started from another directory, on loopback only: nothing tries to leave the machine.
"""

import json
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from indx_dagster_commands import connections, environment, indx

ROOT = Path(__file__).resolve().parents[2]
STAGES = ["observation", "plan", "page_reads", "chunks", "embeddings", "annotations"]
pytestmark = [pytest.mark.slow, pytest.mark.services]


class Dagster:
    """A running `dagster dev` and its GraphQL door."""

    def __init__(self, folder: Path, port: int, process: "subprocess.Popen[bytes]") -> None:
        self.folder, self.port, self.process = folder, port, process

    def query(self, text: str, **variables: Any) -> Any:
        body = json.dumps({"query": text, "variables": variables}).encode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/graphql", body, {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            found = json.load(answer)
        assert "errors" not in found, found
        return found["data"]

    def wait(self, what: str, ready: Any, seconds: float = 180) -> Any:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            found = ready()
            if found:
                return found
            assert self.process.poll() is None, (self.folder / "dagster.log").read_text()[-4000:]
            time.sleep(1)
        raise AssertionError(f"{what} did not happen: {(self.folder / 'dagster.log').read_text()[-4000:]}")

    def backfill(self, partitions: list[str], assets: list[str]) -> str:
        """Status of a finished backfill."""
        launched = self.query(
            """mutation($p: LaunchBackfillParams!) { launchPartitionBackfill(backfillParams: $p) {
                 ... on LaunchBackfillSuccess { backfillId } ... on PythonError { message } } }""",
            p={"assetSelection": [{"path": [a]} for a in assets], "partitionNames": partitions, "tags": []},
        )["launchPartitionBackfill"]
        text = "query($i: String!) { partitionBackfillOrError(backfillId: $i) { ... on PartitionBackfill { status } } }"

        def status() -> str | None:
            found: str = self.query(text, i=launched["backfillId"])["partitionBackfillOrError"]["status"]
            return found if found.startswith("COMPLETED") or found == "FAILED" else None

        return self.wait("the backfill", status)

    def launch(self, job: str, partition: str) -> str:
        """Status of a finished run of a job over one partition, as the launchpad starts it."""
        launched = self.query(
            """mutation($p: ExecutionParams!) { launchRun(executionParams: $p) {
                 ... on LaunchRunSuccess { run { runId } } ... on PythonError { message } } }""",
            p={
                "selector": {"repositoryLocationName": "indx", "repositoryName": "__repository__", "pipelineName": job},
                "executionMetadata": {"tags": [{"key": "dagster/partition", "value": partition}]},
            },
        )["launchRun"]
        text = "query($i: ID!) { runOrError(runId: $i) { ... on Run { status } } }"

        def status() -> str | None:
            found: str = self.query(text, i=launched["run"]["runId"])["runOrError"]["status"]
            return found if found in {"SUCCESS", "FAILURE", "CANCELED"} else None

        return self.wait("the run", status)

    def partitions(self, asset: str) -> dict[str, int]:
        text = """query($k: AssetKeyInput!) { assetNodeOrError(assetKey: $k) { ... on AssetNode { partitionStats {
                    numMaterialized numFailed numPartitions } } } }"""
        return self.query(text, k={"path": [asset]})["assetNodeOrError"]["partitionStats"]

    def latest(self, asset: str, partition: str) -> dict[str, Any]:
        text = """query($k: AssetKeyInput!, $p: [String!]) { assetNodeOrError(assetKey: $k) { ... on AssetNode {
            assetMaterializations(partitions: $p, limit: 1) { runId tags { key value }
            metadataEntries { label ... on TextMetadataEntry { text } ... on JsonMetadataEntry { jsonString } } } } } }"""
        (found,) = self.query(text, k={"path": [asset]}, p=[partition])["assetNodeOrError"]["assetMaterializations"]
        return found


@pytest.fixture(scope="module")
def dagster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dagster]:
    folder = tmp_path_factory.mktemp("dagster")
    documents = folder / "documents"
    documents.mkdir()
    for name in ("a", "b", "d"):
        (documents / f"{name}.txt").write_text(f"document {name}\fsecond page", encoding="utf-8")
    (documents / "c.txt").write_bytes(b"\x00\x01\x02")
    config = folder / "indx.toml"
    config.write_text('[corpora.docs]\nroot = "documents"\n[ingest]\nlanguages = false\n', encoding="utf-8")
    status, _out, err = indx(folder, "ingest", INDX_CONFIG=str(config))
    assert status == 0, err
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    variables = environment(
        folder,
        INDX_CONFIG=str(config),
        INDX_WORKERS="1",
        DAGSTER_EMIT_PARTITION_SUBSET_IN_PLANNED_EVENTS="1",
        DAGSTER_DISABLE_TELEMETRY="1",
    )
    command = [sys.executable, "-m", "dagster", "dev", "-w", str(ROOT / "workspace.yaml"), "-p", str(port)]
    with (folder / "dagster.log").open("wb") as log:
        process = subprocess.Popen(command, env=variables, cwd="/", stdout=log, stderr=log)
        running = Dagster(folder, port, process)
        try:
            running.wait("the webserver", lambda: _answers(port))
            yield running
        finally:
            process.terminate()
            process.wait(timeout=60)


def _answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/server_info", timeout=5) as answer:
            return answer.status == 200
    except OSError:
        return False


def test_a_range_backfill_with_one_bad_document_leaves_the_good_ones_green_and_the_bad_one_failed(dagster) -> None:
    keys = [f"docs/{name}.txt" for name in "abcd"]
    assert dagster.backfill(keys, STAGES) == "COMPLETED_FAILED"
    for stage in STAGES:
        assert dagster.partitions(stage) == {"numMaterialized": 3, "numFailed": 1, "numPartitions": 4}


def test_a_partition_is_materialized_again_from_the_ui(dagster) -> None:
    before = dagster.latest("chunks", "docs/a.txt")
    assert dagster.backfill(["docs/a.txt"], ["chunks"]) == "COMPLETED_SUCCESS"
    after = dagster.latest("chunks", "docs/a.txt")
    assert after["runId"] != before["runId"]
    version = [tag for tag in after["tags"] if tag["key"] == "dagster/data_version"]
    assert version == [tag for tag in before["tags"] if tag["key"] == "dagster/data_version"]


def test_the_replay_job_executes_the_plan_of_record(dagster) -> None:
    plan = dagster.latest("plan", "docs/b.txt")
    recorded = {entry["label"]: entry for entry in plan["metadataEntries"]}
    assert json.loads(recorded["indx/plan"]["jsonString"])["plan_id"] == recorded["indx/plan_id"]["text"]
    assert dagster.launch("replay", "docs/b.txt") == "SUCCESS"
    assert dagster.latest("plan", "docs/b.txt")["runId"] == plan["runId"]
    (dagster.folder / "documents" / "b.txt").write_text("moved", encoding="utf-8")
    assert dagster.launch("replay", "docs/b.txt") == "FAILURE"


def test_assets_say_what_they_are_and_carry_their_checks(dagster) -> None:
    text = """{ assetNodes { assetKey { path } groupName description kinds opVersion
                assetChecksOrError { ... on AssetChecks { checks { name } } } } }"""
    nodes = {node["assetKey"]["path"][0]: node for node in dagster.query(text)["assetNodes"]}
    assert sorted(nodes) == sorted([*STAGES, "knowledge_space"])
    assert all(node["groupName"] == "ingestion" and node["description"] and node["kinds"] for node in nodes.values())
    checks = {c["name"] for node in nodes.values() for c in node["assetChecksOrError"].get("checks", [])}
    assert checks == {
        "documents_accepted",
        "nothing_broken",
        "pages_conserved",
        "pages_readable",
        "box_or_reason",
        "vectors_valid",
    }


def test_nothing_tried_to_leave_the_machine(dagster) -> None:
    """Runs last: after webserver, daemon, code server and workers have all been at work."""
    assert connections(dagster.folder) == []
