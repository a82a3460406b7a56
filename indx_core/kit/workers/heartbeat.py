"""Signs of progress from inside a worker, read by its parent: which task, where in it, and when.

Belongs here: the shared cells and the two sides of them. Does not: what silence costs, which is in ``limits``.
"""

import ctypes
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Self

if TYPE_CHECKING:
    from multiprocessing.context import SpawnContext

_NAME_BYTES: Final = 128
_NO_PAGE: Final = 0


class Cells(ctypes.Structure):
    """The memory a worker and its parent share. Zeros mean: nothing begun, nowhere."""

    _fields_ = (
        ("begun", ctypes.c_uint64),
        ("page", ctypes.c_uint64),
        ("beat", ctypes.c_double),
        ("stage", ctypes.c_char * _NAME_BYTES),
        ("capability_id", ctypes.c_char * _NAME_BYTES),
    )


@dataclass(frozen=True, slots=True)
class Position:
    """Where a task is.

    Attributes:
        stage: Step of the task that was entered last.
        capability_id: Who is at work on the page.
        page: Page that was begun last, 1-based.
    """

    stage: str = ""
    capability_id: str = ""
    page: int | None = None

    def details(self) -> dict[str, Any]:
        """What is known of it, under the names of the attributes."""
        named = {"stage": self.stage, "capability_id": self.capability_id, "page": self.page}
        return {name: value for name, value in named.items() if value}

    def phrase(self) -> str:
        """The same as the end of a sentence, such as `` reading page 3 with generic-ocr``."""
        if self.page is None:
            return f" in {self.stage}" if self.stage else ""
        return f" reading page {self.page}" + (f" with {self.capability_id}" if self.capability_id else "")


class Pulse:
    """Shared memory that a worker writes and its parent reads, without a lock or a message.

    A pipe in this place would fill up and block the worker under a parent that is busy. Numbers are aligned words, so
    a reader sees the old value or the new one; names are not, so the parent reads the position of a dead worker only,
    and a worker clears the page before it changes the name: dying in between leaves no attempt, never a wrong one.
    Times are those of ``time.monotonic``, one clock for all processes of a machine.
    """

    def __init__(self, cells: Cells) -> None:
        self._cells = cells

    @classmethod
    def shared(cls, context: "SpawnContext") -> Self:
        """A pulse that can be handed to a process of this context while that process is started."""
        return cls(context.RawValue(Cells))

    def begin(self) -> None:
        """Say that one more task is being worked on."""
        self.enter("")
        self._cells.begun += 1

    def enter(self, stage: str) -> None:
        """Say that the task is in this step now, at no page yet."""
        self._cells.page = _NO_PAGE
        self._cells.capability_id = b""
        self._cells.stage = _fitting(stage)
        self._cells.beat = time.monotonic()

    def beat(self, page: int | None = None, capability_id: str | None = None) -> None:
        """Say that the task makes progress; what is left out stays as it was."""
        if capability_id is not None and (name := _fitting(capability_id)) != self._cells.capability_id:
            self._cells.page = _NO_PAGE
            self._cells.capability_id = name
        if page is not None:
            self._cells.page = page
        self._cells.beat = time.monotonic()

    @property
    def begun(self) -> int:
        """How many tasks were begun."""
        return int(self._cells.begun)

    @property
    def last(self) -> float:
        """Monotonic time of the last sign."""
        return float(self._cells.beat)

    @property
    def position(self) -> Position:
        """Where the task is; reliable once the worker is dead, or read by the worker itself."""
        cells = self._cells
        return Position(
            cells.stage.decode(errors="ignore"), cells.capability_id.decode(errors="ignore"), int(cells.page) or None
        )


_pulse: Pulse | None = None


def attach(pulse: Pulse) -> None:
    """Make this the pulse of the process. Called once, where a worker starts."""
    global _pulse  # noqa: PLW0603 - one worker process, one pulse
    _pulse = pulse


def beat(page: int | None = None, capability_id: str | None = None) -> None:
    """Tell the parent that work goes on; does nothing outside a worker.

    Call it where a page begins (``page`` is its 1-based number, ``capability_id`` who reads it) and, without
    arguments, at any other step that ends by itself, such as a batch of embeddings: a worker silent for
    ``INDX_PAGE_TIMEOUT_SECONDS`` is killed, and the error of its document carries where it was. Costs about a
    microsecond.
    """
    if _pulse is not None:
        _pulse.beat(page, capability_id)


def enter(stage: str) -> None:
    """Tell the parent which step of the task begins; does nothing outside a worker."""
    if _pulse is not None:
        _pulse.enter(stage)


def _fitting(name: str) -> bytes:
    return name.encode()[: _NAME_BYTES - 1]
