"""Stale documents cut into runs: which documents go together, and through which stages.

Whoever starts runs (the command line, sensors, schedules) cuts them here, so that at shard grain no two runs ever write
the same bucket. Starts nothing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assets.stale import Stale
from indx_core.app.ingest.listing import ListedSource, partition_name
from indx_core.contracts.ingest import Stage
from indx_core.kit.config import LoadedConfig


@dataclass(frozen=True, slots=True)
class Batch:
    """Documents that go through the same stages in one run."""

    job: str
    stages: tuple[Stage, ...]
    sources: tuple[ListedSource, ...]


def batches(stale: Sequence[Stale], loaded: LoadedConfig) -> Iterator[Batch]:
    """Stale documents grouped by their stages and cut into runs; at shard grain a bucket is never cut in two."""
    groups: dict[tuple[Stage, ...], list[ListedSource]] = {}
    for each in stale:
        groups.setdefault(each.stages, []).append(each.source)
    for stages, sources in groups.items():
        yield from (Batch("ingest", stages, tuple(cut)) for cut in _cuts(sources, loaded))


def _cuts(sources: Sequence[ListedSource], loaded: LoadedConfig) -> Iterator[list[ListedSource]]:
    size = loaded.config.batch_size
    by_partition: dict[str, list[ListedSource]] = {}
    for source in sources:
        by_partition.setdefault(partition_name(source.key, loaded.config), []).append(source)
    cut: list[ListedSource] = []
    for members in by_partition.values():
        if cut and len(cut) + len(members) > size:
            yield cut
            cut = []
        cut += members
    if cut:
        yield cut
