"""Workers that do to a request what a document may do to a real one. Told by the request's own ``request_id``."""

import json
import os
import signal
import time
from pathlib import Path

from indx_core.app.http.work import Answer, Task, WorkerDeadline, work


def chaos(task: Task | None) -> Answer:
    """``hang`` never looks up; ``slow`` looks at its deadline; ``crash`` dies; ``untyped`` raises; else the service."""
    if task is None:
        return work(None)
    what, _, where = (json.loads(task.upload.document).get("request_id") or "").partition(":")
    if where:
        with Path(where).open("a", encoding="utf-8") as marks:
            marks.write(f"begun {os.getpid()}\n")
    if what == "hang":
        time.sleep(600)
    if what == "slow":
        _slow(task, where)
    if what == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if what == "untyped":
        raise RuntimeError("the detail of a defect")
    return work(task)


def _slow(task: Task, where: str) -> None:
    deadline = WorkerDeadline(task.ends, Path(task.flag))
    try:
        for _ in range(3000):
            deadline.check()
            time.sleep(0.02)
    finally:
        with Path(where).open("a", encoding="utf-8") as marks:
            marks.write("stopped\n")
