"""A batch of documents through worker processes into the lake: outcomes in the order of the tasks, committed first.

Memory does not grow with the batch: tasks are pulled as workers free up, rows are committed as they arrive. What kills
a worker costs its page or its document and nothing else. Interrupted, what was committed stands and the next run takes
up the rest. Does not know how a worker is watched (``kit/workers``).
"""

from collections.abc import Generator, Iterable
from contextlib import closing
from dataclasses import replace
from typing import Final

from indx_core.app.ingest.commit import committer
from indx_core.app.ingest.task import DocumentOutcome, DocumentTask, StageFailure
from indx_core.app.ingest.worker import work
from indx_core.contracts.errors import DocumentTimeout, IndxError, WorkerFailure
from indx_core.contracts.ingest import Grain, Stage
from indx_core.kit.lake import Lake
from indx_core.kit.workers.pool import Outcome, WorkerPool

LOST_ATTEMPTS: Final = 8
"""Attempts of one document that may cost a worker before the document fails. Each costs a start (0.2 s), and one that
hangs INDX_PAGE_TIMEOUT_SECONDS; a document in which every page hangs must not keep a worker for days."""

OUTSIDE_SIGNALS: Final = ("SIGKILL", "SIGTERM")
"""Signals that no fault of a process raises: somebody sent them."""

_Pool = WorkerPool[DocumentTask, DocumentOutcome]


def run_tasks(tasks: Iterable[DocumentTask], lake: Lake, grain: Grain) -> Generator[DocumentOutcome, None, None]:
    """Run tasks and commit their rows.

    A document that lost its worker is run again without what cost it:

    - while a page was read, without that attempt: it counts as failed with the reason, the ladder descends, and every
      other page is as if nothing had been. At most ``LOST_ATTEMPTS`` times per document.
    - anywhere else, or when its own wall clock ran out, up to the stage that was lost, which is its failure.
    - by a signal from outside, once as it was: nothing says that the document did it. The second time it is laid to the
      document. (Kills by the kernel for want of memory are told apart before, see ``kit/workers/kernel``.)

    Args:
        tasks: Pulled lazily.
        lake: Where rows go; workers open the same one from their settings.
        grain: How rows are laid out. At shard grain rows are in the lake once the iterator is exhausted or closed.

    Yields:
        One outcome per task, in order, its rows already handed to the lake.

    Raises:
        IndxError: A deployment fault: the workers cannot start at all.
    """
    with closing(committer(lake, grain)) as sink, closing(rehearse(tasks)) as outcomes:
        for outcome in outcomes:
            sink.commit(outcome)
            outcome.objects.clear()
            yield outcome


def rehearse(tasks: Iterable[DocumentTask]) -> Generator[DocumentOutcome, None, None]:
    """The same, committing nothing: what would become of the documents, and what their plans would be.

    Yields and raises as ``run_tasks`` does.
    """
    pool: _Pool = WorkerPool.configured(work)
    with pool:
        for result in pool.map_in_order(tasks):
            yield _settled(result, pool)


def _settled(result: Outcome[DocumentTask, DocumentOutcome], pool: _Pool) -> DocumentOutcome:
    """What became of a document in the end."""
    given, failure, excused = result.task, None, False
    while result.value is None:
        assert result.error is not None, "a pool's outcome has a value or an error"
        task, error = result.task, result.error
        if not excused and error.details.get("signal") in OUTSIDE_SIGNALS:
            excused = True
        elif attempt := _lost_attempt(task, error):
            task = replace(task, poisoned=(*task.poisoned, attempt))
        else:
            failure = _failure(task, error)
            task = replace(task, stages=_standing(task, failure))
            if not task.stages:
                return DocumentOutcome(given, failure=failure)
        result = pool.submit(task).result()
    outcome = result.value
    outcome.task, outcome.failure = given, outcome.failure or failure
    return outcome


def _lost_attempt(task: DocumentTask, error: IndxError) -> tuple[str, int, str] | None:
    """The attempt to leave out; ``None`` where the worker was lost elsewhere, or the document had its share.

    A document whose own clock ran out is not the fault of the page it happened to be at.
    """
    capability_id, page = error.details.get("capability_id"), error.details.get("page")
    overdue = isinstance(error, DocumentTimeout) and error.details.get("clock") == "document"
    if capability_id is None or page is None or overdue or len(task.poisoned) >= LOST_ATTEMPTS:
        return None
    if (capability_id, page) in {(known, number) for known, number, _ in task.poisoned}:
        return None
    return capability_id, page, error.message


def _failure(task: DocumentTask, error: IndxError) -> StageFailure:
    """The stage a worker was lost in; the first one asked for where it had entered none."""
    stage = error.details.get("stage")
    return StageFailure(Stage(stage) if stage else task.stages[0], error)


def _standing(task: DocumentTask, failure: StageFailure) -> tuple[Stage, ...]:
    """The stages before the one that cost a worker: their rows went with it. None where no worker was lost."""
    return task.stages[: task.stages.index(failure.stage)] if isinstance(failure.error, WorkerFailure) else ()
