"""One document through the stages asked for, in one process: its bytes are read once and stay here.

The first stage that cannot be done stops the chain; what stands before it is kept. Commits nothing: it returns rows.
"""

import logging
import time

from indx_core.app.ingest import rows
from indx_core.app.ingest.stages import RUN
from indx_core.app.ingest.state import DocumentState, Workshop
from indx_core.app.ingest.task import DocumentOutcome, DocumentTask, StageFailure
from indx_core.contracts import tables as t
from indx_core.contracts.errors import IndxError, InternalError
from indx_core.contracts.ingest import Stage
from indx_core.kit.workers.heartbeat import enter

_log = logging.getLogger(__name__)


def run_document(task: DocumentTask, workshop: Workshop) -> DocumentOutcome:
    """Take one document through the stages of its task.

    What stopped it is ``outcome.failure``. A defect of our own is an ``InternalError`` there, named by its exception
    class; its traceback is logged.

    Raises:
        MemoryError: For whoever isolates documents to judge: it may be the fault of an earlier one.
    """
    outcome = DocumentOutcome(task)
    wall, cpu = time.perf_counter(), time.process_time()
    with DocumentState(task, workshop) as state:
        for stage in RUN:
            if stage not in task.stages:
                continue
            outcome.failure = _run(stage, state, outcome)
            if outcome.failure is not None:
                break
        outcome.cpu_ms = round((time.process_time() - cpu) * 1000)
        if Stage.PAGE_READS in outcome.reports:
            usage = rows.usage_table(state, round((time.perf_counter() - wall) * 1000), outcome.cpu_ms)
            outcome.objects[t.USAGE.name] = workshop.encode(usage)
    return outcome


def _run(stage: Stage, state: DocumentState, outcome: DocumentOutcome) -> StageFailure | None:
    enter(stage.value)
    try:
        tables, report = RUN[stage](state)
    except MemoryError:
        raise
    except IndxError as error:
        return StageFailure(stage, error)
    except Exception as error:  # noqa: BLE001 - one document never takes the batch down
        _log.exception("%s of %s broke off", stage.value, state.task.key)
        return StageFailure(stage, InternalError(f"{stage.value} broke off: {type(error).__name__}"))
    outcome.reports[stage] = report
    for name, table in tables.items():
        outcome.objects[name] = None if table is None else state.workshop.encode(table)
    return None
