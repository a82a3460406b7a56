"""Which vision model reads pages, and what it is shown."""

from typing import ClassVar

from pydantic import Field

from indx_core.kit.llm.settings import ModelConnection
from indx_core.kit.render.page import MAX_PIXELS
from indx_core.kit.settings import IndxSettings


class VlmSettings(IndxSettings):
    """What the transcription depends on."""

    prefix: ClassVar[str] = "VLM_"
    stages: ClassVar[tuple[str, ...]] = ("page_reads",)

    model: str | None = Field(
        default=None, description="LiteLLM name of the vision model, such as `ollama/llava` or `openai/gpt-4o`."
    )
    dpi: int = Field(
        default=150,
        gt=0,
        description="Resolution, in dots per inch, of the page image the model is shown. A scan or a photograph is "
        "taken for an A4 sheet and only ever made smaller. Vendors shrink images beyond about 1,600 to 2,000 pixels a "
        "side, which A4 reaches here.",
    )
    max_pixels: int = Field(
        default=MAX_PIXELS,
        gt=0,
        description="A page with more pixels is refused before its bitmap exists and comes back failed.",
    )


class VlmConnectionSettings(ModelConnection):
    """How the model is reached."""

    prefix: ClassVar[str] = "VLM_"
