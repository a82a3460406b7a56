"""Listings in the lake: what a corpus held when it was last listed, whole or by bucket.

The only way from a partition key back to an address when a key was cut or a file name was not NFC. How a listing is
made is in ``listing``.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING

from indx_core.app.ingest.listing import ListedSource
from indx_core.contracts import tables as t
from indx_core.contracts.ingest import Grain, IndxConfig
from indx_core.kit.keys import shard_name, shard_of, told_apart
from indx_core.kit.lake import Lake, encode_table

if TYPE_CHECKING:
    import pyarrow as pa

_COLUMNS = [field.name for field in fields(ListedSource)]


def record_listing(lake: Lake, corpus: str, sources: Sequence[ListedSource], config: IndxConfig) -> None:
    """Write a complete listing: one object per corpus at source grain, one per bucket at shard grain.

    Buckets that the listing leaves empty lose their object.
    """
    for partition, members in _partitioned(corpus, sources, config).items():
        lake.write(t.LISTING.name, partition, encode_table(listing_table(members)) if members else None)


def record_single(lake: Lake, source: ListedSource, config: IndxConfig) -> ListedSource:
    """Put one document into its corpus's recorded listing, whose other rows stand; returns it under its listed key."""
    partition = source.corpus
    if config.grain is Grain.SHARD:
        partition = f"{source.corpus}/{shard_name(shard_of(source.key, config.shards))}"
    others = {row.key: row for row in recorded_listing(lake, [partition])}
    same = next((row for row in others.values() if row.uri == source.uri), None)
    if same is not None:
        source = replace(source, key=same.key)
    elif source.key in others:
        source = replace(source, key=told_apart(source.key, source.uri))
    rows = sorted({**others, source.key: source}.values(), key=lambda row: row.key)
    lake.write(t.LISTING.name, partition, encode_table(listing_table(rows)))
    return source


def recorded_listing(lake: Lake, partitions: Iterable[str], keys: Collection[str] | None = None) -> list[ListedSource]:
    """Sources as last listed.

    Args:
        lake: Where listings are kept.
        partitions: Listing partitions: ``<corpus>`` at source grain, ``<corpus>/<shard>`` at shard grain.
        keys: Only these source keys; ``None`` for all.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    found: list[ListedSource] = []
    for partition in partitions:
        table = lake.read(t.LISTING.name, partition)
        if table is None:
            continue
        if keys is not None:
            table = table.filter(pc.is_in(table.column("key"), value_set=pa.array(list(keys), pa.string())))
        found += sources_in(table)
    return found


def sources_in(table: "pa.Table") -> list[ListedSource]:
    """Rows of ``listing`` as sources."""
    columns = [table.column(name).to_pylist() for name in _COLUMNS]
    return [ListedSource(*row) for row in zip(*columns, strict=True)]


def recorded_corpora(lake: Lake) -> list[str]:
    """Names of the corpora that were ever listed."""
    return sorted({partition.partition("/")[0] for partition in lake.partitions(t.LISTING.name)})


def partition_name(key: str, config: IndxConfig) -> str:
    """The Dagster partition, and lake partition, that holds a source key."""
    return key if config.grain is Grain.SOURCE else shard_name(shard_of(key, config.shards))


def _partitioned(corpus: str, sources: Sequence[ListedSource], config: IndxConfig) -> dict[str, list[ListedSource]]:
    if config.grain is Grain.SOURCE:
        return {corpus: list(sources)}
    found: dict[str, list[ListedSource]] = {f"{corpus}/{shard_name(i)}": [] for i in range(config.shards)}
    for source in sources:
        found[f"{corpus}/{shard_name(shard_of(source.key, config.shards))}"].append(source)
    return found


def listing_table(sources: Sequence[ListedSource]) -> "pa.Table":
    """A row per source, made column by column: a million rows as dictionaries take three times as long."""
    import pyarrow as pa

    values = {name: [getattr(source, name) for source in sources] for name in _COLUMNS}
    return pa.Table.from_pydict(values, schema=t.LISTING.schema)
