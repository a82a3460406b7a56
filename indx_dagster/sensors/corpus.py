"""The sensor of each corpus, as Dagster loads it."""

from collections.abc import Callable

import dagster as dg

from assets.ingest import RESOURCES
from indx_core.kit.config import LoadedConfig
from indx_dagster import jobs
from indx_dagster.names import names_of_corpora
from indx_dagster.sensors.cursor import Cursor
from indx_dagster.sensors.tick import Tick
from resources.base import resource_settings


def build_sensors(loaded: LoadedConfig) -> list[dg.SensorDefinition]:
    """One sensor per corpus of ``indx.toml``.

    Raises:
        ConfigInvalid: Two corpora whose names differ only in ``-`` and ``__`` would share a sensor.
    """
    return [_sensor(corpus, name, loaded) for corpus, name in names_of_corpora(loaded, "sensor", "watch")]


def _sensor(corpus: str, name: str, loaded: LoadedConfig) -> dg.SensorDefinition:
    options = loaded.config.sensor_of(corpus)
    status = dg.DefaultSensorStatus.RUNNING if options.running else dg.DefaultSensorStatus.STOPPED
    return dg.SensorDefinition(
        name=name,
        evaluation_fn=_evaluation(corpus, loaded),
        job=jobs.ingest,
        minimum_interval_seconds=options.every_seconds,
        default_status=status,
        required_resource_keys=set(RESOURCES),
        description=f"New, changed and deleted documents of corpus {corpus} ({loaded.root(corpus)}).",
    )


def _evaluation(corpus: str, loaded: LoadedConfig) -> Callable[[dg.SensorEvaluationContext], dg.SensorResult]:
    def evaluate(context: dg.SensorEvaluationContext) -> dg.SensorResult:
        with resource_settings(context, RESOURCES):
            return Tick(context.instance, loaded, corpus).run(Cursor.decode(context.cursor))

    return evaluate
