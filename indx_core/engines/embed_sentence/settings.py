"""How much of a text the sentence encoder reads."""

from typing import ClassVar

from pydantic import Field

from indx_core.kit.settings import IndxSettings


class SentenceSettings(IndxSettings):
    """What its vectors depend on."""

    prefix: ClassVar[str] = "EMBED_SENTENCE_"
    stages: ClassVar[tuple[str, ...]] = ("embeddings",)

    max_characters: int = Field(
        default=2000,
        ge=1,
        description="Characters of a text that are embedded, cut at a nearby white space. Time grows with it, and a "
        "vector of much text is near everything.",
    )
