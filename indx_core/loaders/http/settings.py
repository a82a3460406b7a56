"""Where the http loader may go, and how long a fetch may take."""

from typing import ClassVar

from pydantic import Field

from indx_core.kit.settings import IndxSettings


class HttpLoaderSettings(IndxSettings):
    """The guard and the limits of a fetch. They decide what may be fetched, never what is made of it."""

    prefix: ClassVar[str] = "LOADER_HTTP_"
    stages: ClassVar[tuple[str, ...]] = ()

    allow_private_hosts: bool = Field(
        default=False,
        description="Also fetch from loopback, private, link-local, reserved and multicast addresses. Off, a host that "
        "resolves to one of them is refused, at the first address and at every redirect.",
    )
    timeout_seconds: float = Field(
        default=30,
        gt=0,
        description="Wall clock of a whole fetch: every redirect, retry and pause, and the last byte of the body.",
    )
    max_redirects: int = Field(default=10, ge=0, description="Redirects followed before a fetch is given up.")
    retries: int = Field(
        default=2,
        ge=0,
        le=10,
        description="Further attempts after a 408, 425, 429 or 5xx answer or a dropped connection. They pause 0.5 s, "
        "then twice as long each, or what the server's `Retry-After` asks.",
    )
