"""What runs inside a worker process: one workshop per process, one document at a time.

Everything expensive (registry, models, the lake's client) is built here on the first document and kept; nothing but the
task came in and nothing but the outcome goes out.
"""

from functools import lru_cache

from indx_core.app.ingest.chain import run_document
from indx_core.app.ingest.state import Workshop
from indx_core.app.ingest.task import DocumentOutcome, DocumentTask
from indx_core.app.installation import Installation
from indx_core.kit.lake import Lake, encode_table
from indx_core.kit.logs import LogSettings, correlated, log_where_asked
from indx_core.kit.settings import environment
from indx_core.kit.workers.heartbeat import beat


def work(task: DocumentTask) -> DocumentOutcome:
    """Take one document through its stages."""
    variables = tuple(sorted(environment().items()))
    with correlated(run_id=_logged_run(variables), corpus=task.corpus, key=task.key):
        return run_document(task, _workshop(variables))


@lru_cache(maxsize=1)
def _logged_run(_settings: tuple[tuple[str, str], ...]) -> str:
    """The run of these workers, for their log lines; starts the log of a process where one is asked for."""
    log_where_asked()
    return LogSettings.load().log_run_id or ""


@lru_cache(maxsize=1)
def _workshop(_settings: tuple[tuple[str, str], ...]) -> Workshop:
    """One per settings: those of a worker never change, those of a run without workers may from run to run."""
    return Workshop(
        Installation.current(), Lake.open(), encode_table, lambda capability, page: beat(page, capability), alive=beat
    )
