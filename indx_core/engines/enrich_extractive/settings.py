"""How long a summary is."""

from typing import ClassVar

from pydantic import Field

from indx_core.kit.settings import IndxSettings


class ExtractiveSettings(IndxSettings):
    """What the summary depends on."""

    prefix: ClassVar[str] = "ENRICH_EXTRACTIVE_"
    stages: ClassVar[tuple[str, ...]] = ("annotations",)

    sentences: int = Field(default=3, ge=1, description="Sentences that make the summary.")
    max_characters: int = Field(
        default=600, ge=1, description="Characters of the summary at most, cut at a nearby white space."
    )
