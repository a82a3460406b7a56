"""Backfills: what is selected, what it would cost before anything runs, and a budget that is never passed."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import dagster as dg
import pytest
from dagster_corner import DagsterCorner, dagster_corner

from assets.batches import Batch, batches
from assets.ingest import STEP
from assets.keys import REASON
from assets.stale import Stale
from indx_core.app.ingest.estimate import EngineShare, Estimate
from indx_core.app.ingest.listing import ListedSource
from indx_core.app.ingest.task import DocumentOutcome, DocumentTask, StageReport
from indx_core.contracts.errors import RequestInvalid
from indx_core.contracts.ingest import Grain, IndxConfig, IngestOptions, Stage
from indx_core.kit.config import LoadedConfig
from indx_core.kit.settings import overriding
from indx_dagster import backfill_command
from indx_dagster.backfill import REASONS, Backfill, Selection
from indx_dagster.quote import Quoted, Quoter, summary

ALL = tuple(Stage)
READ_PRICE = '{"text-extraction": {"cost_usd_per_page": 0.25}, "manual-review": {"cost_usd_per_page": 0.0}}'


@pytest.fixture(params=list(Grain), ids=str)
def corner(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[DagsterCorner]:
    monkeypatch.setenv("DAGSTER_EMIT_PARTITION_SUBSET_IN_PLANNED_EVENTS", "1")
    (tmp_path / "prices.json").write_text(READ_PRICE, encoding="utf-8")
    with dagster_corner(tmp_path, request.param, INDX_ROUTING_ECONOMICS=str(tmp_path / "prices.json")) as found:
        found.write(a="first page\fsecond page", b="another document", c=b"\x00\x01")
        yield found


@pytest.fixture
def by_source(tmp_path: Path) -> Iterator[DagsterCorner]:
    with dagster_corner(tmp_path, Grain.SOURCE) as found:
        found.write(a="first page\fsecond page", b="another document", c=b"\x00\x01")
        yield found


def quote(corner: DagsterCorner, selection: Selection | None = None) -> list[Quoted]:
    session, sources = corner.session, corner.discover()
    chosen = (selection or Selection()).of(sources, session.stale(sources), session.lake, corner.loaded)
    return Quoter(corner.loaded, session.installation, session.lake).quote(chosen)


def chosen(corner: DagsterCorner, **selected: Any) -> dict[str, tuple[Stage, ...]]:
    found = quote(corner, Selection(**selected))
    return {each.stale.source.path.removesuffix(".txt"): each.stale.stages for each in found}


# -- what it would cost ----------------------------------------------------------------------------------------------


def test_a_quote_sums_the_plans_estimates_and_writes_nothing(corner: DagsterCorner) -> None:
    quoted = quote(corner)
    found = summary(quoted)
    assert (found["documents"], found["expected_usd"], found["at_most_usd"]) == (3, 0.75, 0.75)
    assert found["refused"] == [{"document": "corner/c.txt", "code": "source_unreadable"}]
    text = next(row for row in found["engines"] if row["engine"] == "text-extraction")
    assert text == {"engine": "text-extraction", "vendor": None, "pages": 3, "expected_usd": 0.75, "price": "operator"}
    assert corner.objects() == {}
    assert corner.instance.get_runs() == []


def test_what_is_stale_below_the_reading_costs_nothing_to_bring_up_to_date(corner: DagsterCorner) -> None:
    corner.ingest()
    corner.use(corner.loaded.config.ingest.model_copy(update={"languages": True}))
    found = summary(quote(corner))
    assert (found["stages"]["annotations"], found["expected_usd"], found["engines"]) == (3, 0.0, [])


def test_reading_again_along_a_plan_of_record_costs_what_that_plan_says(
    by_source: DagsterCorner, tmp_path: Path
) -> None:
    """Nothing is observed or planned again for the price: the plan is in the lake."""
    (tmp_path / "prices.json").write_text(READ_PRICE, encoding="utf-8")
    with overriding({"INDX_ROUTING_ECONOMICS": str(tmp_path / "prices.json")}):
        by_source.use(IngestOptions(languages=False))
        by_source.ingest()
        source = next(each for each in by_source.discover() if each.path == "a.txt")
        (by_source.root / "a.txt").unlink()
        quoter = Quoter(by_source.loaded, by_source.session.installation, by_source.session.lake)
        (found,) = quoter.quote([Stale(source, (Stage.PAGE_READS, Stage.CHUNKS), ("settings changed",))])
        assert (found.problem, found.estimate.expected_usd) == (None, 0.5)


def test_a_quote_that_takes_too_long_ends_with_the_document_it_is_at(by_source: DagsterCorner) -> None:
    sources = by_source.discover()
    quoter = Quoter(by_source.loaded, by_source.session.installation, by_source.session.lake)
    assert len(quoter.quote(by_source.session.stale(sources), seconds=0.0)) == 1


# -- what is selected ------------------------------------------------------------------------------------------------


def test_a_stage_is_run_with_what_it_needs_and_no_further(by_source: DagsterCorner) -> None:
    assert chosen(by_source, stages=frozenset({Stage.PLAN}))["a"] == (Stage.OBSERVATION, Stage.PLAN)
    assert chosen(by_source, stages=frozenset({Stage.EMBEDDINGS}))["a"] == ALL[:-1]
    by_source.ingest()
    by_source.use(IngestOptions(languages=True))
    assert "a" not in chosen(by_source, stages=frozenset({Stage.EMBEDDINGS}))
    assert chosen(by_source, stages=frozenset({Stage.ANNOTATIONS}))["a"] == (Stage.ANNOTATIONS,)


def test_documents_are_selected_by_why_they_are_stale(by_source: DagsterCorner) -> None:
    by_source.ingest()
    by_source.write(b="changed", d="new")
    assert set(chosen(by_source, reasons=frozenset({"source"}))) == {"b"}
    assert set(chosen(by_source, reasons=frozenset({"missing"}))) == {"d"}
    assert set(chosen(by_source, reasons=frozenset({"settings"}))) == set()


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [("corner/b.txt", None, {"b", "c"}), (None, "corner/b.txt", {"a", "b"}), ("corner/b", "corner/b.z", {"b"})],
)
def test_documents_are_selected_by_a_range_of_partitions(
    by_source: DagsterCorner, first: str | None, last: str | None, expected: set[str]
) -> None:
    assert set(chosen(by_source, first=first, last=last)) == expected


def test_failed_documents_are_selected_whatever_they_failed_of(corner: DagsterCorner) -> None:
    """A permanent refusal is up to date, so that only a person asks for it again."""
    corner.ingest()
    assert corner.stale() == {}
    found = quote(corner, Selection(failed=True))
    assert [(each.stale.source.path, each.stale.reasons) for each in found] == [
        ("c.txt", ("failed: source_unreadable",))
    ]


def test_everything_is_selected_by_force(corner: DagsterCorner) -> None:
    corner.ingest()
    assert chosen(corner, force=True) == dict.fromkeys("abc", ALL)


def test_the_reasons_of_the_command_are_those_that_documents_have() -> None:
    assert backfill_command.REASONS == REASONS
    assert tuple(stage.value for stage in Stage) == backfill_command.STAGES


def test_nothing_runs_where_nobody_can_agree() -> None:
    with pytest.raises(click.UsageError, match="--yes to run, or --dry-run to look"):
        backfill_command._agree(3, yes=False)
    backfill_command._agree(3, yes=True)


# -- running it ------------------------------------------------------------------------------------------------------


def test_a_backfill_says_in_its_runs_and_in_what_they_materialize_why_and_at_what_price(
    by_source: DagsterCorner,
) -> None:
    planned = Backfill(by_source.session, quote(by_source))
    assert planned.run(by_source.outcomes.append) == []
    (run,) = by_source.instance.get_runs()
    expected = {
        "indx/backfill": planned.id,
        "indx/corpora": "corner",
        "indx/documents": "3",
        "indx/reasons": "missing 3",
        "indx/estimated_cost_usd": "0",
        "indx/outcome": "processed 2, refused 1",
        "indx/cost_usd": "0",
    }
    assert {name: run.tags[name] for name in expected} == expected
    assert by_source.materialization(Stage.CHUNKS, "a").metadata[REASON].value == "missing"
    assert by_source.stale() == {}
    by_source.write(b="changed")
    Backfill(by_source.session, quote(by_source)).run()
    assert by_source.materialization(Stage.CHUNKS, "b").metadata[REASON].value == "source changed"


def test_planning_first_leaves_the_reading_stale(by_source: DagsterCorner) -> None:
    """The way to see a price of a large corpus before it is spent."""
    Backfill(by_source.session, quote(by_source, Selection(stages=frozenset({Stage.PLAN})))).run()
    assert by_source.status(Stage.PLAN, "a") == ["MATERIALIZED"]
    assert chosen(by_source)["a"] == ALL[2:]


def held_by_another_run(corner: DagsterCorner, *names: str) -> dg.DagsterRun:
    config = {"ops": {STEP: {"config": {"sources": [corner.key(name) for name in names]}}}}
    return corner.instance.run_storage.add_run(dg.DagsterRun("ingest", run_config=config))


@pytest.mark.parametrize("processed", [False, True], ids=["broke off", "went through"])
def test_documents_that_another_run_has_are_waited_for_and_run_last_where_it_left_them_stale(
    by_source: DagsterCorner, processed: bool
) -> None:
    other = held_by_another_run(by_source, "a")
    quoted = quote(by_source)
    waited: list[list[str]] = []

    def wait(held: Sequence[Stale]) -> None:
        waited.append([each.source.path for each in held])
        by_source.instance.report_run_failed(other, "it ended")
        if processed:
            by_source.session.run(Batch("ingest", ALL, tuple(each.source for each in held)))

    planned = Backfill(by_source.session, quoted)
    assert planned.run(wait=wait) == []
    assert waited == [["a.txt"]]
    assert len(planned.runs) == (1 if processed else 2)
    assert by_source.stale() == {}


def test_what_another_run_did_meanwhile_is_run_again_only_where_that_was_forced(by_source: DagsterCorner) -> None:
    by_source.ingest()
    other = held_by_another_run(by_source, "a", "b", "c")
    planned = Backfill(by_source.session, quote(by_source, Selection(force=True)))
    planned.run(by_source.outcomes.append, lambda _held: by_source.instance.report_run_failed(other, "it ended"))
    assert sum(by_source.processed().values()) == 6, "three before, and the three that were forced"


# -- budgets, over runs that charge ------------------------------------------------------------------------------------


def source(name: str, byte_count: int = 1) -> ListedSource:
    return ListedSource(f"c/{name}", "c", "/c", name, f"file:///c/{name}", byte_count, "1", 0.0)


def priced(name: str, at_most: float, **engines: EngineShare) -> Quoted:
    return Quoted(Stale(source(name), ALL, ("missing",)), Estimate(at_most, 0.0, at_most, engines))


class ChargingSession:
    """Stands for the session: every document of a run is charged what ``charges`` says, ``None`` for nobody knows."""

    def __init__(self, charges: Callable[[str], float | None], batch_size: int = 2) -> None:
        self.loaded = LoadedConfig(IndxConfig(batch_size=batch_size), Path())
        self.on_outcome: Callable[[DocumentOutcome], None] = lambda _outcome: None
        self.ran: list[list[str]] = []
        self._charges = charges

    def holders(self, _sources: Sequence[ListedSource]) -> dict[str, str]:
        return {}

    def run(self, batch: Batch, _tags: dict[str, str], _engines: list[str]) -> Any:
        self.ran.append([each.path for each in batch.sources])
        for each in batch.sources:
            task = DocumentTask(each.key, "c", each.path, each.uri, "1", each.key, ALL, IngestOptions())
            cost = self._charges(each.path)
            facts = {"cost_usd": cost or 0.0, "cost_known": cost is not None, "pages": {}}
            self.on_outcome(DocumentOutcome(task, reports={Stage.PAGE_READS: StageReport("v", facts)}))
        return SimpleNamespace(run_id=f"run-{len(self.ran)}")


def test_a_budget_is_never_passed_and_what_it_leaves_is_named() -> None:
    session = ChargingSession(lambda _name: 1.0)
    planned = Backfill(session, [priced(name, 1.0) for name in "abcde"], budget_usd=3.0)
    left = planned.run()
    assert session.ran == [["a", "b"], ["c"]]
    assert (planned.spent_usd, [(each.key, each.at_most_usd) for each in left]) == (3.0, [("c/d", 1.0), ("c/e", 1.0)])


def test_what_a_batch_did_not_spend_of_its_bound_is_there_for_the_next() -> None:
    session = ChargingSession(lambda _name: 0.25)
    planned = Backfill(session, [priced(name, 1.0) for name in "abcd"], budget_usd=2.0)
    assert planned.run() == []
    assert session.ran == [["a", "b"], ["c"], ["d"]]
    assert planned.spent_usd == 1.0


def test_a_charge_that_nobody_knows_counts_with_the_most_it_may_be() -> None:
    session = ChargingSession(lambda _name: None)
    planned = Backfill(session, [priced(name, 1.0) for name in "abc"], budget_usd=2.5)
    assert [each.key for each in planned.run()] == ["c/c"]
    assert planned.spent_usd == 2.0


def test_a_document_that_does_not_fit_alone_is_passed_over_for_those_that_do() -> None:
    session = ChargingSession(lambda _name: 0.0)
    planned = Backfill(session, [priced("dear", 9.0), priced("cheap", 0.1), priced("free", 0.0)], budget_usd=0.1)
    assert [each.key for each in planned.run()] == ["c/dear"]
    assert session.ran == [["cheap", "free"]]


def test_a_budget_over_a_price_that_nobody_states_is_refused_before_anything_runs() -> None:
    quoted = [priced("a", 0.0, **{"hosted-embedder": EngineShare(1, 0.0, "unknown", "acme")})]
    with pytest.raises(RequestInvalid, match="states a price for hosted-embedder"):
        Backfill(ChargingSession(lambda _name: 0.0), quoted, budget_usd=1.0)
    assert Backfill(ChargingSession(lambda _name: 0.0), quoted).run() == []


@pytest.mark.parametrize("budget", [0.0, 0.3])
def test_cents_that_do_not_add_up_in_binary_still_fit(budget: float) -> None:
    session = ChargingSession(lambda _name: budget / 3, batch_size=9)
    left = Backfill(session, [priced(name, budget / 3) for name in "abc"], budget_usd=budget).run()
    assert (left, session.ran) == ([], [["a", "b", "c"]])


# -- batches by size -------------------------------------------------------------------------------------------------


def test_batches_are_cut_by_number_and_by_bytes() -> None:
    loaded = LoadedConfig(IndxConfig(batch_size=3, batch_bytes=100), Path())
    sizes = [("a", 40), ("b", 60), ("c", 1), ("d", 1), ("e", 1), ("f", 500), ("g", 1)]
    stale = [Stale(source(name, size), ALL, ()) for name, size in sizes]
    cut = [[each.path for each in batch.sources] for batch in batches(stale, loaded)]
    assert cut == [["a", "b"], ["c", "d", "e"], ["f"], ["g"]]
