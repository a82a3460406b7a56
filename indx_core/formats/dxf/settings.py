"""Limits on drawings: what an operator may raise when a real drawing is refused or cut."""

from typing import ClassVar

from pydantic import Field

from indx_core.kit.settings import IndxSettings


class DxfSettings(IndxSettings):
    """How much of a drawing is read."""

    prefix: ClassVar[str] = "DXF_"
    stages: ClassVar[tuple[str, ...]] = ("observation", "page_reads")

    max_entities: int = Field(
        2_000_000,
        gt=0,
        description="Most entities (group code 0) a drawing may hold; one with more is refused before it is parsed.",
    )
    max_texts: int = Field(
        20_000,
        gt=0,
        description="Most texts read of one layout, repeated blocks included; the rest is left out with a finding.",
    )
