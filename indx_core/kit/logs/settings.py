"""Whether runs write log lines, and which run a worker process belongs to. None of them changes an output."""

from typing import ClassVar, Literal

from pydantic import Field

from indx_core.kit.settings import IndxSettings


class LogSettings(IndxSettings):
    """What runs of documents write to stderr. `indx serve` always writes JSON lines."""

    stages: ClassVar[tuple[str, ...]] = ()

    log: Literal["none", "json"] = Field(
        default="none",
        description="`json`: a line for every document of a run, and for whatever goes wrong in one, with the ids of"
        " run, corpus and document.",
    )
    log_run_id: str | None = Field(
        default=None, description="Run that worker processes name in their lines; a run sets it for its own workers."
    )
