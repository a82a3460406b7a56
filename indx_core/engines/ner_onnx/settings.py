"""Which model is asked, and how a text is shown to it."""

from typing import ClassVar

from pydantic import Field

from indx_core.kit.settings import IndxSettings


class NerOnnxSettings(IndxSettings):
    """What its spans depend on."""

    prefix: ClassVar[str] = "NER_ONNX_"
    stages: ClassVar[tuple[str, ...]] = ("annotations",)

    model: str = Field(
        default="Xenova/bert-base-multilingual-cased-ner-hrl",
        description="A folder of this machine, or `<owner>/<name>` on the Hugging Face hub, with `@<revision>` to "
        "pin a commit. It holds `config.json`, `tokenizer.json` and the model file.",
    )
    model_file: str = Field(default="onnx/model_quantized.onnx", description="The ONNX file in the model's folder.")
    max_tokens: int = Field(
        default=512, ge=8, description="Tokens the model takes at once; a window of more is shown in two halves."
    )
    window_characters: int = Field(
        default=400, ge=8, description="Characters of text shown at once, cut at white space or behind a 。 or 、."
    )
    minimum_confidence: float = Field(
        default=0.5, ge=0, le=1, description="Mean score of its tokens that a span needs."
    )
