"""The one step behind the six assets: documents through the selected stages, each recorded by itself.

One subsettable multi-asset instead of six ordinary assets, because six pay 87-152 ms CPU per document to the event log
and this form below 10 (``docs/benchmarks.md``). Selecting ``page_reads`` and downstream replays plans of record;
selecting ``embeddings`` alone starts from the chunks in the lake.
"""

from collections.abc import Callable, Iterator
from typing import Never

import dagster as dg

from assets.checks import check_specs
from assets.log import run_log
from assets.partitions import partitions_def
from assets.pools import RUNS, slots
from assets.run import BatchRun, conclude
from assets.stages import code_versions, freshness, specs
from indx_core.app.ingest.task import DocumentOutcome
from indx_core.app.installation import Installation
from indx_core.kit.config import LoadedConfig
from resources.base import resource_settings
from resources.failures import faults_of_the_deployment

STEP = "documents"
"""Name of the step, under which run config finds it. Not a job's name: Dagster keeps both in one namespace."""

RESOURCES = (
    "pipeline",
    "lake",
    "loaders",
    "readers",
    "embedders",
    "classifiers",
    "extractors",
    "enrichers",
    "languages",
    "signatures",
)


class BatchConfig(dg.Config):
    """Which documents a run without partition tags is about."""

    sources: list[str] = []
    """Source keys, not necessarily contiguous: stale, failed or changed ones."""
    reasons: dict[str, list[str]] = {}
    """Why they are processed: a reason, and the source keys it holds for. Becomes metadata of what is materialized."""
    engines: list[str] | None = None
    """Engines that their plans name, where somebody read them: only these engines' pools are waited for."""


def build_ingest(
    loaded: LoadedConfig,
    installation: Installation,
    progress: Callable[[DocumentOutcome], None] = lambda _outcome: None,
) -> dg.AssetsDefinition:
    """The step under a configuration.

    Args:
        loaded: ``indx.toml``: grain, corpora, options.
        installation: What is installed when definitions are loaded; code versions name it.
        progress: Told of every outcome, in the process that runs the step.
    """
    partitions, versions = partitions_def(loaded.config), code_versions(installation, loaded.config.ingest)

    @dg.multi_asset(
        name=STEP,
        specs=specs(partitions, versions, freshness(loaded.config.freshness_hours)),
        check_specs=check_specs(),
        can_subset=True,
        backfill_policy=dg.BackfillPolicy.single_run(),
        pool=RUNS,
        required_resource_keys=set(RESOURCES),
        description="Documents through the selected stages, in worker processes; each is recorded by itself.",
    )
    def step(context: dg.AssetExecutionContext, config: BatchConfig) -> Iterator[Never]:
        with faults_of_the_deployment(), resource_settings(context, RESOURCES), run_log(context.run):
            run = BatchRun.prepare(context, config.sources, loaded, config.reasons)
            with slots(context, run.pools(config.engines)):
                recorder = run.execute(progress)
        conclude(context, recorder)
        # A generator that yields nothing: everything is recorded, and no output means no IO manager.
        yield from ()

    return step
