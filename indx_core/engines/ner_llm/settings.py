"""Which models extract entities, what they are asked for, and how they are reached."""

from typing import ClassVar

from pydantic import Field

from indx_core.kit.llm.settings import ModelChoice, ModelConnection


class NerLlmSettings(ModelChoice):
    """What the spans depend on."""

    prefix: ClassVar[str] = "NER_LLM_"
    stages: ClassVar[tuple[str, ...]] = ("annotations",)

    max_characters: int = Field(
        default=6000, ge=1, description="Characters of a text the model reads, cut at a nearby white space."
    )
    labels: tuple[str, ...] = Field(
        default=("person", "organization", "location", "date", "money", "invoice_number"),
        min_length=1,
        description="Labels the model is asked for, comma separated. What it answers under another is dropped.",
    )


class NerLlmConnectionSettings(ModelConnection):
    """How the model is reached."""

    prefix: ClassVar[str] = "NER_LLM_"
