"""Events of many documents from one step: the only module that touches Dagster's internals.

The public ways cost too much or say the wrong thing: a returned result marks every partition of a range, and one
logged event at a time is 17-30 times the CPU of a batch on Postgres and 10 times on SQLite. Verified against dagster
1.13.27; where an internal name is missing, each function falls back to the public ``log_event``, slower and with the
same meaning.
"""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial

import dagster as dg

from assets.keys import asset_key
from indx_core.contracts.ingest import Stage

try:
    from dagster._core.events import (
        AssetMaterializationPlannedData,
        DagsterEvent,
        DagsterEventBatchMetadata,
        generate_event_batch_id,
    )
    from dagster._core.events.log import EventLogEntry
    from dagster._core.storage.event_log.schema import SqlEventLogStorageTable
    from dagster._core.storage.event_log.sqlite.sqlite_event_log import SqliteEventLogStorage
except ImportError:  # pragma: no cover - another release of Dagster
    DagsterEvent = None  # type: ignore[assignment,misc]

BATCHED = DagsterEvent is not None
"""Whether the internals are there."""


def log_materializations(
    context: dg.AssetExecutionContext, materializations: Sequence[dg.AssetMaterialization]
) -> None:
    """Store materializations of one asset at once, as one batch where the event storage can.

    Dagster batches where ``DAGSTER_EVENT_BATCH_SIZE`` is set, as our launch commands do.
    """
    if not BATCHED:
        for materialization in materializations:
            context.log_event(materialization)
        return
    op, batch = context.op_execution_context, generate_event_batch_id()  # type: ignore[no-untyped-call]
    last = len(materializations) - 1
    with _batched_sqlite(context.instance):
        for index, materialization in enumerate(materializations):
            DagsterEvent.asset_materialization(
                op._step_execution_context,  # noqa: SLF001 - see the module's docstring
                materialization,
                DagsterEventBatchMetadata(batch, index == last),
            )


def mark_failed(context: dg.AssetExecutionContext, stages: Sequence[Stage], partition: str) -> None:
    """Make a partition FAILED for these assets once the run fails: planned, and never materialized by it.

    With one planned event per asset instead of one per partition, a failed run no longer marks partitions; this
    restores it for exactly those that failed.
    """
    if not BATCHED:
        return
    op = context.op_execution_context
    step_key = op._step_execution_context.step.key  # noqa: SLF001 - see the module's docstring
    for stage in stages:
        planned = AssetMaterializationPlannedData(asset_key(stage), partition=partition, partitions_subset=None)
        event = DagsterEvent.build_asset_materialization_planned_event(op.job_name, step_key, planned)
        context.instance.report_dagster_event(event, context.run.run_id, logging.DEBUG)


@contextmanager
def _batched_sqlite(instance: dg.DagsterInstance) -> Iterator[None]:
    """Give SQLite's storage the batched write that Postgres's has, for the duration of a block.

    Its own loops, and opens five connections per event with an engine each, so that every statement is compiled
    anew: 76 of the 84 ms CPU per document that Dagster cost. What is stored is the same.
    """
    storage = instance.event_log_storage
    if type(storage) is not SqliteEventLogStorage:
        yield
        return
    storage.store_event_batch = partial(_store_in_sqlite, storage)  # type: ignore[method-assign]
    try:
        yield
    finally:
        del storage.store_event_batch


def _store_in_sqlite(storage: "SqliteEventLogStorage", events: "Sequence[EventLogEntry]") -> None:
    """Store materializations of one asset: the run's database first, then the index, a transaction each.

    As ``SqliteEventLogStorage.store_event`` does for one and ``PostgresEventLogStorage.store_event_batch`` for many:
    the asset's own row is that of the last event. If this fails, Dagster stores the events one by one.
    """
    rows = [storage._event_to_row(event) for event in events]  # noqa: SLF001 - see the module's docstring
    insert = SqlEventLogStorageTable.insert()
    with storage.run_connection(events[0].run_id) as connection:
        connection.execute(insert, rows)
    with storage.index_transaction() as connection:
        ids = [connection.execute(insert, row).lastrowid for row in rows]
        storage._store_asset_event_tags(connection, events, ids)  # noqa: SLF001 - as above
        storage._store_asset_event(connection, events[-1], ids[-1])  # noqa: SLF001 - as above
