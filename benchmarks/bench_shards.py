"""What a corpus of a million documents costs in buckets: CPU seconds, memory, bytes.

    python benchmarks/bench_shards.py [--documents 1000000] [--shards 1024] [--percent 1]

A corpus that is a generated manifest, listed and bucketed whole; one percent of it (whole buckets, real files of some
1.5 kB) ingested by real runs in this process, the rest recorded as if it had been; then one document changes. Memory is
the peak of a process of its own. ``docs/sizing.md`` is written from these tables and from those of
``bench_partitions.py``, which has a partition per document.
"""

import argparse
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from measured import Number, load, show
from simulated import (
    CORPUS,
    Manifest,
    cpu,
    documents_left_out,
    event_bytes,
    in_its_own_process,
    listed,
    opened_session,
    path_of,
    peak,
    timed,
    write_document,
)

from indx_core.contracts.ingest import Grain, Stage

if TYPE_CHECKING:
    from indx_core.app.ingest.listing import ListedSource
    from indx_core.app.ingest.task import DocumentOutcome
    from indx_dagster.launch import Session

DOCUMENTS, SHARDS, PERCENT = 1_000_000, 1024, 1.0


def million(documents: int, shards: int, percent: float) -> list[Number]:
    found: list[Number] = []
    with opened_session(Grain.SHARD, shards) as session:
        manifest = Manifest(documents)
        sources, numbers = _discovery(session, manifest)
        found += numbers
        stale, seconds = timed(session.stale, sources)
        found.append(cpu(f"{documents:,} documents, nothing recorded: what is stale and why", seconds))
        sampled = max(1, round(shards * percent / 100))
        found += _sample(session, stale, sampled, documents)
        del stale
        _record_the_rest(session, sources, sampled)
        up_to_date, seconds = timed(session.stale, sources)
        assert up_to_date == [], up_to_date[:3]
        found.append(cpu(f"{documents:,} documents, all up to date: what is stale", seconds))
        del sources
        found += _one_change(session, manifest, sampled, shards)
    return found


def _discovery(session: "Session", manifest: Manifest) -> tuple[list["ListedSource"], list[Number]]:
    """Listing, keys and buckets, and the recorded listing read back."""
    from indx_core.app.ingest.listings import record_listing, recorded_listing

    label = f"{manifest.documents:,} documents"
    before = peak()
    sources, seconds = timed(listed, session, manifest)
    found = [cpu(f"{label}: listing to sorted source keys", seconds, f"peak {peak() - before:,.0f} MiB more")]
    before = peak()
    _none, seconds = timed(record_listing, session.lake, CORPUS, sources, session.loaded.config)
    found.append(cpu(f"{label}: into buckets, and written", seconds, f"peak {peak() - before:,.0f} MiB more"))
    _none, seconds = timed(record_listing, session.lake, CORPUS, sources, session.loaded.config)
    found.append(cpu(f"{label}: an unchanged listing again", seconds))
    partitions = [name for name in session.lake.partitions("listing") if name.startswith(f"{CORPUS}/")]
    again, seconds = timed(recorded_listing, session.lake, partitions)
    assert len(again) == manifest.documents
    found.append(cpu(f"{label}: the recorded listing read back", seconds))
    size = sum(item.size for item in session.lake.objects("listing"))
    found.append(Number("recorded listing", size / manifest.documents, "B/doc", note=f"{len(partitions)} objects"))
    return sources, found


