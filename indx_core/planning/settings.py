"""The planner's one variable. Reading the file it names is ``economics.load_economics``."""

from pathlib import Path
from typing import ClassVar

from pydantic import Field

from indx_core.kit.settings import IndxSettings


class RoutingSettings(IndxSettings):
    """What an operator tells the planner about prices."""

    prefix: ClassVar[str] = "ROUTING_"
    stages: ClassVar[tuple[str, ...]] = ("plan",)

    economics: Path | None = Field(
        default=None,
        description=(
            "Path to a JSON object keyed by capability id or kind whose values may set quality (0-1), "
            "cost_usd_per_page (dollars) and latency_ms_per_page (whole milliseconds); an id wins over its kind. The "
            "id of an embedder or annotator with cost_usd_per_page is what execution holds a budget with. "
            "Unset: the shipped assumptions by kind."
        ),
    )
