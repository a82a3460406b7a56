"""A cooperative deadline: checked between attempts, never inside one.

A request that passes it stops with a typed error; it never falls back to another route because of it. The hard limits
of a corpus run (wall clock, memory) are the worker pool's, since native code does not cooperate.
"""

import time
from collections.abc import Callable

from indx_core.contracts.errors import ClientDisconnected, RequestTimeout


class Deadline:
    """Seconds from now, or none; can also be tripped from another thread when the caller hangs up."""

    def __init__(
        self,
        seconds: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        on_check: Callable[[], object] = lambda: None,
    ) -> None:
        """Start counting.

        Args:
            seconds: Wall clock from now; ``None`` or 0 for none.
            clock: For tests.
            on_check: Called at every check: work that checks is work that goes on, which a worker's parent wants to
                know.
        """
        self._clock = clock
        self._on_check = on_check
        self._ends = clock() + seconds if seconds else None
        self._disconnected = False

    def disconnect(self) -> None:
        """The caller is gone: the next check stops the work."""
        self._disconnected = True

    def check(self) -> None:
        """Stop here if time is up.

        Raises:
            ClientDisconnected: The caller hung up.
            RequestTimeout: The seconds are over.
        """
        self._on_check()
        if self._disconnected:
            raise ClientDisconnected("the caller disconnected before the work finished")
        if self._ends is not None and self._clock() >= self._ends:
            raise RequestTimeout("the deadline passed before the work finished")
