"""What is no port's: intake limits, routing prices, validation floor, worker processes."""

from indx_core.execution.settings import ValidationSettings
from indx_core.kit.intake.settings import IntakeSettings
from indx_core.kit.workers.settings import WorkerSettings
from indx_core.planning.settings import RoutingSettings
from resources.base import mirror

PipelineResource = mirror(
    "PipelineResource",
    "Limits of intake, prices of routing, the confidence floor, and worker processes with their limits.",
    (IntakeSettings, RoutingSettings, ValidationSettings, WorkerSettings),
)
