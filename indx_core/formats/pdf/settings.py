"""Settings of the PDF family. Values only; what they decide stands where they are used."""

from typing import ClassVar

from pydantic import Field

from indx_core.kit.settings import IndxSettings


class PdfSettings(IndxSettings):
    """When the text layer of a page is believed."""

    prefix: ClassVar[str] = "PDF_"
    stages: ClassVar[tuple[str, ...]] = ("observation", "page_reads")

    garbage_share: float = Field(
        default=0.15,
        gt=0,
        le=1,
        description="Share of a page's characters without a meaning (no Unicode mapping, replacement, private-use or "
        "control characters) from which its text layer counts as garbage and the page goes to recognition.",
    )
    trust_invisible_text: bool = Field(
        default=False,
        description="Whether text that a scanner's software laid invisibly over a page image is taken as the page's "
        "text. Off: such a page goes to recognition, since nobody has checked that hidden text.",
    )
