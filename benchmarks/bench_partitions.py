"""What a partition per document costs at 1,000, 10,000 and 50,000 of them: CPU seconds, memory, bytes.

    python benchmarks/bench_partitions.py [--source 1000 10000 50000] [--postgres]

Runs, events, listings and questions are real; only the processing of a document is left out, and its rows are those of
one document that was processed, so that the numbers are Dagster's and the lake's. Every size is a process of its own;
memory is its peak. ``docs/sizing.md`` is written from these tables and from those of ``bench_shards.py``.
"""

import argparse
import statistics
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from measured import Number, load, show
from simulated import (
    CORPUS,
    ROOT,
    Manifest,
    cpu,
    derived_versions,
    documents_left_out,
    event_bytes,
    in_its_own_process,
    listed_and_recorded,
    opened_session,
    path_of,
    peak,
    timed,
)

from indx_core.contracts.ingest import Grain, Stage

if TYPE_CHECKING:
    from indx_core.app.ingest.listing import ListedSource
    from indx_dagster.launch import Session

DEFINITIONS = ROOT / "indx_dagster" / "definitions.py"
SOURCE_SIZES = (1_000, 10_000, 50_000)
MEASURED = 2_000
"""Documents that go through real runs; the others' events are copies of theirs."""
_FIRST: dict[str, dict[Stage, str]] = {}


