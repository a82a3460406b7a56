"""One document through the stages: what is kept, what is recalled, what is refused, and byte-identical replays."""

from pathlib import Path

import pytest
from app.ingest.documents import Corner

from indx_core.app.ingest.rows import usage_table
from indx_core.app.ingest.state import DocumentState, Workshop
from indx_core.app.ingest.task import STAGES, DocumentOutcome
from indx_core.app.installation import Installation
from indx_core.contracts.ingest import Grain, Stage
from indx_core.contracts.plan import RoutePlan
from indx_core.kit.lake import encode_table
from indx_core.kit.settings import overriding

REPLAYED = (Stage.PAGE_READS, Stage.CHUNKS, Stage.EMBEDDINGS, Stage.ANNOTATIONS)


@pytest.fixture(params=list(Grain), ids=str)
def corner(request: pytest.FixtureRequest, tmp_path: Path) -> Corner:
    found = Corner(tmp_path, request.param)
    found.write("a.txt", "first page\fsecond page")
    found.write("b.txt", "another document")
    return found


def plan_of(outcome: DocumentOutcome) -> RoutePlan:
    return RoutePlan.model_validate_json(outcome.reports[Stage.PLAN].facts["plan"])


def test_a_document_goes_through_all_six_stages_and_every_page_is_in_the_lake(corner: Corner) -> None:
    (outcome,) = corner.run(corner.task("a.txt"))
    assert (outcome.failure, tuple(outcome.reports)) == (None, STAGES)
    pages = corner.lake.read_document("pages", outcome.task.partition, outcome.task.key)
    assert pages.column("text").to_pylist() == ["first page", "second page"]
    assert all(check.passed for report in outcome.reports.values() for check in report.checks)


def test_a_sampled_passage_says_that_it_goes_on(corner: Corner) -> None:
    corner.write("long.txt", "word " * 60)
    (outcome,) = corner.run(corner.task("long.txt"))
    (sample,) = outcome.reports[Stage.CHUNKS].facts["sample"]
    assert (sample["text"][:10], sample["text"][-2:]) == ("word word ", " …")
    assert len(sample["text"]) <= 122


def test_a_price_nobody_knows_makes_the_cost_of_a_document_a_lower_bound(corner: Corner) -> None:
    """A vendor that names no price must not look free in the lake."""
    free, priced = corner.task("a.txt"), corner.task("b.txt")
    corner.run(free, priced)
    workshop = Workshop(Installation.current(), corner.lake, encode_table)
    with DocumentState(priced, workshop) as state:
        state.charge([0.25, None])
        state.charge([0.5])
        usage = usage_table(state, latency_ms=1, cpu_ms=1).select(["cost_usd", "cost_known"]).to_pylist()
    assert usage == [{"cost_usd": 0.75, "cost_known": False}]
    recorded = corner.lake.read_document("usage", free.partition, free.key)
    assert recorded.select(["cost_usd", "cost_known"]).to_pylist() == [{"cost_usd": 0.0, "cost_known": True}]


def test_replaying_a_plan_of_record_writes_byte_identical_tables(corner: Corner) -> None:
    """Same source, same settings, same snapshot: the same bytes, whatever the clock says."""
    first = corner.run(corner.task("a.txt"), corner.task("b.txt"))
    before = corner.objects()
    replayed = corner.run(
        *(corner.task(o.task.path, REPLAYED, plan=plan_of(o)) for o in first),
    )
    assert [outcome.failure for outcome in replayed] == [None, None]
    assert corner.objects() == before
    assert replayed[0].reports[Stage.CHUNKS].facts == first[0].reports[Stage.CHUNKS].facts


def test_each_later_stage_alone_starts_from_the_lake_and_writes_the_same_bytes(corner: Corner) -> None:
    corner.run(corner.task("a.txt"))
    before = corner.objects()
    for stage in (Stage.CHUNKS, Stage.EMBEDDINGS, Stage.ANNOTATIONS):
        (outcome,) = corner.run(corner.task("a.txt", (stage,)))
        assert outcome.failure is None
        assert corner.objects() == before


