"""What a deployment lets in: the URI schemes it resolves and the size of a source."""

from typing import ClassVar

from pydantic import Field, field_validator

from indx_core.kit.settings import IndxSettings

NO_SCHEMES = "none"


class IntakeSettings(IndxSettings):
    """Limits above every loader. They decide whether a source is taken, never what is made of it."""

    stages: ClassVar[tuple[str, ...]] = ()

    uri_schemes: tuple[str, ...] | None = Field(
        default=None,
        description="URI schemes to resolve, comma-separated, of those that installed loaders declare. "
        "Unset: all of them. `none`: no URI source at all. Inline sources are never affected.",
    )
    max_input_bytes: int | None = Field(
        default=None,
        gt=0,
        description="Largest source in bytes, counted after decoding. Unset: no limit.",
    )

    @field_validator("uri_schemes")
    @classmethod
    def _known_form(cls, schemes: tuple[str, ...] | None) -> tuple[str, ...] | None:
        if schemes is None:
            return None
        lowered = tuple(scheme.lower().removesuffix(":") for scheme in schemes)
        if NO_SCHEMES in lowered and len(lowered) > 1:
            raise ValueError("'none' stands alone: it turns every scheme off")
        return () if lowered == (NO_SCHEMES,) else lowered