def source(documents: int, postgres: bool) -> list[Number]:
    label = f"{documents:,} partitions, {'Postgres' if postgres else 'SQLite'}"
    found: list[Number] = []
    with opened_session(Grain.SOURCE, 1, postgres=postgres) as session:
        manifest = Manifest(documents)
        sources, seconds = timed(listed_and_recorded, session, manifest)
        found.append(cpu(f"{label}: listing, keys, recorded", seconds))
        found += _partitions(session, sources, label)
        stale, seconds = timed(session.stale, sources)
        found.append(cpu(f"{label}: what is stale, nothing recorded", seconds))
        found += _runs(session, stale, label)
        up_to_date, seconds = timed(session.stale, sources)
        assert up_to_date == [], up_to_date[:3]
        found.append(cpu(f"{label}: what is stale, all up to date", seconds))
        manifest.revised[documents // 2] = 1
        changed, seconds = timed(lambda: session.stale(listed_and_recorded(session, manifest)))
        assert [each.source.path for each in changed] == [path_of(documents // 2)]
        found.append(cpu(f"{label}: listing again, one changed found", seconds))
        found += _status(session, label)
        found.append(Number(f"{label}: peak memory", peak(), "MiB", note=load()))
    return found


def _partitions(session: "Session", sources: Sequence["ListedSource"], label: str) -> list[Number]:
    from assets.partitions import register

    keys = [source.key for source in sources]
    new, seconds = timed(register, session.instance, keys)
    assert len(new) == len(keys)
    again, known = timed(register, session.instance, keys)
    assert again == []
    return [
        cpu(f"{label}: creating them", seconds),
        cpu(f"{label}: none of them new", known),
    ]


def _runs(session: "Session", stale: Sequence[Any], label: str) -> list[Number]:
    """The first runs of a first ingest, among as many partitions, the documents themselves left out."""
    from assets.batches import batches

    milliseconds, empty = [], event_bytes(session)
    with documents_left_out():
        for batch in batches(stale[:MEASURED], session.loaded):
            result, took = timed(session.run, batch)
            assert result.success
            milliseconds.append(took.cpu / len(batch.sources) * 1000)
    found = [
        Number(f"{label}: runs and events", statistics.mean(milliseconds), "ms CPU/doc", note=load()),
        Number(f"{label}: event log", (event_bytes(session) - empty) / min(len(stale), MEASURED), "B/doc"),
    ]
    _copy_events(session, [each.source for each in stale])
    return found


def _copy_events(session: "Session", sources: Sequence["ListedSource"]) -> None:
    """Materializations of the documents behind the measured ones, as those of the first: their own key and versions."""
    from dagster._core.storage.event_log.schema import AssetEventTagsTable, SqlEventLogStorageTable
    from sqlalchemy import select

    from assets.recorded import DATA_VERSION, pointers
    from indx_core.contracts import tables as t

    first, rest = sources[0], sources[MEASURED:]
    versions = [_versions(session, first.key, source) for source in rest]
    storage = session.instance.event_log_storage
    opened = getattr(storage, "index_transaction", storage.index_connection)
    for stage in Stage:
        (at,) = pointers(session.instance, stage, {first.key}).values()
        with opened() as connection:
            of_first = select(SqlEventLogStorageTable).where(SqlEventLogStorageTable.c.id == at)
            event = dict(connection.execute(of_first).mappings().one())
            of_event = select(AssetEventTagsTable).where(AssetEventTagsTable.c.event_id == at)
            tags = [dict(row) for row in connection.execute(of_event).mappings()]
            newest = select(SqlEventLogStorageTable.c.id).order_by(SqlEventLogStorageTable.c.id.desc()).limit(1)
            free = connection.execute(newest).scalar_one() + 1
            for start in range(0, len(rest), 500):
                part = list(enumerate(rest))[start : start + 500]
                rows = [event | {"id": free + n, "partition": s.key} for n, s in part]
                connection.execute(SqlEventLogStorageTable.insert(), rows)
                copies = [
                    {name: value for name, value in tag.items() if name != "id"}
                    | {"event_id": free + n}
                    | ({"value": versions[n][stage]} if tag["key"] == DATA_VERSION else {})
                    for n, _ in part
                    for tag in tags
                ]
                connection.execute(AssetEventTagsTable.insert(), copies)
    for source in rest:
        for table in (t.SOURCES, t.PLANS, t.PAGES):
            session.lake.write(table.name, source.key, b"PAR1")


def _versions(session: "Session", first: str, source: "ListedSource") -> dict[Stage, str]:
    """Data versions of a document, as the chain would make them of the first one's bytes."""
    from assets.recorded import data_versions

    if first not in _FIRST:
        _FIRST[first] = {
            stage: data_versions(session.instance, stage, [first])[first] for stage in (Stage.OBSERVATION, Stage.PLAN)
        }
    return derived_versions(_FIRST[first], session.loaded.config.options(CORPUS), source.source_version)


def _status(session: "Session", label: str) -> list[Number]:
    """What the UI asks of an asset's page: status by partition, cold and cached, counts, keys."""
    from dagster_graphql.test.utils import define_out_of_process_context, execute_dagster_graphql

    from assets.keys import asset_key
    from assets.partitions import partitions_def

    keys = session.instance.get_dynamic_partitions("sources")
    asked = (asset_key(Stage.CHUNKS), keys, partitions_def(session.loaded.config))
    statuses, cold = timed(session.instance.get_status_by_partition, *asked)
    assert statuses is not None
    assert len(statuses) == len(keys)
    _again, cached = timed(session.instance.get_status_by_partition, *asked)
    found = [cpu(f"{label}: status of an asset, cold", cold), cpu(f"{label}: the same, cached", cached)]
    field = "partitionStats { numMaterialized }"
    queries = {
        "partition counts": field,
        "status bar": "assetPartitionStatuses { ... on DefaultPartitionStatuses { materializedPartitions } }",
        "partition keys": "partitionKeysByDimension { partitionKeys }",
    }
    with define_out_of_process_context(str(DEFINITIONS), "defs", session.instance) as context:
        for name, inner in queries.items():
            text = (
                f"query($k: AssetKeyInput!) {{ assetNodeOrError(assetKey: $k) {{ ... on AssetNode {{ {inner} }} }} }}"
            )
            answer, seconds = timed(execute_dagster_graphql, context, text, {"k": {"path": ["chunks"]}})
            assert answer.data["assetNodeOrError"], answer.data
            size = len(str(answer.data))
            found.append(cpu(f"{label}: GraphQL, {name}", seconds, f"{size / 1e6:.2f} MB"))
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--source", type=int, nargs="+", default=SOURCE_SIZES, help="partitions, a document each")
    parser.add_argument("--postgres", action="store_true", help="the event log in a real Postgres")
    given = parser.parse_args()
    for size in given.source:
        show(in_its_own_process(source, documents=size, postgres=given.postgres))
