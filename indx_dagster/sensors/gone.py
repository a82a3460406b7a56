"""Documents that the complete listing of a corpus no longer holds: of a sensor's sweep, or of `indx ingest`.

First a tombstone and an observation event, before anything is asked for, so that they are seen and a renamed document
finds what was read of it. At the end, when nothing of the same length waits to be read, their rows and
their partitions go. A listing that misses more than the corpus allows retires nothing.
"""

import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

import dagster as dg

from assets.keys import STATUS, asset_key
from assets.partitions import SOURCES
from assets.stale import stale_sources
from indx_core.app.ingest.listings import partition_name
from indx_core.app.ingest.retire import (
    Tombstone,
    embedding_spaces,
    has_rows,
    observed_keys,
    remove,
    tombstone,
    tombstones,
    write_tombstones,
)
from indx_core.app.ingest.sweep import listed_columns, sources_of_length
from indx_core.app.installation import Installation
from indx_core.contracts.ingest import Grain, Stage
from indx_core.kit.config import LoadedConfig
from indx_core.kit.lake import Lake
from indx_dagster.sensors.patience import Patience

ALWAYS = 10
"""Documents that one listing may call gone however few there are: deleting three of four is no accident."""
EVENTS = 200
"""Observation events per tick: Dagster logs a sensor's one by one, 24 ms each. The tombstones are all written."""
REMOVED = 50
"""Documents removed between two looks at the clock."""


@dataclass
class Retirement:
    """What becomes of one corpus's gone documents within one tick, or one command.

    Attributes:
        until: Reading of ``time.monotonic()`` at which it stops; what is left is for the next one.
        events: What Dagster is to be told.
        buried: Keys that were given a tombstone.
        refused: Why nothing was retired, where the listing misses too much.
    """

    instance: dg.DagsterInstance
    lake: Lake
    loaded: LoadedConfig
    installation: Installation
    corpus: str
    until: float
    events: list[dg.AssetObservation] = field(default_factory=list)
    buried: list[str] = field(default_factory=list)
    refused: str = ""

    def bury(self) -> bool:
        """Record what is gone until all of it is, or the time is up; returns whether it is all."""
        listed = self._listed()
        stones = self._without_returned(tombstones(self.lake, self.corpus), listed)
        missing = self.missing(listed, stones)
        now = round(time.time() * 1000)
        found: dict[str, Tombstone] = {}
        for key in missing:
            found[key] = tombstone(self.lake, key, self.loaded.config, now)
            if len(self.events) < EVENTS:
                self.events.append(_observation(found[key], partition_name(key, self.loaded.config)))
            if time.monotonic() > self.until:
                break
        if found:
            write_tombstones(self.lake, self.corpus, {**stones, **found})
        self.buried += found
        return len(found) == len(missing)

    def missing(self, listed: Collection[str], stones: Collection[str]) -> list[str]:
        """Keys of what a complete listing calls gone now; none, and ``refused`` says why, where that is too much.

        Args:
            listed: Keys of the listing.
            stones: Keys with a tombstone.
        """
        known = self._known()
        missing = sorted(known.difference(listed, stones))
        if len(missing) <= max(ALWAYS, self.loaded.config.sensor_of(self.corpus).retire_at_most * len(known)):
            return missing
        self.refused = (
            f"the listing misses {len(missing)} of {len(known)} documents: nothing is retired. If they are gone "
            f"indeed, raise retire_at_most of the corpus in indx.toml"
        )
        return []

    def remove(self, patience: Patience) -> bool:
        """Remove the rows of what nothing stands in for; returns whether the time sufficed."""
        stones = tombstones(self.lake, self.corpus)
        if stones:  # a listing of meanwhile may have them again
            stones = self._without_returned(stones, self._listed())
        serving = {key: stone for key, stone in stones.items() if stone.serving}
        if not serving:
            return True
        awaited = self._awaited_lengths({stone.byte_count for stone in serving.values()}, patience)
        config = self.loaded.config
        due = [
            key
            for key, stone in sorted(serving.items())
            if stone.byte_count not in awaited and partition_name(key, config) not in patience.taken
        ]
        spaces = embedding_spaces(self.lake) if due else []
        for start in range(0, len(due), REMOVED):
            if start and time.monotonic() > self.until:
                return False
            some = due[start : start + REMOVED]
            remove(self.lake, some, config, spaces)
            if config.grain is Grain.SOURCE:
                for key in some:
                    self.instance.delete_dynamic_partition(SOURCES, key)
            stones = {**stones, **{key: replace(stones[key], serving=False) for key in some}}
            write_tombstones(self.lake, self.corpus, stones)
        return True

    def _listed(self) -> dict[str, int]:
        return dict(listed_columns(self.lake, self.corpus, self.loaded.config))

    def _known(self) -> set[str]:
        """Documents that were ever asked for and not removed since."""
        if self.loaded.config.grain is Grain.SOURCE:
            return {key for key in self.instance.get_dynamic_partitions(SOURCES) if key.startswith(f"{self.corpus}/")}
        return observed_keys(self.lake, self.corpus)

    def _without_returned(self, stones: dict[str, Tombstone], listed: Mapping[str, int]) -> dict[str, Tombstone]:
        """Tombstones of documents that are there again, and have been read again, are taken away."""
        back = {
            key
            for key, stone in stones.items()
            if key in listed and (stone.serving or has_rows(self.lake, key, self.loaded.config))
        }
        if not back:
            return stones
        kept = {key: stone for key, stone in stones.items() if key not in back}
        write_tombstones(self.lake, self.corpus, kept)
        return kept

    def _awaited_lengths(self, lengths: Collection[int | None], patience: Patience) -> set[int]:
        """Which of these lengths a document has that waits to be read: it may be a gone one under another name."""
        wanted = {length for length in lengths if length is not None}
        sources = sources_of_length(self.lake, self.corpus, self.loaded.config, wanted) if wanted else []
        if not sources:
            return set()
        stale = stale_sources(sources, self.instance, self.lake, self.loaded, self.installation, some=True)
        return {each.source.byte_count for each in stale if patience.waits(each)}


def _observation(stone: Tombstone, partition: str) -> dg.AssetObservation:
    return dg.AssetObservation(
        asset_key(Stage.OBSERVATION),
        partition=partition,
        description=f"{stone.key} is gone from its corpus",
        metadata={STATUS: "gone", "document": stone.key, "uri": stone.uri, "bytes": stone.byte_count or 0},
    )