def _sample(session: "Session", stale: Sequence[Any], sampled: int, documents: int) -> list[Number]:
    """Real documents of the first buckets through real runs, and what the whole would take."""
    from assets.batches import batches
    from indx_core.app.ingest.listings import partition_name
    from indx_core.kit.keys import shard_name

    config, wanted = session.loaded.config, {shard_name(index) for index in range(sampled)}
    chosen = [each for each in stale if partition_name(each.source.key, config) in wanted]
    for each in chosen:
        write_document(session, int(each.source.path.rpartition("-")[2].removesuffix(".txt")))
    planned, planning = timed(lambda: list(batches(chosen, session.loaded)))
    spent, wall = time.process_time(), time.perf_counter()
    for batch in planned:
        assert session.run(batch).success
    spent, wall = time.process_time() - spent, time.perf_counter() - wall
    count, runs = len(chosen), len(planned)
    whole = documents / count
    stored = sum(file.stat().st_size for file in (session.loaded.folder / "lake").rglob("*.parquet"))
    stored -= sum(item.size for item in session.lake.objects("listing"))
    events = event_bytes(session)
    note = f"{count:,} documents in {runs} runs; {load()}"
    return [
        Number("sample: a document through all six assets", spent / count * 1000, "ms CPU", note=note),
        Number("sample: the same", wall / count * 1000, "ms wall", note=f"batches cut in {planning.cpu:.2f} s"),
        Number("extrapolated: the corpus, one process", spent * whole / 3600, "CPU h"),
        Number("sample: tables in the lake", stored / count * 1000 / 1e6, "MB/1000", note="documents of 1.5 kB"),
        Number("sample: event log", events / count, "B/doc", note=f"{events / runs / 1e3:.0f} kB a run"),
        Number("peak memory so far", peak(), "MiB"),
    ]


def _record_the_rest(session: "Session", sources: Sequence["ListedSource"], sampled: int) -> None:
    """Observations of every other document, and the events of every other bucket, copied from the sample's."""
    import pyarrow as pa

    from assets.batches import Batch
    from indx_core.app.ingest.listings import partition_name
    from indx_core.contracts import tables as t
    from indx_core.kit.keys import shard_name
    from indx_core.kit.lake import encode_table

    config = session.loaded.config
    pattern = session.lake.read(t.SOURCES.name, shard_name(0)).slice(0, 1)
    plans = session.lake.read(t.PLANS.name, shard_name(0)).slice(0, 1)
    buckets: dict[str, list[ListedSource]] = {}
    for source in sources:
        buckets.setdefault(partition_name(source.key, config), []).append(source)
    rest = [shard_name(index) for index in range(sampled, config.shards)]
    for shard in rest:
        members = buckets[shard]
        repeated = pa.concat_tables([pattern] * len(members)).combine_chunks()
        for name, values in (
            ("key", [source.key for source in members]),
            ("source_version", [source.source_version for source in members]),
            ("source_digest", [f"sha256:{abs(hash(source.key)):064x}" for source in members]),
        ):
            index = repeated.schema.get_field_index(name)
            repeated = repeated.set_column(index, repeated.schema.field(index), pa.array(values, pa.string()))
        session.lake.write(t.SOURCES.name, shard, encode_table(repeated))
        session.lake.write(t.PLANS.name, shard, encode_table(plans))
    with documents_left_out():
        first_of_each = tuple(buckets[shard][0] for shard in rest)
        for start in range(0, len(first_of_each), 200):
            assert session.run(Batch("ingest", tuple(Stage), first_of_each[start : start + 200])).success


def _one_change(session: "Session", manifest: Manifest, sampled: int, shards: int) -> list[Number]:
    """One document of a sampled bucket changes: how many are read again, how long, how much is written."""
    from assets.batches import batches
    from indx_core.kit.keys import shard_of, source_key

    number = next(
        n for n in range(manifest.documents) if shard_of(source_key(CORPUS, path_of(n), ""), shards) < sampled
    )
    manifest.revised[number] = 1
    write_document(session, number, revision=1)
    sources, listing = timed(listed, session, manifest)
    stale, asking = timed(session.stale, sources)
    (batch,) = batches(stale, session.loaded)
    processed: list[DocumentOutcome] = []
    session.on_outcome = processed.append
    started = time.time()
    result, running = timed(session.run, batch)
    assert result.success
    written = [f for f in (session.loaded.folder / "lake").rglob("*.parquet") if f.stat().st_mtime >= started - 0.01]
    size = sum(file.stat().st_size for file in written)
    return [
        Number("one changed document: documents processed", len(processed), "docs", limit=1),
        cpu("one changed document: listing again", listing),
        cpu("one changed document: what is stale", asking),
        cpu("one changed document: its run", running, f"{len(written)} objects, {size / 1e6:.2f} MB rewritten"),
        Number("peak memory", peak(), "MiB", note=load()),
    ]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=DOCUMENTS)
    parser.add_argument("--shards", type=int, default=SHARDS)
    parser.add_argument("--percent", type=float, default=PERCENT, help="of the buckets, ingested")
    given = parser.parse_args()
    show(in_its_own_process(million, documents=given.documents, shards=given.shards, percent=given.percent))
