"""A person's answer through real runs: events, versions, checks and staleness agree with the lake, at both grains."""

from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest
from dagster_corner import DagsterCorner, dagster_corner

from assets.keys import asset_key
from indx_core.app.review.queue import record_answer
from indx_core.contracts.ingest import Grain, IngestOptions, Stage
from indx_core.contracts.plan import Constraints
from indx_dagster.jobs import REPLAYED

ONLY_PEOPLE = IngestOptions(
    languages=False, embedding_spaces=(), constraints=Constraints(capability_ids=("manual-review",))
)


@pytest.fixture(params=list(Grain), ids=str)
def corner(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[DagsterCorner]:
    """Two documents that only people read: ``a`` of two pages, ``b`` of one."""
    monkeypatch.setenv("DAGSTER_EMIT_PARTITION_SUBSET_IN_PLANNED_EVENTS", "1")
    with dagster_corner(tmp_path, request.param) as found:
        found.use(ONLY_PEOPLE)
        found.write(a="first\fsecond", b="another")
        found.ingest()
        yield found


def answer(corner: DagsterCorner, name: str, page: int, text: str) -> dg.ExecuteInProcessResult:
    """What the command does: store, and replay."""
    record_answer(corner.session.lake, corner.key(name), page, text, "Sato")
    return corner.run(name, stages=REPLAYED, job="replay")


def versions(corner: DagsterCorner, name: str) -> list[str]:
    return [corner.materialization(stage, name).tags["dagster/data_version"] for stage in REPLAYED]


def readable(corner: DagsterCorner) -> bool:
    """The newest evaluation of ``pages_readable`` under the partition of the last run's document."""
    key = dg.AssetCheckKey(asset_key(Stage.PAGE_READS), "pages_readable")
    found = corner.instance.event_log_storage.get_asset_check_execution_history(key, limit=20)
    evaluations = [record.event.dagster_event.asset_check_evaluation_data for record in found if record.event]
    partition = corner.outcomes[0].task.partition
    return next(each.passed for each in evaluations if each.partition == partition)


def test_the_ui_counts_what_waits_and_every_version_moves_until_the_check_passes(corner: DagsterCorner) -> None:
    def shown() -> tuple[int, int]:
        metadata = corner.materialization(Stage.PAGE_READS, "a").metadata
        return metadata["pages_waiting"].value, metadata["pages_reviewed"].value

    before = versions(corner, "a")
    assert answer(corner, "a", 1, "one").success
    first = versions(corner, "a")
    assert (shown(), readable(corner)) == ((1, 1), False)
    answer(corner, "a", 2, "two")
    assert (shown(), readable(corner)) == ((0, 2), True)
    for earlier, later in ((before, first), (first, versions(corner, "a"))):
        assert all(old != new for old, new in zip(earlier, later, strict=True))
    assert corner.stale() == {}


def test_an_answer_that_no_run_took_up_makes_its_document_stale_with_that_reason(corner: DagsterCorner) -> None:
    """The command was stopped between storing and replaying: the next ingest goes on from there."""
    record_answer(corner.session.lake, corner.key("a"), 1, "one", "Sato")
    assert corner.stale() == {"a": ("answered by a person",)}
    corner.ingest()
    assert {(outcome.task.path, outcome.task.stages) for outcome in corner.outcomes} == {("a.txt", REPLAYED)}
    assert corner.stale() == {}


def test_an_answer_for_a_source_that_changed_meanwhile_is_a_plan_conflict_and_never_used(
    corner: DagsterCorner,
) -> None:
    corner.write(b="changed")
    assert not answer(corner, "b", 1, "what stood there").success
    (failed,) = corner.outcomes
    assert failed.failure is not None
    assert failed.failure.error.code == "plan_conflict"
    corner.ingest()
    assert corner.outcomes[0].reports[Stage.PAGE_READS].facts["pages_waiting"] == 1
    assert corner.stale() == {}
