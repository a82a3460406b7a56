"""Whether model files may be fetched."""

from typing import ClassVar

from pydantic import Field

from indx_core.kit.settings import IndxSettings


class ModelSettings(IndxSettings):
    """One switch for every lane that names a model of the Hugging Face hub."""

    prefix: ClassVar[str] = "MODEL_"

    downloads: bool = Field(
        default=False,
        description="Whether a model that is named and not on this machine is fetched from the Hugging Face hub on "
        "first use. Off, it is refused at once with a message that says so; looking for it would take half a minute.",
    )
