"""Which directories the file loader may read."""

from typing import ClassVar

from pydantic import Field

from indx_core.kit.settings import IndxSettings


class FileLoaderSettings(IndxSettings):
    """A guard: it decides what may be fetched, never what is made of it."""

    prefix: ClassVar[str] = "LOADER_FILE_"
    stages: ClassVar[tuple[str, ...]] = ()

    roots: tuple[str, ...] | None = Field(
        default=None,
        description="Directories that may be read, comma-separated. Anything that resolves outside them, by `..` or "
        "by a symbolic link, is refused. Unset: any path this process can read.",
    )
