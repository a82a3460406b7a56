"""Which models summarise, how much they are shown, and how much they say."""

from typing import ClassVar

from pydantic import Field

from indx_core.kit.llm.settings import ModelChoice, ModelConnection


class EnricherModelSettings(ModelChoice):
    """What the summary and the tags depend on."""

    prefix: ClassVar[str] = "ENRICH_LLM_"
    stages: ClassVar[tuple[str, ...]] = ("annotations",)

    max_characters: int = Field(
        default=6000, gt=0, description="Characters from the head of a text that the model is shown: each is billed."
    )
    summary_sentences: int = Field(default=2, ge=1, description="Sentences the model is asked to summarise in.")
    tags: int = Field(default=5, ge=0, description="Tags at most; 0 asks for none.")


class EnricherConnectionSettings(ModelConnection):
    """How the models are reached."""

    prefix: ClassVar[str] = "ENRICH_LLM_"
