"""Where ``indx.toml`` is, and the few of its keys that a deployment overrides."""

from typing import ClassVar

from pydantic import Field

from indx_core.contracts.ingest import Grain
from indx_core.kit.settings import IndxSettings


class ConfigSettings(IndxSettings):
    """The environment wins over the file."""

    stages: ClassVar[tuple[str, ...]] = ()

    config: str | None = Field(
        default=None, description="Path of `indx.toml`. Unset: the one in the working directory, else the checkout's."
    )
    grain: Grain | None = Field(default=None, description="Overrides `grain` of `indx.toml`: `source` or `shard`.")
    shards: int | None = Field(default=None, ge=1, le=65_536, description="Overrides `shards` of `indx.toml`.")
    batch_size: int | None = Field(default=None, ge=1, le=10_000, description="Overrides `batch_size` of `indx.toml`.")
    batch_bytes: int | None = Field(default=None, ge=1, description="Overrides `batch_bytes` of `indx.toml`.")
    budget_usd: float | None = Field(default=None, ge=0, description="Overrides `budget_usd` of `indx.toml`.")
