"""How far an Office package may unpack. What readers do with its content is configured in ``formats/office``."""

from typing import ClassVar

from pydantic import Field

from indx_core.kit.settings import IndxSettings


class PackageSettings(IndxSettings):
    """Inflate limits of Office packages: a package beyond one is refused before it is unpacked."""

    prefix: ClassVar[str] = "OFFICE_"
    stages: ClassVar[tuple[str, ...]] = ("observation", "page_reads")

    max_members: int = Field(20_000, gt=0, description="Most members an Office package may hold.")
    max_part_bytes: int = Field(
        512 * 1024 * 1024, gt=0, description="Most bytes one member of an Office package may unpack to."
    )
    max_total_bytes: int = Field(
        2 * 1024 * 1024 * 1024, gt=0, description="Most bytes all members of an Office package may unpack to together."
    )
    max_inflate_ratio: float = Field(
        200.0,
        gt=1,
        description="Most times its packed size a member beyond 16 MiB may unpack to. Worksheets reach 50; "
        "deflate's own limit, where bombs live, is 1032.",
    )
