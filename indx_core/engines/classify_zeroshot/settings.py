"""Which model judges, and what it is asked."""

from typing import ClassVar

from pydantic import Field, field_validator

from indx_core.kit.settings import IndxSettings


class ZeroShotSettings(IndxSettings):
    """What the labels depend on."""

    prefix: ClassVar[str] = "CLASSIFIER_ZEROSHOT_"
    stages: ClassVar[tuple[str, ...]] = ("annotations",)

    model: str = Field(
        default="Xenova/mDeBERTa-v3-base-xnli-multilingual-nli-2mil7",
        description="The model: a local folder with `tokenizer.json`, `config.json` and the weights, or "
        "`<owner>/<name>` of the Hugging Face hub, `@<revision>` to pin it.",
    )
    model_file: str = Field(
        default="onnx/model_quantized.onnx", description="Path of the ONNX weights inside the model's folder."
    )
    hypothesis: str = Field(
        default="This document is a {}.",
        description="What is asked of each label; `{}` stands for its names, such as `invoice (請求書)`.",
    )
    minimum_confidence: float = Field(
        default=0.5, ge=0, le=1, description="Probability of entailment below which a label is left out."
    )
    max_tokens: int = Field(
        default=512,
        ge=8,
        description="The model's window, hypothesis included: it reads the head of a longer text and no more.",
    )
    labels: str | None = Field(
        default=None, description="Path of a JSON label table that replaces the shipped one; only names are read."
    )

    @field_validator("hypothesis")
    @classmethod
    def _one_place(cls, hypothesis: str) -> str:
        if hypothesis.count("{}") != 1:
            raise ValueError("the hypothesis holds {} once, where the label goes")
        return hypothesis
