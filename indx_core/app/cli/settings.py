"""What the command line itself can be told."""

from typing import ClassVar

from pydantic import Field

from indx_core.kit.settings import IndxSettings


class CommandSettings(IndxSettings):
    """Of the ``indx`` command alone."""

    stages: ClassVar[tuple[str, ...]] = ()

    debug: bool = Field(default=False, description="Show the traceback of an error that nobody typed.")
