"""Settings of the HTTP transport. None of them changes an output."""

from typing import ClassVar

from pydantic import Field

from indx_core.kit.settings import IndxSettings


class HttpSettings(IndxSettings):
    """Where the service listens and how much it takes on. Work runs in ``INDX_WORKERS`` processes."""

    stages: ClassVar[tuple[str, ...]] = ()

    request_timeout_seconds: float | None = Field(
        default=None,
        ge=0,
        description="Seconds an HTTP request may take from the arrival of its body to its answer, waiting for a worker"
        " included; beyond it the answer is 504. Unset or 0: no limit.",
    )
    http_host: str = Field(
        default="127.0.0.1",
        description="Address `indx serve` listens on. Any but the loopback address also needs `--allow-remote`, since"
        " the service knows no users.",
    )
    http_port: int = Field(
        default=8000, ge=0, le=65535, description="Port `indx serve` listens on. 0 picks a free one."
    )
    http_queue: int = Field(
        default=64,
        ge=0,
        description="Requests that may wait for a worker; one more is answered 503 with `Retry-After`.",
    )
    http_max_body_bytes: int = Field(
        default=256 * 1024**2,
        gt=0,
        description="Largest request body in bytes as it arrives, base64 and labels included; 413 as soon as it is"
        " passed. `INDX_MAX_INPUT_BYTES` limits the source itself.",
    )
    http_buffer_bytes: int = Field(
        default=1024**3,
        gt=0,
        description="Bytes of request bodies held in memory at one time, those still arriving included; a body that"
        " would pass it is answered 503 with `Retry-After`.",
    )
    http_silence_seconds: float = Field(
        default=30,
        gt=0,
        description="Longest wait for the head of a request, and for the next piece of its body; beyond it the answer"
        " is 408.",
    )
    http_allowed_hosts: tuple[str, ...] | None = Field(
        default=None,
        description="Host names, comma-separated, that requests may address the service by. Unset: on the loopback"
        " address `localhost`, `127.0.0.1` and `[::1]`, so that no web page can reach it through a name of its own;"
        " elsewhere any.",
    )
    http_metrics: bool = Field(
        default=False,
        description="Whether counts and durations of requests are shown at `/metrics`, as Prometheus reads them. Needs"
        " the extra `metrics`.",
    )
