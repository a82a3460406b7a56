"""Asset ``page_reads``: every page read along its planned route. The expensive step."""

from typing import Any

import dagster as dg

from assets.tables import Metadata, counts, table
from indx_core.contracts.ingest import Stage

STAGE = Stage.PAGE_READS
KINDS = {"python", "parquet"}
DESCRIPTION = """Every page of the plan of record, **read or accounted for**: completed, failed or unreadable, with the
reader, its confidence, the text and its lines. A page that one capability could not read descends to the next declared
fallback; the trace keeps every attempt. `pages_waiting` counts those that wait for a person: `indx review list`.

Rows: `pages`, `trace`, `usage`. Data version: plan, validation settings, and people's answers."""


def metadata(facts: dict[str, Any]) -> Metadata:
    """Page statuses, who read, what fell back, what waits for a person, what it cost."""
    return {
        "pages": counts(facts["pages"]),
        "readers": counts(facts["readers"]),
        "fallbacks": table(facts["fallbacks"]),
        "pages_waiting": dg.MetadataValue.int(facts["pages_waiting"]),
        "pages_reviewed": dg.MetadataValue.int(facts["pages_reviewed"]),
        "unread": table(facts["unread"]),
        "characters": dg.MetadataValue.int(facts["characters"]),
        "cost_usd": dg.MetadataValue.float(float(facts["cost_usd"])),
        "cost_known": dg.MetadataValue.bool(facts["cost_known"]),
        **({"reused_from": dg.MetadataValue.text(facts["reused_from"])} if "reused_from" in facts else {}),
    }
