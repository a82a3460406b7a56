"""Pools: which a run takes slots of, and that it waits for a full one."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from dagster_corner import DagsterCorner, dagster_corner

from assets import pools
from assets.pools import pools_of
from indx_core.app.installation import Installation
from indx_core.contracts.capability import CapabilityKind, Device
from indx_core.contracts.ingest import Grain, IngestOptions, Stage
from indx_core.contracts.plan import Constraints
from indx_core.kit.registry import Contribution, build
from indx_core.testing.fakes import FakeReader


@pytest.fixture(scope="module")
def installation() -> Installation:
    """Recognition here, and a vision model elsewhere."""
    readers = (
        FakeReader(id="local-ocr", kind=CapabilityKind.OCR),
        FakeReader(id="vision", kind=CapabilityKind.VLM, device=Device.EXTERNAL),
    )
    return Installation.of(build([("test", Contribution(readers=readers))]))


@pytest.mark.parametrize(
    ("constraints", "engines", "expected"),
    [
        (Constraints(), None, ["engine/local-ocr", "engine/vision", "vendor/vision"]),
        (Constraints(data_residency=True), None, ["engine/local-ocr"]),
        (Constraints(capability_ids=("vision",)), None, ["engine/vision", "vendor/vision"]),
        (Constraints(), ["local-ocr", "text-extraction"], ["engine/local-ocr"]),
        (Constraints(), [], []),
    ],
)
def test_a_run_takes_slots_of_what_its_documents_may_need(
    installation: Installation, constraints: Constraints, engines: list[str] | None, expected: list[str]
) -> None:
    assert pools_of([IngestOptions(constraints=constraints)], tuple(Stage), installation, engines) == expected


def test_stages_that_ask_no_engine_take_no_slot(installation: Installation) -> None:
    assert pools_of([IngestOptions()], (Stage.OBSERVATION, Stage.PLAN, Stage.CHUNKS), installation) == []


@pytest.fixture
def corner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[DagsterCorner]:
    monkeypatch.setattr(pools, "_LOOK_SECONDS", 0.02)
    with dagster_corner(tmp_path, Grain.SOURCE) as found:
        found.write(a="first")
        yield found


def test_a_run_waits_for_a_full_pool_and_gives_its_slot_back(
    corner: DagsterCorner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assets.run.pools_of", lambda *_asked: ["vendor/acme"])
    storage = corner.instance.event_log_storage
    storage.set_concurrency_slots("vendor/acme", 1)
    assert storage.claim_concurrency_slot("vendor/acme", "another-run", "its-step").is_claimed
    released = threading.Event()
    waiting = storage.get_concurrency_info("vendor/acme")

    def release() -> None:
        while not storage.get_concurrency_info("vendor/acme").pending_step_count:
            released.wait(0.02)
        assert corner.outcomes == []
        storage.free_concurrency_slots_for_run("another-run")
        released.set()

    assert waiting.active_slot_count == 1
    other = threading.Thread(target=release)
    other.start()
    (result,) = corner.ingest()
    other.join()
    assert (result.success, released.is_set()) == (True, True)
    after = storage.get_concurrency_info("vendor/acme")
    assert (after.active_slot_count, after.pending_step_count) == (0, 0)
