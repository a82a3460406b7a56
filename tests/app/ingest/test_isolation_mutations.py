"""Mutated files of every format through the real batch run; the full run is ``benchmarks/bench_mutations.py``."""

from pathlib import Path

import pytest

from benchmarks import bench_mutations
from indx_core.app.ingest.task import STAGES, DocumentOutcome, DocumentTask, StageFailure, StageReport
from indx_core.contracts.errors import InternalError, SourceUnreadable
from indx_core.contracts.ingest import IngestOptions, Stage
from indx_core.kit.lake import Lake, LakeSettings

COUNT = 150


@pytest.mark.slow
@pytest.mark.corpus
def test_every_mutated_file_is_accounted_for_and_none_is_an_unhandled_error(shared_corpus: Path) -> None:
    report = bench_mutations.run(shared_corpus, COUNT, seed=1)
    tallies = report.formats.values()
    assert [line for tally in tallies for line in tally.unaccounted] == []
    assert {what: times for tally in tallies for what, times in tally.defects.items()} == {}
    assert sum(tally.inputs for tally in tallies) == COUNT
    assert report.left == 0
    assert all(tally.read for tally in tallies), "mutations so harsh that nothing is read test nothing behind the door"


@pytest.mark.parametrize("mutation", {*bench_mutations.PLAIN, *bench_mutations.PACKED}, ids=lambda each: each.__name__)
def test_a_mutation_is_the_same_for_the_same_chance_and_changes_something(mutation: bench_mutations.Mutation) -> None:
    data = bytes(range(256)) * 20 + b"/Length 1234 "
    once = [mutation(bench_mutations.random.Random(n), data) for n in range(5)]
    assert once == [mutation(bench_mutations.random.Random(n), data) for n in range(5)]
    assert any(each != data for each in once)


@pytest.fixture
def mutations(tmp_path: Path) -> bench_mutations.Mutations:
    (tmp_path / "text").mkdir()
    (tmp_path / "text" / "a.txt").write_text("some words to be mutated")
    return bench_mutations.Mutations(tmp_path, tmp_path, 1, IngestOptions(), None)


def outcome(task: DocumentTask, error: Exception | None) -> DocumentOutcome:
    reports = {Stage.PAGE_READS: StageReport("v", {"pages_observed": 1})}
    failure = StageFailure(Stage.OBSERVATION, error) if error else None
    return DocumentOutcome(task, reports={} if error else reports, failure=failure)


@pytest.mark.parametrize("error", [None, SourceUnreadable("cut off"), InternalError("observation broke off: KeyError")])
def test_a_document_without_rows_in_the_lake_is_seen_to_be_unaccounted(
    mutations: bench_mutations.Mutations, error: Exception | None, tmp_path: Path
) -> None:
    """Else the benchmark would find nothing lost because it looked at nothing."""
    (task,) = mutations.tasks(1)
    assert (task.stages, Path(tmp_path / task.path).exists()) == (STAGES, True)
    mutations.account(outcome(task, error), Lake.open(LakeSettings(lake=str(tmp_path / "lake"))))
    tally = mutations.tallies["text"]
    assert len(tally.unaccounted) == 1
    assert list(tally.defects) == ([error.message] if isinstance(error, InternalError) else [])
    assert not Path(tmp_path / task.path).exists()
