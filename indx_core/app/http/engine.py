"""Requests to worker processes and answers back, on behalf of an event loop that never waits for either.

Belongs here: admission, the deadline as the caller sees it, and giving a worker back when nobody waits for it. Does
not: HTTP, and what a worker does (``work``).
"""

import asyncio
import math
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from indx_core.app.http.failures import Busy
from indx_core.app.http.parts import Operation, Upload, caller_request_id
from indx_core.app.http.settings import HttpSettings
from indx_core.app.http.work import Answer, Task, failed, prepare, work
from indx_core.app.service import Service
from indx_core.contracts.capability import CapabilitySnapshot
from indx_core.contracts.errors import ClientDisconnected, IndxError, InternalError, RequestTimeout, SettingsInvalid
from indx_core.kit.settings import environment, overriding
from indx_core.kit.workers.pool import Outcome, WorkerPool
from indx_core.kit.workers.settings import WorkerSettings

GRACE_SECONDS: Final = 2.0
"""Between the moment nobody waits for a task and the end of its worker: a check comes after a page in most cases, and a
worker that goes on living spares the next request a start (about 1 s with what it imports)."""

LONGEST_RETRY_SECONDS: Final = 60

Disconnected = Callable[[], Coroutine[Any, Any, None]]
_Future = Future[Outcome[Task | None, Answer]]


class Ticket:
    """Whether somebody still waits for one task. Its file tells the worker, its clock the pool."""

    def __init__(self, flag: Path) -> None:
        self.flag = flag
        self._given_up: float | None = None

    def give_up(self) -> None:
        """Nobody does. The worker stops at its next check."""
        self._given_up = time.monotonic()
        self.flag.touch()

    def overdue(self) -> bool:
        """Whether the worker had its time to notice: the pool kills it then."""
        return self._given_up is not None and time.monotonic() - self._given_up > GRACE_SECONDS

    def close(self) -> None:
        """The task is over."""
        self.flag.unlink(missing_ok=True)


class Engine:
    """The workers of a service. Made before the event loop, closed after it; in between used on the loop alone.

    Args:
        settings: Limits of the transport.
        task_work: What a worker does with a task; another one in tests.
        initializer: What a worker does first; another one in tests.
    """

    def __init__(
        self,
        settings: HttpSettings,
        *,
        task_work: Callable[[Task | None], Answer] = work,
        initializer: Callable[[Mapping[str, str]], None] = prepare,
    ) -> None:
        self.settings = settings
        self.workers = WorkerSettings.load().workers
        if not self.workers:
            raise SettingsInvalid("INDX_WORKERS: the HTTP service needs at least 1 worker process")
        self._environment = environment()  # what the workers are started with; the inventory is taken under the same
        self._service = Service()
        self._pool: WorkerPool[Task | None, Answer] = WorkerPool.configured(task_work, initializer=initializer)
        self._folder = tempfile.TemporaryDirectory(prefix="indx-serve-")
        self._numbers = count()
        self._admitted = 0
        self._mean_seconds = 1.0

    def __enter__(self) -> Self:
        """Start every worker and wait until it is up.

        Raises:
            IndxError: A deployment fault: the workers cannot start.
        """
        try:
            for started in [self._pool.submit(None) for _ in range(self.workers)]:
                started.result()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the workers, whatever they are doing."""
        self._pool.close()
        self._folder.cleanup()

    @property
    def admitted(self) -> int:
        """Requests at work or waiting for a worker."""
        return self._admitted

    async def capabilities(self, snapshot_id: str | None) -> CapabilitySnapshot:
        """The inventory; taking it reads files and imports code, so it is taken on a thread.

        Raises:
            SnapshotNotFound: No snapshot of that id was advertised by this process.
        """
        return await asyncio.to_thread(self._capabilities, snapshot_id)

    def _capabilities(self, snapshot_id: str | None) -> CapabilitySnapshot:
        with overriding(self._environment):
            return self._service.capabilities(snapshot_id)

    def check_room(self) -> None:
        """Refuse now what would be refused after its body had arrived.

        Raises:
            Busy: The queue is full.
        """
        if self._admitted >= self.workers + self.settings.http_queue:
            rounds = self._admitted / self.workers
            retry = min(LONGEST_RETRY_SECONDS, max(1, math.ceil(rounds * self._mean_seconds)))
            raise Busy(f"{self._admitted} requests are at work or waiting, and no more may", retry)

    async def run(
        self, operation: Operation, upload: Upload, correlation_id: str, disconnected: Disconnected
    ) -> Answer:
        """Have a worker answer a request.

        Args:
            operation: What is asked.
            upload: The body.
            correlation_id: For the worker's log lines.
            disconnected: Returns when the caller has hung up.

        Returns:
            The worker's answer, or that of a deadline passed or a worker lost.

        Raises:
            Busy: The queue is full.
        """
        self.check_room()
        started = time.monotonic()
        seconds = self.settings.request_timeout_seconds or None
        ticket = Ticket(Path(self._folder.name) / str(next(self._numbers)))
        task = Task(operation, upload, correlation_id, started + seconds if seconds else None, str(ticket.flag))
        with self._watching(disconnected) as gone:
            future = self._submit(task, ticket, started)
            answered = asyncio.wrap_future(future)
            either: set[asyncio.Future[Any]] = {answered, gone}
            await asyncio.wait(either, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            error: IndxError
            if answered.done():
                value, error = _settled(answered)
                if value is not None:
                    return value
            else:
                ticket.give_up()
                future.cancel()
                answered.add_done_callback(lambda late: late.cancelled() or late.exception())
                error = _hung_up() if gone.done() else _too_late(seconds)
        return failed(error, await asyncio.to_thread(caller_request_id, upload))

    def _submit(self, task: Task, ticket: Ticket, started: float) -> _Future:
        loop = asyncio.get_running_loop()
        self._admitted += 1

        def over() -> None:
            self._admitted -= 1
            self._mean_seconds += 0.1 * (time.monotonic() - started - self._mean_seconds)
            ticket.close()

        future = self._pool.submit(task, ticket.overdue)
        # A worker may end after the loop, when the service is being stopped.
        future.add_done_callback(lambda _: None if loop.is_closed() else loop.call_soon_threadsafe(over))
        return future

    @staticmethod
    @contextmanager
    def _watching(disconnected: Disconnected) -> Iterator["asyncio.Future[None]"]:
        watcher = asyncio.ensure_future(disconnected())
        try:
            yield watcher
        finally:
            watcher.cancel()


def _settled(answered: "asyncio.Future[Outcome[Task | None, Answer]]") -> tuple[Answer | None, IndxError]:
    """The worker's answer, else why there is none."""
    try:
        outcome = answered.result()
    except IndxError as error:  # the worker could not start
        return None, error
    except asyncio.CancelledError:  # the service is being stopped
        return None, _hung_up()
    return outcome.value, outcome.error or InternalError("an unexpected error; the log has it")


def _hung_up() -> ClientDisconnected:
    return ClientDisconnected("the caller disconnected before the work finished")


def _too_late(seconds: float | None) -> RequestTimeout:
    return RequestTimeout(f"the request was not done after the {seconds:g} s of INDX_REQUEST_TIMEOUT_SECONDS")
