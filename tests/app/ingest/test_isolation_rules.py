"""What is done about a lost worker: plain decisions over a pool whose outcomes are scripted."""

from collections.abc import Sequence
from concurrent.futures import Future

import pytest

from indx_core.app.ingest.batch import LOST_ATTEMPTS, _settled
from indx_core.app.ingest.task import STAGES, DocumentOutcome, DocumentTask, StageFailure, StageReport
from indx_core.contracts.errors import (
    DocumentTimeout,
    IndxError,
    InternalError,
    MemoryExceeded,
    SettingsInvalid,
    SourceEncrypted,
    WorkerCrashed,
)
from indx_core.contracts.ingest import IngestOptions, Stage
from indx_core.kit.workers.pool import Outcome

TASK = DocumentTask("c/a", "c", "a", "file:///a", "1", "c/a", STAGES, IngestOptions())
READING = {"stage": "page_reads", "capability_id": "ocr", "page": 3}


class ScriptedPool:
    """Answers each submitted task with the next error, and with success once there is none left."""

    def __init__(self, errors: Sequence[IndxError]) -> None:
        self.errors = list(errors)
        self.tasks: list[DocumentTask] = []

    def submit(self, task: DocumentTask) -> Future:
        self.tasks.append(task)
        future: Future = Future()
        if self.errors:
            future.set_result(Outcome(task, None, self.errors.pop(0)))
        else:
            reports = {stage: StageReport(stage.value, {}) for stage in task.stages}
            future.set_result(Outcome(task, DocumentOutcome(task, reports=reports), None))
        return future


def settled(*errors: IndxError) -> tuple[DocumentOutcome, list[DocumentTask]]:
    """The outcome, and the tasks that were run after the first."""
    pool = ScriptedPool(errors)
    first = pool.submit(TASK).result()
    return _settled(first, pool), pool.tasks[1:]


def test_a_document_that_lost_no_worker_is_run_once() -> None:
    outcome, again = settled()
    assert (outcome.failure, again) == (None, [])


@pytest.mark.parametrize(
    "error",
    [
        WorkerCrashed("worker crashed (SIGSEGV) reading page 3 with ocr", details={**READING, "signal": "SIGSEGV"}),
        WorkerCrashed("worker crashed", details={**READING, "exit_code": 0}),
        MemoryExceeded("too much", details=READING),
        DocumentTimeout("no progress", details={**READING, "clock": "page"}),
    ],
)
def test_an_attempt_that_cost_a_worker_is_left_out_of_the_next_run_and_says_why(error: IndxError) -> None:
    outcome, (again,) = settled(error)
    assert again.poisoned == (("ocr", 3, error.message),)
    assert again.stages == STAGES
    assert outcome.failure is None
    assert outcome.task is TASK


def test_every_page_that_costs_a_worker_is_left_out_in_its_turn() -> None:
    errors = [WorkerCrashed(f"page {n}", details={**READING, "page": n}) for n in (2, 5, 9)]
    outcome, again = settled(*errors)
    assert [page for _, page, _ in again[-1].poisoned] == [2, 5, 9]
    assert outcome.failure is None


def test_a_document_whose_every_page_costs_a_worker_fails_in_the_end_and_keeps_the_stages_before() -> None:
    errors = [WorkerCrashed(f"page {n}", details={**READING, "page": n}) for n in range(1, LOST_ATTEMPTS + 2)]
    outcome, again = settled(*errors)
    assert len(again[-1].poisoned) == LOST_ATTEMPTS
    assert again[-1].stages == tuple(outcome.reports) == (Stage.OBSERVATION, Stage.PLAN)
    assert outcome.failure == StageFailure(Stage.PAGE_READS, errors[-1])
    assert outcome.failure.permanent


def test_an_attempt_that_costs_a_worker_although_it_was_left_out_is_not_left_out_twice() -> None:
    """A reader that answers out of order, or crashes on its way to another page."""
    error = WorkerCrashed("crash", details=READING)
    outcome, again = settled(error, error)
    assert [task.poisoned for task in again] == [(("ocr", 3, "crash"),)] * 2
    assert outcome.failure == StageFailure(Stage.PAGE_READS, error)


@pytest.mark.parametrize("stage", [Stage.CHUNKS, Stage.EMBEDDINGS, Stage.ANNOTATIONS])
def test_a_worker_lost_in_another_stage_costs_that_stage_which_is_never_repeated(stage: Stage) -> None:
    error = WorkerCrashed("crash", details={"stage": stage.value, "signal": "SIGSEGV"})
    outcome, (again,) = settled(error)
    assert again.stages == tuple(outcome.reports) == STAGES[: STAGES.index(stage)]
    assert outcome.failure == StageFailure(stage, error)
    assert outcome.task is TASK


@pytest.mark.parametrize("details", [{}, {"stage": "observation"}])
def test_a_worker_lost_in_the_first_stage_or_before_any_leaves_nothing_to_run(details: dict[str, object]) -> None:
    error = WorkerCrashed("crash", details=details)
    outcome, again = settled(error)
    assert (outcome.failure, again) == (StageFailure(Stage.OBSERVATION, error), [])


def test_a_document_whose_own_clock_ran_out_is_not_the_fault_of_the_page_it_was_at() -> None:
    error = DocumentTimeout("not done", details={**READING, "clock": "document"})
    outcome, (again,) = settled(error)
    assert (again.poisoned, again.stages) == ((), (Stage.OBSERVATION, Stage.PLAN))
    assert outcome.failure == StageFailure(Stage.PAGE_READS, error)


@pytest.mark.parametrize("signal", ["SIGKILL", "SIGTERM"])
def test_a_kill_from_outside_is_forgiven_once(signal: str) -> None:
    error = WorkerCrashed("killed", details={**READING, "signal": signal})
    outcome, again = settled(error)
    assert (again, outcome.failure) == ([TASK], None)


def test_a_document_under_which_the_worker_is_killed_twice_is_laid_to_its_page() -> None:
    error = WorkerCrashed("killed", details={**READING, "signal": "SIGKILL"})
    outcome, again = settled(error, error)
    assert [task.poisoned for task in again] == [(), (("ocr", 3, "killed"),)]
    assert outcome.failure is None


@pytest.mark.parametrize("error", [InternalError("a defect"), SettingsInvalid("INDX_X"), SourceEncrypted("a password")])
def test_an_error_that_cost_no_worker_is_the_documents_as_it_is(error: IndxError) -> None:
    outcome, again = settled(error)
    assert (outcome.failure, again) == (StageFailure(Stage.OBSERVATION, error), [])
