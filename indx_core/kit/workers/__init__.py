"""Isolation: work runs in worker processes, and what kills one costs exactly the task it was on.

Belongs here: the pool, its limits, the heartbeat. Does not: what a task is. Nothing here knows of documents, formats
or the pipeline.
"""

from indx_core.kit.workers.heartbeat import beat, enter
from indx_core.kit.workers.pool import Outcome, WorkerPool
from indx_core.kit.workers.settings import WorkerSettings

__all__ = ["Outcome", "WorkerPool", "WorkerSettings", "beat", "enter"]
