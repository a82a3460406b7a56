"""A corpus listed in parts and walked in slices, for callers whose time is limited.

A store that can be listed from a key on is listed as far as the time allows; the parts wait in the lake, and only when
the last one is there do they become the corpus's listing. What can only be listed whole is. Nothing half listed is ever
seen as a listing.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from indx_core.app.ingest.corpus import Corpus
from indx_core.app.ingest.listing import ListedSource, list_corpus, listed_sources
from indx_core.app.ingest.listings import listing_table, partition_name, recorded_listing, sources_in
from indx_core.contracts import tables as t
from indx_core.contracts.ingest import Grain, IndxConfig
from indx_core.contracts.source import SourceEntry
from indx_core.kit.intake.resolve import list_root_after
from indx_core.kit.keys import shard_name
from indx_core.kit.lake import Lake, decode_table, encode_table
from indx_core.kit.registry import Registry

FOLDER = "listing_parts"
SLICE = 5_000
"""Documents compared at a time: half a second of queries, and little more than the runs in flight can take."""
LOOK = 500
"""Entries between two looks at the clock."""


@dataclass(frozen=True, slots=True)
class Part:
    """How far a listing has come.

    Attributes:
        after: The last path listed.
        parts: Parts in the lake.
        sources: The whole listing, once it is complete.
    """

    after: str = ""
    parts: int = 0
    sources: list[ListedSource] | None = None


def list_on(corpus: Corpus, registry: Registry, lake: Lake, done: Part, until: float) -> Part:
    """Go on with a listing until it is complete or the time is up.

    Args:
        corpus: What to list.
        registry: Whose loaders list.
        lake: Where parts wait.
        done: How far it has come; ``Part()`` begins anew.
        until: Reading of ``time.monotonic()`` to stop at.

    Raises:
        SourceForbidden: A loader's guard refuses the root.
        SourceUnreadable: The root is not there, or the listing broke off. Parts of before stand.
    """
    entries = list_root_after(corpus.root, registry, done.after)
    if entries is None:
        return Part(sources=list_corpus(corpus, registry))
    found: list[SourceEntry] = []
    for entry in entries:
        found.append(entry)
        if len(found) % LOOK == 0 and time.monotonic() > until:
            _put(lake, corpus, done.parts, found)
            return Part(found[-1].path, done.parts + 1)
    earlier = [_part(lake, corpus, number) for number in range(done.parts)]
    if None in earlier:  # a lake that was emptied meanwhile: what is left must not pass for the whole
        return Part()
    return Part(sources=listed_sources(corpus, [*(entry for part in earlier for entry in part or ()), *found]))


def drop_parts(lake: Lake, corpus: Corpus, parts: int) -> None:
    """Remove the parts of a listing that is recorded."""
    for number in range(parts):
        lake.store.delete(_name(corpus, number))


def slice_after(lake: Lake, corpus: str, config: IndxConfig, after: str) -> tuple[list[ListedSource], str]:
    """Some documents of the recorded listing, in the order of their partitions; a partition is never cut in two.

    Args:
        lake: Holds the listing.
        corpus: Its name.
        config: Grain and shards.
        after: The last partition that is done with; empty to begin.

    Returns:
        The documents, and their last partition; no documents at the end.
    """
    if config.grain is Grain.SOURCE:
        sources = _rows_after(lake, corpus, after)
        return sources, sources[-1].key if sources else ""
    found: list[ListedSource] = []
    last = ""
    for partition in (name for name in map(shard_name, range(config.shards)) if name > after):
        found += recorded_listing(lake, [f"{corpus}/{partition}"])
        last = partition
        if len(found) >= SLICE:
            break
    return found, last if found else ""


def listed_columns(lake: Lake, corpus: str, config: IndxConfig) -> Iterator[tuple[str, int]]:
    """Key and length of every document of the recorded listing."""
    names = [corpus] if config.grain is Grain.SOURCE else [f"{corpus}/{shard_name(i)}" for i in range(config.shards)]
    for name in names:
        table = lake.read(t.LISTING.name, name)
        if table is not None:
            yield from zip(table.column("key").to_pylist(), table.column("byte_count").to_pylist(), strict=True)


def sources_of_length(lake: Lake, corpus: str, config: IndxConfig, lengths: set[int]) -> list[ListedSource]:
    """Documents of the recorded listing that are one of these many bytes long."""
    wanted = [key for key, length in listed_columns(lake, corpus, config) if length in lengths]
    if config.grain is Grain.SOURCE:
        return recorded_listing(lake, [corpus], wanted) if wanted else []
    shards = sorted({partition_name(key, config) for key in wanted})
    return recorded_listing(lake, [f"{corpus}/{shard}" for shard in shards], wanted)


def _rows_after(lake: Lake, corpus: str, after: str) -> list[ListedSource]:
    import pyarrow.compute as pc

    table = lake.read(t.LISTING.name, corpus)
    if table is None:
        return []
    return sources_in(table.filter(pc.greater(table.column("key"), after)).sort_by("key").slice(0, SLICE))


def _put(lake: Lake, corpus: Corpus, number: int, entries: Sequence[SourceEntry]) -> None:
    """Everything that was listed, wanted or not: keys are given, and patterns asked, when all of it is there."""
    rows = [
        ListedSource(e.path, corpus.name, corpus.root, e.path, e.uri, e.size, e.version, e.modified) for e in entries
    ]
    lake.store.put(_name(corpus, number), encode_table(listing_table(rows)))


def _part(lake: Lake, corpus: Corpus, number: int) -> list[SourceEntry] | None:
    data = lake.store.get(_name(corpus, number))
    if data is None:
        return None
    rows = sources_in(decode_table(t.LISTING.name, data))
    return [SourceEntry(row.uri, row.path, row.byte_count, row.source_version, row.modified) for row in rows]


def _name(corpus: Corpus, number: int) -> str:
    return f"{FOLDER}/{corpus.name}/{number:05d}.parquet"
