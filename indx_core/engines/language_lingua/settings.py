"""Which languages are considered, and what is worth reporting."""

from typing import ClassVar

from pydantic import Field, field_validator

from indx_core.kit.settings import IndxSettings

ALL = "all"


class LanguageSettings(IndxSettings):
    """What the reported languages depend on."""

    prefix: ClassVar[str] = "LANGUAGE_"
    stages: ClassVar[tuple[str, ...]] = ("annotations",)

    candidates: tuple[str, ...] = Field(
        default=("de", "en", "es", "fr", "ja", "ko", "zh"),
        description="Languages considered, ISO 639-1, comma separated, or `all` for the seventy-five that lingua "
        "knows. The default loads in about a second and 150 MB per worker; all of them take 30 seconds and 900 MB, and "
        "each is one more way to be wrong about a short page. Text of a language outside the list is given the nearest "
        "one in it.",
    )
    minimum_confidence: float = Field(
        default=0.05,
        ge=0,
        le=1,
        description="Languages below it are left out. lingua scores every candidate, so without a floor a page would "
        "carry them all.",
    )
    low_accuracy: bool = Field(
        default=False,
        description="Load trigram statistics alone: all languages in about a second and 70 MB, at a loss on texts of "
        "less than some 120 characters.",
    )

    @field_validator("candidates")
    @classmethod
    def _codes(cls, candidates: tuple[str, ...]) -> tuple[str, ...]:
        codes = tuple(sorted({code.lower() for code in candidates}))
        if any(code != ALL and not (len(code) == 2 and code.isascii() and code.isalpha()) for code in codes):
            raise ValueError("a candidate is a two-letter code of ISO 639-1, or 'all'")
        if ALL in codes and len(codes) > 1:
            raise ValueError("'all' stands alone")
        return codes
