"""A batch of documents through worker processes into the lake: outcomes in the order of the tasks, committed first.

Memory does not grow with the batch: tasks are pulled as workers free up, rows are committed as they arrive. A document
that kills its worker costs itself only. Interrupted, what was committed stands and the next run takes up the rest.
"""

from collections.abc import Generator, Iterable
from contextlib import closing

from indx_core.app.ingest.commit import committer
from indx_core.app.ingest.task import DocumentOutcome, DocumentTask, StageFailure
from indx_core.app.ingest.worker import work
from indx_core.contracts.errors import IndxError
from indx_core.contracts.ingest import Grain
from indx_core.kit.lake import Lake
from indx_core.kit.settings import environment
from indx_core.kit.workers import Outcome, WorkerPool, WorkerSettings


def run_tasks(tasks: Iterable[DocumentTask], lake: Lake, grain: Grain) -> Generator[DocumentOutcome, None, None]:
    """Run tasks and commit their rows.

    Args:
        tasks: Pulled lazily.
        lake: Where rows go; workers open the same one from their settings.
        grain: How rows are laid out. At shard grain rows are in the lake once the iterator is exhausted or closed.

    Yields:
        One outcome per task, in order, its rows already handed to the lake.

    Raises:
        IndxError: A deployment fault: the workers cannot start at all.
    """
    settings = WorkerSettings.load()
    pool = WorkerPool(
        work,
        environment=environment(),
        workers=settings.workers,
        task_seconds=settings.document_timeout_seconds,
        memory_bytes=settings.worker_memory_bytes,
    )
    with pool, closing(committer(lake, grain)) as sink:
        for result in pool.map_in_order(tasks):
            outcome = _outcome(result)
            sink.commit(outcome)
            outcome.objects.clear()
            yield outcome


def _outcome(result: Outcome[DocumentTask, DocumentOutcome]) -> DocumentOutcome:
    if result.value is not None:
        return result.value
    return DocumentOutcome(result.task, failure=_lost_worker(result.task, result.error))


def _lost_worker(task: DocumentTask, error: IndxError | None) -> StageFailure:
    """The stage a worker died in is not known for certain; the first one asked for is where the document stands."""
    assert error is not None, "a pool's outcome has a value or an error"
    return StageFailure(task.stages[0], error)
