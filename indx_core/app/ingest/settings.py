"""When a document that failed for a passing reason, or whose run was lost, is tried again; how long a tick may work."""

from typing import ClassVar

from pydantic import Field

from indx_core.kit.settings import IndxSettings


class RetrySettings(IndxSettings):
    """Backoff of transient failures; what fails for good is never tried again by itself."""

    stages: ClassVar[tuple[str, ...]] = ()

    retry_seconds: int = Field(
        default=60,
        ge=1,
        le=86_400,
        description=(
            "Seconds before a sensor asks again for a document that failed for a passing reason, or whose run broke "
            "off; doubled each time, up to six hours and one hour."
        ),
    )
    retry_attempts: int = Field(
        default=20,
        ge=1,
        le=1_000,
        description="Runs in a row after which a document is no longer tried by itself; 20 are about three days.",
    )
    run_start_seconds: int = Field(
        default=300,
        ge=1,
        le=86_400,
        description=(
            "Seconds after which a run that was launched and whose step has not begun counts as lost, so that its "
            "documents are asked for again. More than a worker takes to start, image and all."
        ),
    )


class SensorSettings(IndxSettings):
    """The tick's own time limit, below the one at which Dagster breaks it off."""

    stages: ClassVar[tuple[str, ...]] = ()

    sensor_tick_seconds: float = Field(
        default=25.0,
        gt=0,
        le=3_600,
        description=(
            "Seconds after which a sensor's tick stops and goes on in the next one. Dagster breaks a tick off after 60 "
            "(DAGSTER_SENSOR_GRPC_TIMEOUT_SECONDS)."
        ),
    )
