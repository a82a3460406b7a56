"""Which models classify, and how much of a text they are shown."""

from typing import ClassVar

from pydantic import Field

from indx_core.kit.llm.settings import ModelChoice, ModelConnection


class ClassifierModelSettings(ModelChoice):
    """What the labels depend on."""

    prefix: ClassVar[str] = "CLASSIFIER_LLM_"
    stages: ClassVar[tuple[str, ...]] = ("annotations",)

    max_characters: int = Field(
        default=6000, gt=0, description="Characters from the head of a text that the model is shown: each is billed."
    )
    labels: str | None = Field(
        default=None, description="Path of a JSON label table that replaces the shipped one; only names are read."
    )


class ClassifierConnectionSettings(ModelConnection):
    """How the models are reached."""

    prefix: ClassVar[str] = "CLASSIFIER_LLM_"
