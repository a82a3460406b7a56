"""Asset ``plan``: which capability reads which page, and at what price. The plan of record is its metadata."""

from typing import Any

import dagster as dg

from assets import keys
from assets.tables import Metadata, table
from indx_core.contracts.ingest import Stage

STAGE = Stage.PLAN
KINDS = {"python", "json"}
DESCRIPTION = """The **plan of record**: routes with their ordered fallbacks, the reasons, and cost, latency and quality
before anything runs. Reading pages executes exactly this plan, or refuses with `plan_conflict` when the source or the
installed capabilities moved; re-materialize `plan` to decide anew.

Rows: `plans`. Metadata: the whole plan under `indx/plan`. Data version: `plan_id`."""


def metadata(facts: dict[str, Any]) -> Metadata:
    """Headline of the plan; the plan itself is added where it is recorded (``plan_of_record.py``)."""
    return {
        keys.PLAN_ID: dg.MetadataValue.text(facts["plan_id"]),
        keys.STATUS: dg.MetadataValue.text(facts["status"]),
        keys.ESTIMATED_COST: dg.MetadataValue.float(float(facts["estimated_cost_usd"])),
        "route": dg.MetadataValue.text(" → ".join(facts["route"])),
        "page_overrides": table(facts["overrides"]),
        "estimated_latency_ms": dg.MetadataValue.int(facts["estimated_latency_ms"]),
        "estimated_quality": dg.MetadataValue.float(float(facts["estimated_quality"])),
        "unsatisfied": dg.MetadataValue.text("; ".join(facts["unsatisfied"]) or "none"),
        "reasons": table(facts["reasons"]),
    }
