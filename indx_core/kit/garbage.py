"""When Python looks for reference cycles, in processes that are ours: the command line and the workers.

A program that imports indx keeps its own settings: nothing else calls this. What is frozen, and when, is decided where
a process knows that what it holds stays.
"""

import gc

_ALLOCATIONS = 50_000
"""Between two looks. A document's rows and lines are many objects and hardly a cycle: at Python's 700, looking took
4 % of the CPU of the chain over 1,319 PDF pages (2.30 times bare PDFium; 2.24 at 20,000, 2.22 at 50,000 or never)."""


def collect_seldom() -> None:
    """Look for cycles so seldom that it costs nothing, and often enough that they stay few."""
    gc.set_threshold(_ALLOCATIONS)
