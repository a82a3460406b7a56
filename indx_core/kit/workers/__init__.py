"""Isolation: work runs in worker processes, and what kills one costs exactly the task it was on.

Belongs here: the ``pool``, its limits, the ``heartbeat``. Does not: what a task is. Nothing here knows of documents,
formats or the pipeline. Nothing is exported here: whoever only beats must not pay for importing the pool.
"""
