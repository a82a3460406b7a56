"""How a page that no reader could read is shown in its one image chunk."""

from typing import ClassVar

from pydantic import Field

from indx_core.kit.settings import IndxSettings


class ChunkSettings(IndxSettings):
    """One resolution for the image chunks of every format."""

    prefix: ClassVar[str] = "CHUNK_"
    stages: ClassVar[tuple[str, ...]] = ("chunks",)

    dpi: int = Field(
        default=120,
        gt=0,
        description="Resolution, in dots per inch, of the image chunk of a page that nothing could read. A scan or a "
        "photograph is taken for an A4 sheet and only ever made smaller.",
    )
