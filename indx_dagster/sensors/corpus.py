"""The sensor of each corpus, as Dagster loads it."""

from collections.abc import Callable

import dagster as dg

from assets.ingest import RESOURCES
from assets.run import resource_settings
from indx_core.contracts.errors import ConfigInvalid
from indx_core.kit.config import LoadedConfig
from indx_dagster import jobs
from indx_dagster.sensors.cursor import Cursor
from indx_dagster.sensors.tick import Tick


def build_sensors(loaded: LoadedConfig) -> list[dg.SensorDefinition]:
    """One sensor per corpus of ``indx.toml``.

    Raises:
        ConfigInvalid: Two corpora whose names differ only in ``-`` and ``__`` would share a sensor.
    """
    names = {corpus: sensor_name(corpus) for corpus in loaded.config.corpora}
    if len(set(names.values())) < len(names):
        raise ConfigInvalid("two corpora have the same sensor: a name may not differ from another in - and __ alone")
    return [_sensor(corpus, name, loaded) for corpus, name in sorted(names.items())]


def sensor_name(corpus: str) -> str:
    """Name of a corpus's sensor; Dagster allows letters, digits and underscores."""
    return f"watch_{corpus.replace('-', '__')}"


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