def test_a_replay_over_a_changed_source_is_a_conflict_and_the_old_rows_stand(corner: Corner) -> None:
    (first,) = corner.run(corner.task("a.txt"))
    before = corner.objects()
    corner.write("a.txt", "other words")
    (replayed,) = corner.run(corner.task("a.txt", REPLAYED, plan=plan_of(first)))
    assert (replayed.failure.stage, replayed.failure.error.code) == (Stage.PAGE_READS, "plan_conflict")
    assert [m["field"] for m in replayed.failure.error.details["mismatches"]] == ["source_digest"]
    after = {name: data for name, data in corner.objects().items() if not name.startswith("refusals/")}
    assert after == before


def test_a_replay_under_settings_that_count_other_pages_is_a_conflict_for_a_page_would_vanish(corner: Corner) -> None:
    """Read as another encoding, the same bytes have no form feed: pages of the plan would not be there to read."""
    (first,) = corner.run(corner.task("a.txt"))
    with overriding({"INDX_TEXT_ENCODING": "utf-16-le"}):
        (replayed,) = corner.run(corner.task("a.txt", REPLAYED, plan=plan_of(first)))
    assert replayed.failure.error.details["mismatches"] == [{"field": "page_count", "planned": 2, "actual": 1}]


def test_a_replay_of_a_refused_document_says_why_there_is_nothing_to_replay_and_leaves_the_refusal(
    corner: Corner,
) -> None:
    """What was refused and what to do about it must survive whoever asks for a replay."""
    corner.write("c.txt", b"\x82\xa0\xff")
    (refused,) = corner.run(corner.task("c.txt"))
    assert refused.failure is not None
    before = corner.lake.read("refusals", refused.task.partition)
    (replayed,) = corner.run(corner.task("c.txt", REPLAYED))
    assert replayed.failure is not None
    assert replayed.failure.error.code == "plan_conflict"
    assert "nothing to replay: the document was refused at observation" in replayed.failure.error.message
    assert refused.failure.error.message in replayed.failure.error.message
    assert corner.lake.read("refusals", refused.task.partition).equals(before)


def test_a_replay_decides_nothing_about_a_refusal_of_an_earlier_stage(corner: Corner) -> None:
    """The plan of record is of older bytes: that it conflicts, or fits again, does not undo what observing them said."""
    (first,) = corner.run(corner.task("a.txt"))
    readable = (corner.root / "a.txt").read_bytes()
    corner.write("a.txt", b"\x82\xa0\xff")
    corner.run(corner.task("a.txt"))
    before = corner.lake.read("refusals", first.task.partition)
    for stages in (REPLAYED, (Stage.CHUNKS,)):
        corner.run(corner.task("a.txt", stages, plan=plan_of(first)))
        assert corner.lake.read("refusals", first.task.partition).equals(before)
    corner.write("a.txt", readable)
    (replayed,) = corner.run(corner.task("a.txt", REPLAYED, plan=plan_of(first)))
    assert replayed.failure is None
    assert corner.lake.read("refusals", first.task.partition).equals(before)
    corner.run(corner.task("a.txt"))
    assert corner.lake.dataset("refusals").to_table().num_rows == 0


def test_a_conflict_of_a_replay_gives_way_to_the_next_one(corner: Corner) -> None:
    (first,) = corner.run(corner.task("a.txt"))
    for text in ("other words", "yet other words"):
        corner.write("a.txt", text)
        corner.run(corner.task("a.txt", REPLAYED, plan=plan_of(first)))
    (row,) = corner.lake.dataset("refusals").to_table().to_pylist()
    assert row["code"] == "plan_conflict"
    assert corner.task("a.txt").version == row["source_version"]


