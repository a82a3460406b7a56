"""Names: asset keys, the group, and the keys under which indx records facts in the event log."""

import dagster as dg

from indx_core.contracts.ingest import Stage

GROUP = "ingestion"
OWNERS = ("team:documents",)

PLAN = "indx/plan"
"""Metadata: the whole plan of record, see ``plan_of_record.py``."""
PLAN_ID = "indx/plan_id"
STATUS = "indx/status"
ESTIMATED_COST = "indx/estimated_cost_usd"
REASON = "indx/reason"
"""Metadata: why the document was processed."""
BASIS = "indx/basis"
"""Tag: what a materialization was made from (settings, engines, source version), see ``app/ingest/recipe.py``.

Stored with the event and not indexed: only ``dagster/data_version`` can be read in bulk, so documents that are up to
date are told by their data versions, and only the others' events are opened.
"""


def asset_key(stage: Stage) -> dg.AssetKey:
    """An asset is called what its stage is called."""
    return dg.AssetKey([stage.value])


def stage_of(key: dg.AssetKey) -> Stage:
    """The stage behind an asset key."""
    return Stage(key.path[-1])
