"""Jobs over the one step: everything, and what a plan of record determines."""

import dagster as dg

from assets.keys import asset_key
from indx_core.contracts.ingest import Stage

REPLAYED = (Stage.PAGE_READS, Stage.CHUNKS, Stage.EMBEDDINGS, Stage.ANNOTATIONS)
"""Stages that a plan of record determines."""

# Not typed as UnresolvedAssetJobDefinition: the class is not part of Dagster's public names.
ingest = dg.define_asset_job(
    "ingest",
    selection=dg.AssetSelection.assets(*(asset_key(stage) for stage in Stage)),
    description="Observe, plan, read, chunk, embed and annotate documents.",
    executor_def=dg.in_process_executor,
)
replay = dg.define_asset_job(
    "replay",
    selection=dg.AssetSelection.assets(*(asset_key(stage) for stage in REPLAYED)),
    description="Execute the plans of record again, exactly; refuses with plan_conflict where source or install moved.",
    executor_def=dg.in_process_executor,
)