def test_a_replay_without_a_plan_of_record_is_refused_and_nothing_is_planned_silently(corner: Corner) -> None:
    (outcome,) = corner.run(corner.task("a.txt", REPLAYED))
    assert outcome.failure.error.code == "plan_conflict"
    assert "materialize plan" in outcome.failure.error.remedy


def test_chunking_alone_refuses_a_source_that_moved_since_it_was_observed(corner: Corner) -> None:
    corner.run(corner.task("a.txt"))
    corner.write("a.txt", "other words")
    (outcome,) = corner.run(corner.task("a.txt", (Stage.CHUNKS,)))
    assert outcome.failure.error.code == "source_unreadable"
    assert "re-materialize observation" in outcome.failure.error.remedy


def test_a_stage_whose_rows_are_not_in_the_lake_names_what_to_materialize(corner: Corner) -> None:
    (outcome,) = corner.run(corner.task("a.txt", (Stage.CHUNKS,)))
    assert "materialize" in outcome.failure.error.remedy


def test_a_refused_document_leaves_a_row_that_says_what_to_do_and_the_others_go_on(corner: Corner) -> None:
    corner.write("bad.txt", b"\x00\x01\x02")
    outcomes = corner.run(corner.task("bad.txt"), corner.task("b.txt"))
    assert [outcome.failure is None for outcome in outcomes] == [False, True]
    rows = corner.lake.dataset("refusals").to_table().to_pylist()
    assert [(row["key"], row["stage"], row["code"], row["cause"]) for row in rows] == [
        ("corner/bad.txt", "observation", "source_unreadable", "permanent")
    ]
    assert rows[0]["remedy"]


def test_a_document_that_passes_again_loses_its_refusal(corner: Corner) -> None:
    corner.write("bad.txt", b"\x00\x01\x02")
    corner.run(corner.task("bad.txt"))
    corner.write("bad.txt", "mended")
    corner.run(corner.task("bad.txt"))
    assert corner.lake.dataset("refusals").to_table().num_rows == 0


def test_a_document_that_lost_its_text_loses_its_chunks_too(corner: Corner) -> None:
    corner.run(corner.task("a.txt"))
    corner.write("a.txt", "   ")
    corner.run(corner.task("a.txt"))
    assert corner.lake.dataset("chunks").to_table().num_rows == 0
    assert corner.lake.dataset("vectors").to_table().num_rows == 0


def test_vectors_of_a_space_no_longer_asked_for_are_gone(corner: Corner) -> None:
    corner.run(corner.task("a.txt"))
    without = corner.options.model_copy(update={"embedding_spaces": ()})
    corner.run(corner.task("a.txt", options=without))
    assert corner.lake.dataset("vectors").to_table().num_rows == 0


def test_an_edited_plan_is_a_conflict(corner: Corner) -> None:
    (first,) = corner.run(corner.task("a.txt"))
    edited = plan_of(first).model_copy(update={"page_count": 1})
    (outcome,) = corner.run(corner.task("a.txt", REPLAYED, plan=edited))
    assert [m["field"] for m in outcome.failure.error.details["mismatches"]] == ["plan_id"]


def test_an_unexpected_defect_is_an_internal_error_that_shows_no_detail(corner: Corner, monkeypatch) -> None:
    def explode(*_: object) -> None:
        raise KeyError("secret")

    monkeypatch.setattr("indx_core.app.ingest.stages.cut", explode)
    (outcome,) = corner.run(corner.task("a.txt"))
    assert outcome.failure.error.message == "chunks broke off: KeyError"
    assert Stage.PAGE_READS in outcome.reports


def test_a_setting_that_changes_an_output_changes_its_data_version(corner: Corner) -> None:
    (first,) = corner.run(corner.task("a.txt"))
    with overriding({"INDX_VALIDATION_MIN_CONFIDENCE": "0.1"}):
        (second,) = corner.run(corner.task("a.txt"))
    changed = [s for s in STAGES if first.reports[s].data_version != second.reports[s].data_version]
    assert changed == list(REPLAYED)
