"""Failures sorted for Dagster by one question: would a rerun change it?

The only place where a typed error becomes a Dagster failure. Permanent ones are refusals: recorded, never retried.
Transient ones fail their document and may be retried. Deployment faults fail the run at once.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import dagster as dg

from indx_core.app.ingest.task import DocumentOutcome
from indx_core.contracts.errors import Cause, IndxError

SHOWN = 20
"""Failed documents listed in a run's failure; the rest is counted. The refusals view has them all."""


@contextmanager
def faults_of_the_deployment() -> Iterator[None]:
    """Around a step: a typed error that reaches it is no document's, since those come back as outcomes.

    Raises:
        dagster.Failure: In the place of the typed error, with its remedy and without retries.
    """
    try:
        yield
    except IndxError as error:
        raise deployment_failure(error) from error


def deployment_failure(error: IndxError) -> dg.Failure:
    """A fault of the installation: no retry of Dagster's three mechanisms would change it."""
    return dg.Failure(description=f"{error.message} → {error.remedy}", allow_retries=False)


def batch_failure(failed: Sequence[DocumentOutcome], total: int) -> dg.Failure:
    """The end of a batch in which some documents could not be processed; the others are committed and stand.

    Args:
        failed: Outcomes that carry a failure.
        total: Documents of the batch.
    """
    done = "; the others are done" if len(failed) < total else ""
    return dg.Failure(
        description=f"{len(failed)} of {total} documents could not be processed{done}",
        metadata={"failed": failure_table(failed)},
        allow_retries=False,
    )


def failure_table(failed: Sequence[DocumentOutcome]) -> dg.TableMetadataValue:
    """Documents with stage, code, cause and message, the first few."""
    records = [
        dg.TableRecord(
            {
                "document": outcome.task.key,
                "stage": outcome.failure.stage.value,
                "code": outcome.failure.error.code or outcome.failure.error.type,
                "cause": outcome.failure.error.cause.value,
                "message": outcome.failure.error.message,
                "remedy": outcome.failure.error.remedy,
            }
        )
        for outcome in failed[:SHOWN]
        if outcome.failure is not None
    ]
    names = ("document", "stage", "code", "cause", "message", "remedy")
    return dg.MetadataValue.table(records, dg.TableSchema([dg.TableColumn(name) for name in names]))


def is_deployment_fault(outcome: DocumentOutcome) -> bool:
    """Whether this failure would meet every other document too."""
    return outcome.failure is not None and outcome.failure.error.cause is Cause.DEPLOYMENT
