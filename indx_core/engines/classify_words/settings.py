"""Which label table is used."""

from typing import ClassVar

from pydantic import Field

from indx_core.kit.settings import IndxSettings


class WordClassifierSettings(IndxSettings):
    """The one thing to configure."""

    prefix: ClassVar[str] = "CLASSIFIER_WORDS_"
    stages: ClassVar[tuple[str, ...]] = ("annotations",)

    labels: str | None = Field(
        default=None,
        description="Path of a JSON label table that replaces the shipped one: facets of labels, each with names, the "
        "words that vote for it, and a threshold (a count of distinct words, or a share of the list). Unset: document "
        "types, business units and industries in Japanese and English.",
    )
