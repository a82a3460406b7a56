"""Real Dagster runs over a real instance and lake: what is recorded, what is stale and why, what a replay does."""

from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest
from dagster_corner import DagsterCorner, dagster_corner

from assets import keys
from assets.keys import asset_key
from indx_core.app.installation import Installation
from indx_core.contracts.annotation import AnnotationSelection
from indx_core.contracts.errors import SettingsInvalid
from indx_core.contracts.ingest import Grain, IngestOptions, Stage
from indx_core.contracts.plan import Constraints
from indx_core.kit.registry import Contribution, build, discover
from indx_core.kit.settings import overriding
from indx_core.testing.fakes import FakeReader
from indx_dagster.jobs import REPLAYED

OPTIONS = IngestOptions(languages=False)


@pytest.fixture(params=list(Grain), ids=str)
def corner(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[DagsterCorner]:
    monkeypatch.setenv("DAGSTER_EMIT_PARTITION_SUBSET_IN_PLANNED_EVENTS", "1")
    with dagster_corner(tmp_path, request.param) as found:
        found.write(a="first page\fsecond page", b="another document", c="a third one")
        yield found


@pytest.fixture
def by_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[DagsterCorner]:
    monkeypatch.setenv("DAGSTER_EMIT_PARTITION_SUBSET_IN_PLANNED_EVENTS", "1")
    with dagster_corner(tmp_path, Grain.SOURCE) as found:
        found.write(a="first page\fsecond page", b="another document", c="a third one")
        yield found


def test_a_first_ingest_materializes_all_six_assets_and_a_second_finds_nothing_to_do(corner: DagsterCorner) -> None:
    assert [result.success for result in corner.ingest()] == [True]
    for stage in Stage:
        assert corner.status(stage, "a", "b", "c") == ["MATERIALIZED"] * 3
    assert corner.stale() == {}
    assert corner.ingest() == []


def test_after_one_file_changes_only_that_one_is_processed(corner: DagsterCorner) -> None:
    corner.ingest()
    corner.write(b="changed words")
    assert corner.stale() == {"b": ("source changed",)}
    corner.ingest()
    assert corner.processed() == {"b": 1}
    assert corner.stale() == {}


def test_a_lake_that_lost_a_documents_rows_is_filled_again(corner: DagsterCorner) -> None:
    """A materialization is a claim: another lake, or a deleted one, holds none of what the event log says."""
    corner.ingest()
    for path in (corner.folder / "lake").rglob("*.parquet"):
        path.unlink()
    assert sorted(corner.stale()) == ["a", "b", "c"]
    corner.ingest()
    assert corner.session.lake.dataset("pages").to_table().num_rows == 4
    assert corner.stale() == {}


def test_a_new_file_is_the_only_one_processed(corner: DagsterCorner) -> None:
    corner.ingest()
    corner.write(d="new")
    corner.ingest()
    assert corner.processed() == {"d": 1}


@pytest.mark.parametrize(
    ("options", "stages"),
    [
        (OPTIONS.model_copy(update={"constraints": Constraints(minimum_quality=0.1)}), list(Stage)[1:]),
        (OPTIONS.model_copy(update={"embedding_spaces": ()}), list(Stage)[1:]),
        (OPTIONS.model_copy(update={"chunkers": ("page",)}), list(Stage)[3:]),
        (OPTIONS.model_copy(update={"languages": True}), [Stage.ANNOTATIONS]),
    ],
)
def test_a_changed_option_makes_its_stages_stale_and_only_those_run(
    by_source: DagsterCorner, options: IngestOptions, stages: list[Stage]
) -> None:
    by_source.ingest()
    by_source.use(options)
    assert all("settings changed" in reasons for reasons in by_source.stale().values())
    assert {each.stages for each in by_source.session.stale(by_source.discover())} == {tuple(stages)}
    by_source.ingest()
    assert by_source.stale() == {}


def test_a_changed_setting_makes_every_document_stale_with_that_reason(corner: DagsterCorner) -> None:
    corner.ingest()
    with overriding({"INDX_TEXT_ENCODING": "utf-8-sig,cp932"}):
        corner.use(OPTIONS)
        assert corner.stale() == dict.fromkeys("abc", ("settings changed",))
        corner.ingest()
        assert corner.stale() == {}


def test_a_newly_installed_capability_makes_plans_stale_with_that_reason(by_source: DagsterCorner) -> None:
    by_source.ingest()
    here = discover()
    parts = {name: getattr(here, name) for name in Contribution.__dataclass_fields__}
    readers = (*here.readers, FakeReader(id="new-reader"))
    merged = Installation.of(build([("everything", Contribution(**{**parts, "readers": readers}))]))
    by_source.use(OPTIONS, installation=merged)
    assert by_source.stale() == dict.fromkeys("abc", ("engines changed",))


def test_a_refused_document_fails_alone_and_the_others_of_its_run_are_materialized(by_source: DagsterCorner) -> None:
    by_source.write(b=b"\x00\x01\x02")
    (result,) = by_source.ingest()
    assert not result.success
    assert by_source.status(Stage.OBSERVATION, "a", "b", "c") == ["MATERIALIZED", "FAILED", "MATERIALIZED"]
    assert by_source.status(Stage.ANNOTATIONS, "a", "b", "c") == ["MATERIALIZED", "FAILED", "MATERIALIZED"]
    failure = next(e for e in result.all_events if e.is_step_failure).step_failure_data.user_failure_data
    assert "1 of 3 documents could not be processed" in failure.description
    assert "source_unreadable" in str(failure.metadata["failed"].value)


def test_a_permanent_refusal_is_not_tried_again_until_the_source_or_a_setting_changes(corner: DagsterCorner) -> None:
    corner.write(b=b"\x00\x01\x02")
    corner.ingest()
    assert corner.ingest() == []
    with overriding({"INDX_TEXT_ENCODING": "utf-8-sig,cp932"}):
        corner.use(OPTIONS)
        assert "b" in corner.stale()
    corner.use(OPTIONS)
    corner.write(b="mended")
    corner.ingest()
    assert "b" in corner.processed()
    assert corner.stale() == {}


def test_a_bucket_with_a_refused_document_is_materialized_and_the_refusal_is_a_row(tmp_path: Path) -> None:
    """At shard grain per-document status lives in the tables."""
    with dagster_corner(tmp_path, Grain.SHARD) as corner:
        corner.write(a="fine", b=b"\x00\x01\x02", c="fine too")
        corner.ingest()
        assert set(corner.status(Stage.ANNOTATIONS, "a", "c")) == {"MATERIALIZED"}
        rows = corner.session.lake.dataset("refusals").to_table().to_pylist()
        assert [row["key"] for row in rows] == ["corner/b.txt"]


def test_the_plan_of_record_is_the_whole_plan_in_the_metadata(by_source: DagsterCorner) -> None:
    by_source.ingest()
    recorded = by_source.materialization(Stage.PLAN, "a").metadata
    plan = recorded[keys.PLAN].value
    assert plan["plan_id"] == recorded[keys.PLAN_ID].value
    assert recorded[keys.STATUS].value == "ready"
    assert plan["document"]["capability_ids"] == ["text-extraction", "manual-review"]


def test_a_replay_executes_the_plan_of_record_and_writes_byte_identical_tables(corner: DagsterCorner) -> None:
    corner.ingest()
    before = corner.objects()
    versions = [corner.materialization(stage, "a").tags["dagster/data_version"] for stage in REPLAYED]
    result = corner.run("a", "b", "c", stages=REPLAYED, job="replay")
    assert result.success
    assert corner.objects() == before
    assert [corner.materialization(stage, "a").tags["dagster/data_version"] for stage in REPLAYED] == versions


def test_a_replay_over_a_changed_source_fails_that_document_with_every_field_and_the_remedy(
    by_source: DagsterCorner,
) -> None:
    by_source.ingest()
    by_source.write(b="moved")
    result = by_source.run("a", "b", stages=REPLAYED, job="replay")
    assert not result.success
    (failed,) = [outcome for outcome in by_source.outcomes if outcome.failure]
    assert failed.failure.error.code == "plan_conflict"
    assert [m["field"] for m in failed.failure.error.details["mismatches"]] == ["source_digest"]
    assert "re-materialize plan" in failed.failure.error.remedy
    assert by_source.status(Stage.PAGE_READS, "a", "b") == ["MATERIALIZED", "FAILED"]
    by_source.run("b")
    assert by_source.run("b", stages=REPLAYED, job="replay").success


def test_a_replay_under_another_installation_is_refused(by_source: DagsterCorner) -> None:
    by_source.ingest()
    with overriding({"INDX_OCR_DPI": "150"}):
        assert by_source.run("a", stages=REPLAYED, job="replay").success, "a setting is not a capability"
    record = by_source.materialization(Stage.PLAN, "a")
    other = {**record.metadata[keys.PLAN].value, "snapshot_id": "sha256:other"}
    changed = record._replace(metadata={**record.metadata, keys.PLAN: dg.MetadataValue.json(other)})
    by_source.instance.report_runless_asset_event(changed)
    assert not by_source.run("a", stages=REPLAYED, job="replay").success
    fields = [m["field"] for m in by_source.outcomes[0].failure.error.details["mismatches"]]
    assert fields == ["plan_id", "snapshot_id"]


def test_one_asset_alone_starts_from_the_lake(by_source: DagsterCorner) -> None:
    by_source.ingest()
    before = by_source.objects()
    assert by_source.run("a", stages=(Stage.EMBEDDINGS,)).success
    assert by_source.objects() == before


def test_dagster_says_why_a_partition_is_out_of_date(by_source: DagsterCorner) -> None:
    """The tags a hand-logged event carries are those Dagster itself compares."""
    from dagster._core.definitions.data_version import CachingStaleStatusResolver, StaleStatus
    from dagster._core.loader import LoadingContextForTest

    def status(stage: Stage) -> tuple[StaleStatus, list[str]]:
        graph = by_source.session._defs.resolve_asset_graph()
        resolver = CachingStaleStatusResolver(by_source.instance, graph, LoadingContextForTest(by_source.instance))
        causes = resolver.get_stale_causes(asset_key(stage), by_source.key("a"))
        return resolver.get_status(asset_key(stage), by_source.key("a")), [cause.reason for cause in causes]

    by_source.ingest()
    assert {status(stage)[0] for stage in Stage} == {StaleStatus.FRESH}
    by_source.write(a="moved on")
    by_source.run("a", stages=(Stage.OBSERVATION,))
    assert status(Stage.PLAN) == (StaleStatus.STALE, ["has a new dependency data version"])
    by_source.ingest()
    assert status(Stage.PLAN)[0] is StaleStatus.FRESH
    by_source.use(OPTIONS.model_copy(update={"chunkers": ("page",)}))
    assert status(Stage.CHUNKS) == (StaleStatus.STALE, ["has a new code version"])
    assert status(Stage.PAGE_READS)[0] is StaleStatus.FRESH


def test_a_page_that_waits_for_a_person_is_a_failed_check_and_not_a_failed_document(by_source: DagsterCorner) -> None:
    only_people = Constraints(capability_ids=("manual-review",))
    by_source.use(OPTIONS.model_copy(update={"constraints": only_people}))
    (result,) = by_source.ingest()
    assert result.success
    evaluations = {e.check_name: e.passed for e in result.get_asset_check_evaluations()}
    assert evaluations["pages_readable"] is False
    assert evaluations["pages_conserved"] is True
    assert by_source.status(Stage.PAGE_READS, "a") == ["MATERIALIZED"]


def test_a_deployment_fault_stops_the_run_before_any_document_and_says_what_to_do(by_source: DagsterCorner) -> None:
    with (
        overriding({"INDX_TEXT_ENCODING": "no-such-codec"}),
        pytest.raises(SettingsInvalid, match=r"INDX_TEXT_ENCODING.*correct the variable"),
    ):
        by_source.run("a", "b")
    assert by_source.outcomes == []
    (run,) = by_source.instance.get_runs()
    assert run.status is dg.DagsterRunStatus.FAILURE


def test_a_partition_nobody_listed_is_decoded_against_its_corpus(by_source: DagsterCorner) -> None:
    """A key added by hand in the UI works before the first listing."""
    from assets.sources import named_sources
    from indx_core.contracts.errors import SourceUnreadable

    (found,) = named_sources([by_source.key("a")], by_source.session.lake, by_source.loaded)
    assert found.uri == (by_source.root / "a.txt").as_uri()
    with pytest.raises(SourceUnreadable, match="no document is known"):
        named_sources(["nowhere/x.txt"], by_source.session.lake, by_source.loaded)


def test_an_unnamed_annotator_does_not_run(by_source: DagsterCorner) -> None:
    assert by_source.loaded.config.ingest.classification == AnnotationSelection()
    by_source.ingest()
    assert by_source.session.lake.dataset("labels").to_table().num_rows == 0
