"""What the kernel says of processes it killed for want of memory. Knows Linux only; elsewhere it says nothing."""

import time
from pathlib import Path
from typing import Final

_VMSTAT: Final = Path("/proc/vmstat")

RECENT_SECONDS: Final = 1.0
"""How old a count may be that a task is started with: reading one costs 0.1-0.2 ms, and a page is read in 3 ms."""


def memory_kills() -> int:
    """Processes of this machine that the kernel has killed for want of memory so far; 0 where it does not say.

    The exit code of such a process is that of any ``kill -9``; only this counter (``oom_kill`` of ``/proc/vmstat``,
    Linux 4.13 and later, limits of control groups included) tells the two apart. It is the machine's and not the
    process's: a ``kill -9`` is mistaken for want of memory if something else was killed for it during the same task or
    in the second before it (``RecentKills``).
    """
    try:
        lines = _VMSTAT.read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("oom_kill ")), 0)


class RecentKills:
    """The count as it was when a task was handed over, or at most ``RECENT_SECONDS`` before. Used by one thread."""

    def __init__(self) -> None:
        self._count = 0
        self._read: float | None = None

    def count(self) -> int:
        """See ``memory_kills``."""
        now = time.monotonic()
        if self._read is None or now - self._read > RECENT_SECONDS:
            self._count, self._read = memory_kills(), now
        return self._count
