"""How pages are recognised. Values only; what they decide stands where they are used."""

from typing import ClassVar

from pydantic import Field

from indx_core.kit.render.page import MAX_PIXELS
from indx_core.kit.settings import IndxSettings


class OcrSettings(IndxSettings):
    """What the recognised text depends on."""

    prefix: ClassVar[str] = "OCR_"
    stages: ClassVar[tuple[str, ...]] = ("page_reads",)

    dpi: int = Field(
        default=200,
        gt=0,
        description="Resolution, in dots per inch, at which a PDF page is rendered for recognition. Image files are "
        "recognised at the pixels they have.",
    )
    max_pixels: int = Field(
        default=MAX_PIXELS,
        gt=0,
        description="A page with more pixels is refused before its bitmap exists and comes back failed.",
    )
    detection_side: int = Field(
        default=1600,
        ge=320,
        le=8192,
        description="Long side, in pixels, of an A4 page when lines are looked for (other shapes: the same area); they "
        "are then read at full resolution. Raise it for very small type on large sheets; the time of the search grows "
        "with its square.",
    )
    detection_model: str | None = Field(
        default=None, description="Path of another PP-OCR detection model (ONNX) than the one rapidocr brings."
    )
    recognition_model: str | None = Field(
        default=None, description="Path of another PP-OCR recognition model (ONNX) than the one rapidocr brings."
    )
    recognition_keys: str | None = Field(
        default=None,
        description="Path of the alphabet of a recognition model that carries none in its metadata: UTF-8, one "
        "character a line.",
    )


class OcrEngineSettings(IndxSettings):
    """How the work is spread over processors."""

    prefix: ClassVar[str] = "OCR_"

    threads: int = Field(
        default=1,
        ge=1,
        description="Processor threads of the engine in each worker process. Two workers of one thread read more "
        "pages than one worker of two, so raise it only where a single page must be quick.",
    )
