"""Limits on archives that are opened. Operational only: no output depends on them."""

from typing import ClassVar

from pydantic import Field

from indx_core.kit.settings import IndxSettings


class ArchiveSettings(IndxSettings):
    """What an archive of unknown origin may cost when it is opened."""

    stages: ClassVar[tuple[str, ...]] = ()

    archive_max_members: int = Field(
        default=1024, ge=3, description="Most members of an `.indx` archive that is opened; a space has three or more."
    )
    archive_max_index_bytes: int = Field(
        default=4 * 1024**3,
        ge=1,
        description="Longest `index.json` of an archive that is opened, in bytes after unpacking.",
    )
