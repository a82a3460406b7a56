"""Stale documents cut into runs: which documents go together, and through which stages.

Whoever starts runs (the command line, sensors, schedules) cuts them here, so that at shard grain no two runs ever write
the same bucket. Starts nothing.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from assets.stale import Stale
from indx_core.app.ingest.listing import ListedSource
from indx_core.app.ingest.listings import partition_name
from indx_core.contracts.ingest import Stage
from indx_core.kit.config import LoadedConfig


@dataclass(frozen=True, slots=True)
class Batch:
    """Documents that go through the same stages in one run.

    Attributes:
        reasons: Why, one entry per source; empty where nobody asked.
    """

    job: str
    stages: tuple[Stage, ...]
    sources: tuple[ListedSource, ...]
    reasons: tuple[tuple[str, ...], ...] = ()


def batches(stale: Sequence[Stale], loaded: LoadedConfig) -> Iterator[Batch]:
    """Stale documents grouped by their stages and cut into runs, by number and by size.

    At shard grain a bucket is never cut in two, and what is larger than the limits alone is a run of its own.
    """
    groups: dict[tuple[Stage, ...], list[Stale]] = {}
    for each in stale:
        groups.setdefault(each.stages, []).append(each)
    for stages, members in groups.items():
        for cut in _cuts(members, loaded):
            yield Batch("ingest", stages, tuple(each.source for each in cut), tuple(each.reasons for each in cut))


def without(batch: Batch, taken: Collection[str], loaded: LoadedConfig) -> Batch:
    """The batch without documents of these partitions: at shard grain another run may write the same bucket."""
    kept = [
        (source, reasons)
        for source, reasons in zip(batch.sources, batch.reasons, strict=True)
        if partition_name(source.key, loaded.config) not in taken
    ]
    return replace(batch, sources=tuple(source for source, _ in kept), reasons=tuple(reasons for _, reasons in kept))


def _cuts(stale: Sequence[Stale], loaded: LoadedConfig) -> Iterator[list[Stale]]:
    by_partition: dict[str, list[Stale]] = {}
    for each in stale:
        by_partition.setdefault(partition_name(each.source.key, loaded.config), []).append(each)
    cut: list[Stale] = []
    size = 0
    for members in by_partition.values():
        more = sum(each.source.byte_count for each in members)
        if cut and (len(cut) + len(members) > loaded.config.batch_size or size + more > loaded.config.batch_bytes):
            yield cut
            cut, size = [], 0
        cut += members
        size += more
    if cut:
        yield cut
