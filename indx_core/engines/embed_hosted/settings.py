"""Which model the hosted space is of, and how it is reached."""

from typing import ClassVar

from pydantic import Field

from indx_core.kit.llm.settings import ModelConnection
from indx_core.kit.settings import IndxSettings


class HostedEmbeddingSettings(IndxSettings):
    """What its vectors depend on."""

    prefix: ClassVar[str] = "EMBED_"
    stages: ClassVar[tuple[str, ...]] = ("embeddings",)

    model: str | None = Field(
        default=None, description="LiteLLM name of the embedding model, such as `openai/text-embedding-3-small`."
    )
    dimension: int | None = Field(
        default=None,
        ge=1,
        description="Length of the model's vectors. Declared, since a space states it before any vector exists and a "
        "vendor only answers for a fee.",
    )
    max_characters: int = Field(
        default=6000, ge=1, description="Characters of a text that are sent, cut at a nearby white space."
    )


class HostedConnectionSettings(ModelConnection):
    """How the model is reached."""

    prefix: ClassVar[str] = "EMBED_"
