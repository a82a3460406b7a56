"""Which dictionary the morphological lane reads with."""

from typing import ClassVar

from pydantic import Field

from indx_core.kit.settings import IndxSettings


class NerVibratoSettings(IndxSettings):
    """What its spans depend on."""

    prefix: ClassVar[str] = "NER_VIBRATO_"
    stages: ClassVar[tuple[str, ...]] = ("annotations",)

    dictionary: str | None = Field(
        default=None,
        description="Path of an IPADIC dictionary for vibrato: compiled (`system.dic`, `system.dic.zst`), or a folder "
        "of MeCab's sources (`*.csv`, `matrix.def`, `char.def`, `unk.def`), which every worker compiles for some "
        "seconds. Unset, the dictionary of the `ja` extra is used.",
    )
