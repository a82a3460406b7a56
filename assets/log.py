"""A log line for every document of a run, where ``INDX_LOG`` asks for lines: the same facts as its events, greppable.

Does not: what a line looks like (``kit/logs``), and the lines of worker processes, which name the same run and key.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import dagster as dg

from indx_core.app.ingest.charged import charged
from indx_core.app.ingest.task import DocumentOutcome
from indx_core.contracts.ingest import Stage
from indx_core.kit.logs import LogSettings, correlated, log_where_asked
from indx_core.kit.settings import overriding

_log = logging.getLogger("indx.run")
# Without a handler, Python writes the bare words of what was refused to stderr, into progress bars.
_log.addHandler(logging.NullHandler())


@contextmanager
def run_log(run: dg.DagsterRun) -> Iterator[None]:
    """Lines inside belong to this run; so do those of the workers that are started inside."""
    if LogSettings.load().log == "none":
        yield
        return
    log_where_asked()
    with correlated(run_id=run.run_id), overriding({LogSettings.variable("log_run_id"): run.run_id}):
        yield


def log_outcome(outcome: DocumentOutcome) -> None:
    """One line: which document, what became of it, at what cost."""
    task, failure = outcome.task, outcome.failure
    reads = outcome.reports.get(Stage.PAGE_READS)
    usd, known = charged(outcome)
    facts = {
        "corpus": task.corpus,
        "key": task.key,
        "stages": [stage.value for stage in outcome.reports],
        "pages": reads.facts["pages"] if reads is not None else None,
        "cost_usd": usd if known else None,
        "cpu_ms": outcome.cpu_ms,
        "failed_stage": failure.stage.value if failure else None,
        "code": (failure.error.code or failure.error.type) if failure else None,
        "cause": failure.error.cause.value if failure else None,
        "reason": failure.error.message if failure else None,
    }
    _log.log(logging.WARNING if failure else logging.INFO, "document", extra={"facts": facts})
