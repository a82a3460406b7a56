"""The one variable of the patterns lane."""

from typing import ClassVar

from pydantic import Field

from indx_core.kit.settings import IndxSettings


class NerPatternsSettings(IndxSettings):
    """What it looks for beside the shipped patterns."""

    prefix: ClassVar[str] = "NER_PATTERNS_"
    stages: ClassVar[tuple[str, ...]] = ("annotations",)

    gazetteer: str | None = Field(
        default=None,
        description="Path of a JSON object {label: [surface, ...]}: names of the deployment's own, found literally, "
        "longest first. A surface that begins or ends with an ASCII letter or digit is not found inside a longer word.",
    )
