"""How text is decoded."""

from typing import ClassVar

from pydantic import Field, field_validator

from indx_core.kit.settings import IndxSettings


class TextSettings(IndxSettings):
    """One list decides what every text says: observer and reader decode alike."""

    prefix: ClassVar[str] = "TEXT_"
    stages: ClassVar[tuple[str, ...]] = ("observation", "page_reads")

    encoding: tuple[str, ...] = Field(
        default=("utf-8-sig",),
        min_length=1,
        description="Encodings to try in order, comma-separated, each strictly; the first that decodes wins, and text "
        "that none decodes is refused. Japanese public data needs `utf-8-sig,cp932`, in this order: almost any bytes "
        "decode as cp932. `utf-16` and `utf-32` count only for text with a byte-order mark; without one, name "
        "`utf-16-le`.",
    )

    @field_validator("encoding")
    @classmethod
    def _known(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        for position, name in enumerate(names, start=1):
            try:
                b"indx".decode(name, "replace")
            except LookupError:
                raise ValueError(f"Python knows no text encoding of the name at position {position}") from None
        return names
