"""Which labels are compared, and from when a likeness counts. Measured by benchmarks/bench_classification.py."""

from typing import ClassVar

from pydantic import Field

from indx_core.kit.settings import IndxSettings


class LabelClassifierSettings(IndxSettings):
    """What the labels depend on."""

    prefix: ClassVar[str] = "CLASSIFIER_LABELS_"
    stages: ClassVar[tuple[str, ...]] = ("annotations",)

    labels: str | None = Field(
        default=None,
        description="Path of a JSON label table that replaces the shipped one; names and words are read, thresholds "
        "are not.",
    )
    minimum_similarity: float = Field(
        default=0.15,
        ge=0,
        le=1,
        description="Cosine between a text and its nearest label below which the facet is left out.",
    )
    max_characters: int = Field(
        default=400,
        gt=0,
        description="Characters from the head of a text that are compared. A sentence encoder blurs a longer text: "
        "with 1,000 fewer documents were told apart.",
    )
