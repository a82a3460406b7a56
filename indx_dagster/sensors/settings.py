"""How long a tick of a sensor may work."""

from typing import ClassVar

from pydantic import Field

from indx_core.kit.settings import IndxSettings


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
