"""The schedule of each corpus, as Dagster loads it."""

from collections.abc import Callable, Iterator

import dagster as dg

from assets.ingest import RESOURCES
from indx_core.contracts.errors import ConfigInvalid
from indx_core.kit.config import LoadedConfig
from indx_dagster import jobs
from indx_dagster.names import names_of_corpora
from indx_dagster.schedules.night import Night
from resources.base import resource_settings

Evaluation = Callable[[dg.ScheduleEvaluationContext], Iterator[dg.RunRequest | dg.SkipReason]]


def build_schedules(loaded: LoadedConfig) -> list[dg.ScheduleDefinition]:
    """One schedule per corpus of ``indx.toml``, stopped unless the file says that it runs.

    Raises:
        ConfigInvalid: A line that is no cron expression; two corpora whose names differ in ``-`` and ``__`` alone.
    """
    return [_schedule(corpus, name, loaded) for corpus, name in names_of_corpora(loaded, "schedule", "nightly")]


def _schedule(corpus: str, name: str, loaded: LoadedConfig) -> dg.ScheduleDefinition:
    options = loaded.config.schedule_of(corpus)
    status = dg.DefaultScheduleStatus.RUNNING if options.running else dg.DefaultScheduleStatus.STOPPED
    try:
        return dg.ScheduleDefinition(
            name=name,
            cron_schedule=options.cron,
            execution_timezone=options.timezone,
            execution_fn=_evaluation(corpus, loaded),
            job=jobs.ingest,
            default_status=status,
            required_resource_keys=set(RESOURCES),
            description=f"Brings corpus {corpus} up to date: what is new, and what settings or engines made stale.",
        )
    except dg.DagsterInvalidDefinitionError:
        raise ConfigInvalid(f"schedule.cron of corpus {corpus}: {options.cron!r} is no cron expression") from None


def _evaluation(corpus: str, loaded: LoadedConfig) -> Evaluation:
    def evaluate(context: dg.ScheduleEvaluationContext) -> Iterator[dg.RunRequest | dg.SkipReason]:
        with resource_settings(context, RESOURCES):
            night = Night(context.instance, loaded, corpus)
            requests = night.requests(context.scheduled_execution_time.isoformat())
        for line in night.said:
            context.log.info(line)
        yield from requests
        if not requests:
            yield dg.SkipReason("; ".join(night.said) or "everything is up to date")

    return evaluate
