"""Events stored as a batch are the events that Dagster would have stored one by one."""

import os
from pathlib import Path
from typing import Any

import dagster as dg
import pytest
from dagster_corner import DagsterCorner, dagster_corner

from assets import events
from assets.keys import asset_key
from indx_core.contracts.ingest import Grain, Stage
from indx_dagster.home import ENVIRONMENT


@pytest.fixture(autouse=True)
def _as_launched(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)


def ingest(corner: DagsterCorner) -> dg.ExecuteInProcessResult:
    corner.write(a="first page\fsecond page", b=b"\x00\x01\x02", c="a third one")
    for path in corner.root.iterdir():
        os.utime(path, (0, 0))  # a version of a local file is its size and time, and every data version follows from it
    (result,) = corner.ingest()
    return result


def recorded(corner: DagsterCorner, run_id: str) -> dict[str, Any]:
    """What the event log says of a run, without clock readings."""
    instance = corner.instance

    def shown(materialization: dg.AssetMaterialization) -> tuple[Any, ...]:
        return (
            materialization.asset_key,
            materialization.partition,
            sorted(materialization.metadata),
            materialization.tags,
        )

    entries = instance.all_logs(run_id, of_type=dg.DagsterEventType.ASSET_MATERIALIZATION)
    return {
        "of the run": [shown(entry.asset_materialization) for entry in entries],
        "by asset": {
            stage: [
                shown(record.asset_materialization)
                for record in instance.fetch_materializations(dg.AssetRecordsFilter(asset_key(stage)), limit=9).records
            ]
            for stage in Stage
        },
        "newest": {
            stage: instance.get_latest_materialization_event(asset_key(stage)).asset_materialization.partition
            for stage in Stage
        },
        "indexed tags": {
            stage: instance.event_log_storage.get_latest_tags_by_partition(
                asset_key(stage), dg.DagsterEventType.ASSET_MATERIALIZATION, ["dagster/data_version"]
            )
            for stage in Stage
        },
        "status": {stage: corner.status(stage, "a", "b", "c") for stage in Stage},
    }


def in_a_corner(folder: Path) -> dict[str, Any]:
    folder.mkdir()
    with dagster_corner(folder, Grain.SOURCE) as corner:
        return recorded(corner, ingest(corner).run_id)


def test_a_batch_in_sqlite_is_stored_as_its_events_one_by_one_would_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches = []
    store = events._store_in_sqlite
    monkeypatch.setattr(events, "_store_in_sqlite", lambda *given: batches.append(len(given[1])) or store(*given))
    batched = in_a_corner(tmp_path / "batched")
    assert batches == [2] * len(Stage), "a and c of every stage at once; b was refused"
    monkeypatch.setenv("DAGSTER_EVENT_BATCH_SIZE", "0")
    assert in_a_corner(tmp_path / "singly") == batched
    assert batched["status"][Stage.CHUNKS] == ["MATERIALIZED", "FAILED", "MATERIALIZED"]


def test_a_batch_that_cannot_be_stored_is_stored_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(*_given: Any) -> None:
        raise OSError("too many variables")

    monkeypatch.setattr(events, "_store_in_sqlite", refuses)
    assert in_a_corner(tmp_path / "refused")["status"][Stage.ANNOTATIONS] == ["MATERIALIZED", "FAILED", "MATERIALIZED"]


def test_the_storage_is_as_it_was_after_a_run(tmp_path: Path) -> None:
    """The instance outlives the run, in the daemon and in the UI's code server."""
    with dagster_corner(tmp_path, Grain.SOURCE) as corner:
        assert ingest(corner).run_id
        assert "store_event_batch" not in vars(corner.instance.event_log_storage)
