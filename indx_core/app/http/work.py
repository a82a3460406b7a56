"""What a worker process does with one request: validate, run the operation, and write the answer's JSON.

All that costs time is here and none of it on the event loop, validation of a large body and writing of a large result
included. Belongs here: the task, its answer, and the deadline as a worker sees it. Does not: waiting and limits
(``engine``).
"""

import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from indx_core.app.http.failures import envelope_json
from indx_core.app.http.parts import Operation, Upload, caller_request_id, parse
from indx_core.app.installation import Installation
from indx_core.app.service import Service
from indx_core.contracts.encode import EmbedRequest, EmbedResult, EncodeRequest, EncodeResult
from indx_core.contracts.errors import IndxError, InternalError
from indx_core.contracts.plan import PlanRequest, PlanResult
from indx_core.kit.deadline import Deadline
from indx_core.kit.logs import correlated, log_as_json
from indx_core.kit.workers.heartbeat import beat

log = logging.getLogger("indx.http")


@dataclass(frozen=True, slots=True)
class Task:
    """One request on its way to a worker.

    Attributes:
        correlation_id: ``X-Request-ID``, for log lines.
        ends: Monotonic time of the deadline, one clock for all processes of a machine; ``None`` for none.
        flag: A file that appears when nobody waits for the answer any longer.
    """

    operation: Operation
    upload: Upload
    correlation_id: str
    ends: float | None
    flag: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What goes back over the wire.

    Attributes:
        status: HTTP status.
        body: JSON.
        code: Of the failure; ``None`` when it is none. For the log line.
    """

    status: int
    body: bytes
    code: str | None = None


class WorkerDeadline(Deadline):
    """A deadline whose other end is in the server: a file says that the caller is gone. Each check is a heartbeat."""

    def __init__(self, ends: float | None, flag: Path) -> None:
        """Args: ``ends`` in monotonic time, ``flag`` the file to look for."""
        # 0 would mean no deadline at all; a request may well have waited for a worker until its time was over.
        super().__init__(None if ends is None else max(ends - time.monotonic(), 1e-9))
        self._flag = flag

    def check(self) -> None:
        beat()
        if self._flag.exists():
            self.disconnect()
        super().check()


def prepare(_environment: Mapping[str, str]) -> None:
    """Make a new worker ready: its log, and the inventory, so that the first request does not wait for it."""
    log_as_json()
    service()


@lru_cache(maxsize=1)
def service() -> Service:
    """The operations on the installation as this process found it; a worker's settings never change."""
    return Service(Installation.current())


def work(task: Task | None) -> Answer:
    """Answer a request; every failure is an answer. ``None`` asks only whether the worker is up."""
    if task is None:
        return Answer(200, b"")
    with correlated(x_request_id=task.correlation_id):
        try:
            request = parse(task.operation, task.upload)
        except IndxError as error:
            return failed(error, caller_request_id(task.upload))
        try:
            result = _run(request, WorkerDeadline(task.ends, Path(task.flag)))
            return Answer(200, result.model_dump_json().encode())
        except IndxError as error:
            return failed(error, request.request_id)
        except MemoryError:
            raise  # the pool's: it replaces the worker
        except Exception:
            log.exception("a request failed with an untyped exception")
            return failed(InternalError("an unexpected error; the log has it"), request.request_id)


def failed(error: IndxError, request_id: str | None) -> Answer:
    """The answer that a typed error is."""
    return Answer(error.http_status, envelope_json(error, request_id), error.code or error.type)


def _run(request: PlanRequest | EmbedRequest, deadline: Deadline) -> PlanResult | EncodeResult | EmbedResult:
    deadline.check()
    if isinstance(request, EmbedRequest):
        return service().embed(request, deadline)
    if isinstance(request, EncodeRequest):
        return service().encode(request, deadline)
    return service().plan(request, deadline)
