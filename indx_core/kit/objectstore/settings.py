"""What every object-store loader lets a deployment set. Credentials and allowlists are each loader's own."""

from typing import ClassVar

from pydantic import Field

from indx_core.kit.settings import IndxSettings


class BucketLoaderSettings(IndxSettings):
    """Base of the loaders' settings: they decide what may be fetched and how, never what is made of it."""

    stages: ClassVar[tuple[str, ...]] = ()

    timeout_seconds: float = Field(
        default=30,
        gt=0,
        description="Longest wait for a connection, and for the next bytes of an answer.",
    )
