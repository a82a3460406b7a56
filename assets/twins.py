"""Documents that may have the bytes of those a run is about: known ones of the same length.

A rename and a copy keep the length, which a listing tells without fetching anything; so a corpus without duplicates
pays one look at its listing. What a candidate was observed as, and the versions of its output, are in the event log.
At shard grain no document has events of its own, and nothing is reused.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

import dagster as dg

from assets.recorded import data_versions
from indx_core.app.ingest.listing import ListedSource
from indx_core.app.ingest.retire import tombstones
from indx_core.app.ingest.sweep import listed_columns
from indx_core.app.ingest.task import DocumentOutcome, Twin
from indx_core.contracts.ingest import Grain, Stage
from indx_core.kit.config import LoadedConfig
from indx_core.kit.lake import Lake

REUSED = (Stage.OBSERVATION, Stage.PAGE_READS, Stage.CHUNKS)
"""Stages whose versions say whether a twin's output is the same."""
MOST = 8
"""Twins a task carries: documents of one length and different bytes are few, except in a folder of fixed forms."""


class Twins:
    """Known documents by length: those of before, and those that this run has finished."""

    def __init__(self, instance: dg.DagsterInstance, lake: Lake, loaded: LoadedConfig) -> None:
        self._instance = instance
        self._lake = lake
        self._loaded = loaded
        self._known: dict[tuple[str, int], dict[str, Twin]] = defaultdict(dict)

    def prepare(self, sources: Sequence[ListedSource], touched: Collection[str]) -> list[ListedSource]:
        """Look up what is known.

        Args:
            sources: Documents of the run.
            touched: Keys of those whose version in the listing changed: their own rows may be those of their bytes.

        Returns:
            The documents in an order in which copies follow what they may be copies of.
        """
        if self._loaded.config.grain is not Grain.SOURCE:
            return list(sources)
        for corpus in sorted({source.corpus for source in sources}):
            self._look_up(corpus, {source.byte_count for source in sources if source.corpus == corpus}, touched)
        seen: set[tuple[str, int]] = set()
        firsts: list[ListedSource] = []
        repeats: list[ListedSource] = []
        for source in sources:
            place = (source.corpus, source.byte_count)
            (repeats if place in seen else firsts).append(source)
            seen.add(place)
        return firsts + repeats

    def of(self, source: ListedSource) -> tuple[Twin, ...]:
        """Candidates for one document, one per digest."""
        known = self._known.get((source.corpus, source.byte_count), {})
        by_digest = {twin.digest: twin for _, twin in sorted(known.items(), reverse=True)}
        return tuple(by_digest[digest] for digest in sorted(by_digest))[:MOST]

    def add(self, outcome: DocumentOutcome, corpus: str) -> None:
        """A document that this run has finished, whose rows are in the lake."""
        if self._loaded.config.grain is not Grain.SOURCE or not all(stage in outcome.reports for stage in REUSED):
            return
        observed, key = outcome.reports[Stage.OBSERVATION], outcome.task.key
        versions = tuple((stage, outcome.reports[stage].data_version) for stage in REUSED)
        place = (corpus, int(observed.facts["bytes"]))
        self._known[place][key] = Twin(key, outcome.task.partition, observed.data_version, versions)

    def _look_up(self, corpus: str, lengths: set[int], touched: Collection[str]) -> None:
        lengths_of = {key: length for key, length in self._listed(corpus) if length in lengths}
        shared = defaultdict(list)
        for key, length in lengths_of.items():
            shared[length].append(key)
        candidates = {key for keys in shared.values() for key in keys if len(keys) > 1 or key in touched}
        if not candidates:
            return
        versions = {stage: data_versions(self._instance, stage, candidates) for stage in REUSED}
        for key in candidates:
            if all(key in found for found in versions.values()):
                digest = versions[Stage.OBSERVATION][key]
                of_key = tuple((stage, versions[stage][key]) for stage in REUSED)
                self._known[corpus, lengths_of[key]][key] = Twin(key, key, digest, of_key)

    def _listed(self, corpus: str) -> Iterator[tuple[str, int]]:
        """Documents that are listed, and those that are gone and whose rows still stand."""
        yield from listed_columns(self._lake, corpus, self._loaded.config)
        for stone in tombstones(self._lake, corpus).values():
            if stone.serving and stone.byte_count is not None:
                yield stone.key, stone.byte_count
