"""How Office documents are read. How far their packages may unpack is configured in ``kit/ooxml``."""

from typing import ClassVar

from pydantic import Field

from indx_core.kit.settings import IndxSettings


class OfficeSettings(IndxSettings):
    """Reading of Office documents."""

    prefix: ClassVar[str] = "OFFICE_"
    stages: ClassVar[tuple[str, ...]] = ("page_reads", "chunks")

    short_date: str = Field(
        "",
        description="Format code of dates that a workbook leaves to the viewer's own short date (format 14), such as "
        "yyyy-mm-dd. Empty: yyyy/m/d in workbooks made by a Japanese Excel, m/d/yy in all others.",
    )
    max_cells: int = Field(
        5_000_000, gt=0, description="Most cells with content a worksheet may hold; one with more comes back failed."
    )
