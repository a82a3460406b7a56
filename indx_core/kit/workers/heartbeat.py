"""Signs of progress from inside a worker, read by its parent: which task, which page, and when.

Belongs here: the shared cells and the two sides of them. Does not: what silence costs, which is in ``limits``.
"""

import time
from collections.abc import MutableSequence
from multiprocessing.context import SpawnContext
from typing import Final, Self

_TASK, _PAGE, _BEAT = range(3)
_NO_PAGE: Final = 0.0


class Pulse:
    """Three numbers in memory that a worker writes and its parent reads, without a lock or a message.

    Each is one aligned double, written by one process in one store, so a reader sees the old value or the new one.
    A pipe in this place would fill up and block the worker under a parent that is busy. Times are those of
    ``time.monotonic``, one clock for all processes of a machine.
    """

    def __init__(self, cells: MutableSequence[float]) -> None:
        self._cells = cells

    @classmethod
    def shared(cls, context: SpawnContext) -> Self:
        """A pulse that can be handed to a process of this context while that process is started."""
        return cls(context.RawArray("d", 3))

    def begin(self, task: int) -> None:
        """Say that task number ``task`` is being worked on; numbers start at 1."""
        self.beat(None)
        self._cells[_TASK] = float(task)

    def beat(self, page: int | None) -> None:
        """Say that the task makes progress, at ``page`` where it has pages."""
        self._cells[_PAGE] = _NO_PAGE if page is None else float(page)
        self._cells[_BEAT] = time.monotonic()

    @property
    def task(self) -> int:
        """Number of the task last begun, 0 before the first."""
        return int(self._cells[_TASK])

    @property
    def page(self) -> int | None:
        """Page the task was last at."""
        return int(self._cells[_PAGE]) or None

    @property
    def last(self) -> float:
        """Monotonic time of the last sign."""
        return self._cells[_BEAT]


_pulse: Pulse | None = None


def attach(pulse: Pulse) -> None:
    """Make this the pulse of the process. Called once, where a worker starts."""
    global _pulse  # noqa: PLW0603 - one worker process, one pulse
    _pulse = pulse


def beat(page: int | None = None) -> None:
    """Tell the parent that work goes on; does nothing outside a worker.

    Call it where a page begins (``page`` is its 1-based number) and at any other step that ends by itself, such as a
    batch of embeddings: a worker silent for ``INDX_PAGE_TIMEOUT_SECONDS`` is killed, and the error of its document
    carries the page it was at in ``details["page"]``. Costs well under a microsecond.
    """
    if _pulse is not None:
        _pulse.beat(page)
