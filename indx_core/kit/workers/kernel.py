"""What the kernel says of processes it killed for want of memory. Knows Linux only; elsewhere it says nothing."""

from pathlib import Path
from typing import Final

_VMSTAT: Final = Path("/proc/vmstat")


def memory_kills() -> int:
    """Processes of this machine that the kernel has killed for want of memory so far; 0 where it does not say.

    The exit code of such a process is that of any ``kill -9``; only this counter (``oom_kill`` of ``/proc/vmstat``,
    Linux 4.13 and later, limits of control groups included) tells the two apart. It is the machine's and not the
    process's: a ``kill -9`` is mistaken for want of memory if something else was killed for it during the same task.
    """
    try:
        lines = _VMSTAT.read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("oom_kill ")), 0)
