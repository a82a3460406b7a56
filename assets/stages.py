"""The six assets in order, and their specs. What an asset is called, says and shows is in its own file."""

from datetime import timedelta
from types import ModuleType

import dagster as dg

from assets import annotations, chunks, embeddings, observation, page_reads, plan
from assets.keys import GROUP, OWNERS, asset_key
from indx_core.app.ingest.recipe import code_version, upstream
from indx_core.app.installation import Installation
from indx_core.contracts.ingest import IngestOptions, Stage

MODULES: dict[Stage, ModuleType] = {
    module.STAGE: module for module in (observation, plan, page_reads, chunks, embeddings, annotations)
}


def code_versions(installation: Installation, options: IngestOptions) -> dict[Stage, str]:
    """Code version of every asset: what Dagster compares to say that a partition is out of date."""
    return {stage: code_version(stage, options, installation.snapshot) for stage in Stage}


def freshness(hours: float | None) -> dg.FreshnessPolicy | None:
    """Fails when nothing was materialized for so many hours, and warns from three quarters of them on."""
    if hours is None:
        return None
    return dg.FreshnessPolicy.time_window(timedelta(hours=hours), timedelta(hours=hours * 0.75))


def specs(
    partitions: dg.PartitionsDefinition[str],
    versions: dict[Stage, str],
    fresh: dg.FreshnessPolicy | None = None,
) -> list[dg.AssetSpec]:
    """Specs of the six assets. Skippable: the step records each document's materialization itself."""
    return [
        dg.AssetSpec(
            asset_key(stage),
            deps=[asset_key(above) for above in upstream(stage)],
            description=MODULES[stage].DESCRIPTION,
            group_name=GROUP,
            owners=OWNERS,
            kinds=MODULES[stage].KINDS,
            code_version=versions[stage],
            partitions_def=partitions,
            freshness_policy=fresh,
            skippable=True,
        )
        for stage in Stage
    ]
