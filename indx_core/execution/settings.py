"""What an operator sets about execution itself."""

from typing import ClassVar

from pydantic import Field

from indx_core.kit.settings import IndxSettings


class ValidationSettings(IndxSettings):
    """Output below the floor is refused, and its page descends the ladder."""

    prefix: ClassVar[str] = "VALIDATION_"
    stages: ClassVar[tuple[str, ...]] = ("page_reads",)

    min_confidence: float = Field(
        default=0.0,
        ge=0,
        le=1,
        description=(
            "Confidence (0-1) below which a page counts as unread and goes to the next rung. 0 is off: raising it buys "
            "accuracy with money and time, so measure a value against your own documents first."
        ),
    )
