"""Check ``nothing_broken``: documents that cannot be processed now, over all corpora, and since when.

The checks of a run speak of its documents alone; this one is the state of the lake. It is evaluated at the end of every
run over observations, and by a corpus's sensor when a document that was broken has gone. The same rows are the view
``broken`` of ``indx sql``.
"""

import datetime as dt
from collections import Counter
from typing import Any

import dagster as dg

from assets.keys import asset_key
from assets.tables import counts, table
from indx_core.contracts import tables as t
from indx_core.contracts.base import content_id
from indx_core.contracts.ingest import Stage
from indx_core.kit.lake import Lake

NAME = "nothing_broken"
KEY = dg.AssetCheckKey(asset_key(Stage.OBSERVATION), NAME)
SHOWN = 20
"""Documents listed, those that have been broken longest first."""
_STATE = "state"
_COLUMNS = ("key", "stage", "code", "type", "message", "remedy", "cause", "attempts", "since_ms", "retry_at_ms")


SPEC = dg.AssetCheckSpec(
    NAME, asset=KEY.asset_key, description="No document of any corpus is refused or waits for another attempt."
)


def evaluation(lake: Lake) -> dg.AssetCheckEvaluation:
    """What is broken in the lake now."""
    rows = sorted(_rows(lake), key=lambda row: (row["since_ms"] or 0, row["key"]))
    shown = [
        {
            "document": row["key"],
            "stage": row["stage"],
            "code": row["code"] or row["type"],
            "since": _time(row["since_ms"]),
            "attempts": row["attempts"] or 1,
            "again": _time(row["retry_at_ms"]),
            "message": row["message"],
            "remedy": row["remedy"],
        }
        for row in rows[:SHOWN]
    ]
    return dg.AssetCheckEvaluation(
        asset_key=KEY.asset_key,
        check_name=NAME,
        passed=not rows,
        severity=dg.AssetCheckSeverity.WARN,
        metadata={
            "documents": len(rows),
            "by_cause": counts(dict(sorted(Counter(row["cause"] for row in rows).items()))),
            "oldest": _time(rows[0]["since_ms"]) if rows else "",
            "first": table(shown),
            _STATE: content_id([[row["key"], row["code"], row["since_ms"]] for row in rows]),
        },
    )


def changed_evaluation(instance: dg.DagsterInstance, lake: Lake) -> dg.AssetCheckEvaluation | None:
    """What is broken, where that is not what was last recorded; ``None`` where it is."""
    found = evaluation(lake)
    record = instance.event_log_storage.get_latest_asset_check_execution_by_key([KEY]).get(KEY)
    event = record.event.dagster_event if record is not None and record.event is not None else None
    if event is None or event.event_type is not dg.DagsterEventType.ASSET_CHECK_EVALUATION:
        return None if found.passed else found
    before = event.asset_check_evaluation_data.metadata.get(_STATE)
    return None if before == found.metadata[_STATE] else found


def _rows(lake: Lake) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = lake.select(t.REFUSALS.name, _COLUMNS).to_pylist()
    return rows


def _time(milliseconds: int | None) -> str:
    """Minutes of UTC; empty where nothing is known."""
    if milliseconds is None:
        return ""
    return dt.datetime.fromtimestamp(milliseconds / 1000, dt.UTC).strftime("%Y-%m-%d %H:%M UTC")
