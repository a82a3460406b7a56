"""Settings of the worker pool: how many processes, and what ends one. None of them changes an output."""

import os
from typing import ClassVar

from pydantic import Field

from indx_core.kit.settings import IndxSettings


def usable_cores() -> int:
    """Cores this process may run on, which in a container or under ``taskset`` are fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class WorkerSettings(IndxSettings):
    """Worker processes and their limits. A limit of 0 is no limit."""

    stages: ClassVar[tuple[str, ...]] = ()

    workers: int = Field(
        default_factory=usable_cores,
        ge=0,
        description="Worker processes of a run; the default is one per usable core. 0 runs everything in the calling"
        " process, for debugging: without isolation, timeouts and memory limit.",
    )
    worker_threads: int = Field(
        default=1,
        ge=1,
        description="Threads that numeric libraries (OpenMP, BLAS, ONNX Runtime) may use inside one worker.",
    )
    worker_memory_bytes: int = Field(
        default=2 * 1024**3,
        ge=0,
        description="Resident memory at which a worker is killed and its document fails with memory_exceeded.",
    )
    worker_max_documents: int = Field(
        default=0,
        ge=0,
        description="Documents after which a worker is replaced by a fresh one, for engines that leak.",
    )
    document_timeout_seconds: float = Field(
        default=3600,
        ge=0,
        description="Wall clock of one document, all its stages; beyond it the worker is killed and the document"
        " fails with document_timeout.",
    )
    page_timeout_seconds: float = Field(
        default=180,
        ge=0,
        description="Longest silence of a worker between two signs of progress, one of which every page gives; beyond"
        " it the worker is killed and the document fails with document_timeout.",
    )
