"""The nightly schedule: what it asks for, why, within which budget, and that the runs it asks for really run."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import dagster as dg
import pytest
from dagster._core.storage.defs_state.base import set_defs_state_storage
from dagster_corner import DagsterCorner, dagster_corner

from assets.keys import REASON, asset_key
from indx_core.contracts.errors import ConfigInvalid
from indx_core.contracts.ingest import CorpusConfig, Grain, IndxConfig, IngestOptions, ScheduleOptions, Stage
from indx_core.kit.config import LoadedConfig
from indx_core.kit.settings import overriding
from indx_dagster.definitions import build_defs, default_resources
from indx_dagster.schedules import build_schedules
from indx_dagster.schedules.night import Night

NIGHT = datetime(2026, 11, 30, 2, tzinfo=UTC)
READ_PRICE = '{"text-extraction": {"cost_usd_per_page": 0.25}}'


@pytest.fixture(params=list(Grain), ids=str)
def corner(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[DagsterCorner]:
    monkeypatch.setenv("DAGSTER_EMIT_PARTITION_SUBSET_IN_PLANNED_EVENTS", "1")
    with dagster_corner(tmp_path, request.param) as found:
        found.write(a="first page\fsecond page", b="another document", c="a third one")
        yield found


def night_of(corner: DagsterCorner, **schedule: Any) -> Night:
    config = corner.loaded.config.model_copy(update={"schedule": ScheduleOptions(**schedule)})
    return Night(corner.instance, LoadedConfig(config, corner.folder), "corner")


def documents(requests: list[dg.RunRequest]) -> list[str]:
    return sorted(key for each in requests for key in each.run_config["ops"]["documents"]["config"]["sources"])


def execute(corner: DagsterCorner, request: dg.RunRequest) -> dg.ExecuteInProcessResult:
    """The run that a daemon would launch for a request, in a code server that no run before it has left an instance in."""
    with set_defs_state_storage(None):
        job = build_defs(loaded=corner.loaded).resolve_job_def("ingest")
    return job.execute_in_process(
        instance=corner.instance,
        run_config=request.run_config,
        tags=request.tags,
        asset_selection=list(request.asset_selection or ()),
        raise_on_error=False,
    )


def test_a_night_brings_a_corpus_up_to_date_and_says_why(corner: DagsterCorner) -> None:
    schedule = build_defs(loaded=corner.loaded).resolve_schedule_def("nightly_corner")
    context = dg.build_schedule_context(
        instance=corner.instance, scheduled_execution_time=NIGHT, resources=default_resources()
    )
    evaluated = schedule.evaluate_tick(context)
    assert documents(evaluated.run_requests) == ["corner/a.txt", "corner/b.txt", "corner/c.txt"]
    for request in evaluated.run_requests:
        assert request.tags["indx/reasons"].startswith("missing")
        assert request.tags["indx/corpora"] == "corner"
        assert execute(corner, request).success
    assert corner.stale() == {}
    again = schedule.evaluate_tick(context)
    assert (again.run_requests, again.skip_message) == ([], "everything is up to date")


def test_a_changed_source_and_a_changed_setting_are_asked_for_with_their_reason(tmp_path: Path) -> None:
    with dagster_corner(tmp_path, Grain.SOURCE) as corner:
        corner.write(a="first", b="second")
        corner.ingest()
        corner.write(b="changed")
        (request,) = night_of(corner).requests("1")
        assert (documents([request]), request.tags["indx/reasons"]) == (["corner/b.txt"], "source changed 1")
        assert execute(corner, request).success
        assert corner.materialization(Stage.CHUNKS, "b").metadata[REASON].value == "source changed"
        corner.use(IngestOptions(languages=True))
        (request,) = night_of(corner).requests("2")
        assert request.tags["indx/reasons"].startswith("settings changed 2")
        assert request.asset_selection == [asset_key(Stage.ANNOTATIONS)]


def test_the_same_night_asks_for_the_same_runs(corner: DagsterCorner) -> None:
    """A tick that Dagster evaluates again after a failure starts nothing twice."""
    first, second = (night_of(corner).requests("1") for _ in range(2))
    assert [each.run_key for each in first] == [each.run_key for each in second]
    assert {each.run_key for each in first}.isdisjoint(each.run_key for each in night_of(corner).requests("2"))


def test_what_another_run_is_about_is_not_asked_for(corner: DagsterCorner) -> None:
    corner.instance.create_run_for_job(
        build_defs(loaded=corner.loaded).resolve_job_def("ingest"),
        run_config={"ops": {"documents": {"config": {"sources": ["corner/a.txt", "corner/b.txt", "corner/c.txt"]}}}},
        status=dg.DagsterRunStatus.NOT_STARTED,
    )
    night = night_of(corner)
    assert night.requests("1") == []
    assert night.said == ["3 documents are in flight already"]


def test_a_night_asks_for_no_more_than_its_budget_pays_whatever_happens(tmp_path: Path) -> None:
    (tmp_path / "prices.json").write_text(READ_PRICE, encoding="utf-8")
    with dagster_corner(tmp_path, Grain.SOURCE, INDX_ROUTING_ECONOMICS=str(tmp_path / "prices.json")) as corner:
        corner.write(a="first page\fsecond page", b="another document", c="a third one")
        night = night_of(corner, budget_usd=0.6)
        (request,) = night.requests("1")
        assert (documents([request]), request.tags["indx/estimated_cost_usd"]) == (["corner/a.txt"], "0.5")
        assert night.said == ["the budget of $0.6 leaves as they are: corner/b.txt, corner/c.txt"]
        assert corner.instance.get_runs() == []


@pytest.mark.parametrize(
    ("general", "own", "expected"),
    [
        (ScheduleOptions(), None, ("0 2 * * *", "UTC", dg.DefaultScheduleStatus.STOPPED)),
        (
            ScheduleOptions(cron="30 1 * * 1-5", timezone="Asia/Tokyo", running=True),
            None,
            ("30 1 * * 1-5", "Asia/Tokyo", dg.DefaultScheduleStatus.RUNNING),
        ),
        (
            ScheduleOptions(running=True),
            ScheduleOptions(cron="0 0 1 * *"),
            ("0 0 1 * *", "UTC", dg.DefaultScheduleStatus.STOPPED),
        ),
    ],
)
def test_when_a_corpus_is_due_is_written_in_the_configuration(
    tmp_path: Path, general: ScheduleOptions, own: ScheduleOptions | None, expected: tuple[Any, ...]
) -> None:
    corpora = {"reports-2026": CorpusConfig(root="documents", schedule=own)}
    (found,) = build_schedules(LoadedConfig(IndxConfig(corpora=corpora, schedule=general), tmp_path))
    assert found.name == "nightly_reports__2026"
    assert (found.cron_schedule, found.execution_timezone, found.default_status) == expected


def test_a_line_that_is_no_cron_expression_names_the_corpus(tmp_path: Path) -> None:
    config = IndxConfig(corpora={"c": CorpusConfig(root=".")}, schedule=ScheduleOptions(cron="61 2 * * *"))
    with pytest.raises(ConfigInvalid, match=r"schedule\.cron of corpus c: '61 2"):
        build_schedules(LoadedConfig(config, tmp_path))


@pytest.mark.parametrize("values", [{"cron": "nightly"}, {"timezone": "Tokyo"}, {"budget_usd": -1}])
def test_a_schedule_that_means_nothing_is_refused(values: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(values))):
        ScheduleOptions(**values)


@pytest.mark.parametrize(("hours", "expected"), [(None, None), (26.0, 26 * 3600)])
def test_assets_have_a_freshness_policy_where_the_configuration_asks_for_one(
    tmp_path: Path, hours: float | None, expected: int | None
) -> None:
    config = IndxConfig(corpora={"c": CorpusConfig(root=".")}, freshness_hours=hours)
    with overriding({"INDX_LAKE": str(tmp_path)}):
        graph = build_defs(loaded=LoadedConfig(config, tmp_path)).resolve_asset_graph()
    policies = [graph.get(key).freshness_policy for key in graph.materializable_asset_keys]
    windows = {None if each is None else each.fail_window.to_timedelta().total_seconds() for each in policies}
    assert (len(policies), windows) == (7, {expected})
