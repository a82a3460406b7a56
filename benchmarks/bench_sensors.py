"""A sensor over many objects: seconds per tick, size of the cursor, ticks until everything was asked for.

    python benchmarks/bench_sensors.py [--documents 100000]

A folder of that many small files and Dagster's SQLite storage, both real. What a tick asks for is not executed: its
events are written as runs would write them, all six per document, so that the next tick meets a log of that size. Then
a settled corpus is looked at, and one in which a document is new, one changed and one gone. Wall clock and CPU are of
the process that evaluates, which in a deployment is the code server; Dagster breaks a tick off after 60 seconds.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from measured import Number, load, show

from indx_core.contracts.ingest import CorpusConfig, IndxConfig, IngestOptions, SensorOptions, Stage
from indx_core.kit.config import LoadedConfig
from indx_core.kit.settings import overriding

LIMIT = 60.0
"""Dagster's own limit on a tick."""
PER_FOLDER = 1_000
TOGETHER = 1_000
"""Events written in one transaction."""


def numbers(documents: int, folder: Path) -> Iterator[Number]:
    """Every number of one corpus."""
    import dagster as dg

    root = folder / "documents"
    for number in range(documents):
        if number % PER_FOLDER == 0:
            (root / f"{number // PER_FOLDER:04}").mkdir(parents=True)
        (root / f"{number // PER_FOLDER:04}" / f"{number:06}.txt").write_text(f"document {number}")
    corpora = {"many": CorpusConfig(root="documents", sensor=SensorOptions(retire_at_most=0.1))}
    loaded = LoadedConfig(IndxConfig(corpora=corpora, ingest=IngestOptions(languages=False)), folder)
    home = folder / "home"
    home.mkdir()
    with (
        overriding({"INDX_LAKE": str(folder / "lake")}),
        dg.DagsterInstance.local_temp(str(home), overrides={"telemetry": {"enabled": False}}) as instance,
    ):
        corpus = Watched(instance, loaded)
        yield from _first(corpus, documents)
        yield from _again("nothing changed", corpus)
        (root / "0000" / "new.txt").write_text("a new document")
        (root / "0000" / "000001.txt").write_text("a changed document")
        (root / "0000" / "000002.txt").unlink()
        yield from _again("one new, one changed, one gone", corpus)


def _first(corpus: "Watched", documents: int) -> Iterator[Number]:
    asked, ticks = 0, []
    while asked < documents:
        ticks.append(corpus.tick())
        asked += corpus.asked
    seconds = [wall for wall, _ in ticks]
    yield Number("first ingestion: ticks", len(ticks), "ticks", note=f"{asked:,} documents asked for")
    yield Number("first ingestion: the first tick, with the listing", seconds[0], "s", LIMIT, note=load())
    yield Number("first ingestion: the longest of the others", max(seconds[1:], default=0.0), "s", LIMIT, note=load())
    yield Number("first ingestion: CPU of all ticks", sum(cpu for _, cpu in ticks), "s")
    yield Number("cursor, longest", corpus.longest_cursor, "bytes", 300)


def _again(what: str, corpus: "Watched") -> Iterator[Number]:
    """Ticks until the sweep that begins now has ended."""
    ticks, asked, sweep = [], 0, corpus.sweep
    while corpus.sweep == sweep:
        ticks.append(corpus.tick())
        asked += corpus.asked
    note = f"{len(ticks)} ticks, {asked} documents asked for; {load()}"
    yield Number(f"{what}: the longest tick", max(wall for wall, _ in ticks), "s", LIMIT, note=note)
    yield Number(f"{what}: CPU of all ticks", sum(cpu for _, cpu in ticks), "s")


class Watched:
    """A corpus under a sensor, whose runs are written into the event log instead of executed."""

    def __init__(self, instance: "object", loaded: LoadedConfig) -> None:
        self.instance, self.loaded = instance, loaded
        self.cursor: str | None = None
        self.longest_cursor = 0
        self.asked = 0

    @property
    def sweep(self) -> int:
        from indx_dagster.sensors.cursor import Cursor

        return Cursor.decode(self.cursor).sweep

    def tick(self) -> tuple[float, float]:
        """One evaluation, and the events of what it asked for; returns wall and CPU seconds of the evaluation."""
        from assets.ingest import STEP
        from indx_dagster.sensors.cursor import Cursor
        from indx_dagster.sensors.tick import Tick

        wall, cpu = time.perf_counter(), time.process_time()
        found = Tick(self.instance, self.loaded, "many").run(Cursor.decode(self.cursor))  # type: ignore[arg-type]
        spent = time.perf_counter() - wall, time.process_time() - cpu
        self.cursor = found.cursor
        self.longest_cursor = max(self.longest_cursor, len((found.cursor or "").encode()))
        keys = [key for each in found.run_requests or () for key in each.run_config["ops"][STEP]["config"]["sources"]]
        self.asked = len(keys)
        print(f"tick: {spent[0]:.2f} s, {len(keys)} asked for, {found.cursor}", file=sys.stderr, flush=True)
        self._record(keys)
        return spent

    def _record(self, keys: Sequence[str]) -> None:
        """Materializations of all six assets, with the versions and bases that a run records."""
        from assets.events import _store_in_sqlite

        for start in range(0, len(keys), TOGETHER):
            for stage, events in self._events(keys[start : start + TOGETHER]).items():
                assert events, stage
                _store_in_sqlite(self.instance.event_log_storage, events)  # type: ignore[attr-defined]

    def _events(self, keys: Sequence[str]) -> dict[Stage, list[object]]:
        import dagster as dg
        from dagster._core.events import DagsterEvent, StepMaterializationData
        from dagster._core.events.log import EventLogEntry

        from assets import keys as names
        from assets.keys import asset_key
        from assets.recorded import DATA_VERSION
        from assets.sources import named_sources
        from indx_core.app.ingest.recipe import Basis, data_version, recipes, upstream
        from indx_core.app.installation import Installation
        from indx_core.kit.lake import Lake

        recipe = recipes(self.loaded.config.ingest, Installation.current().snapshot)
        found: dict[Stage, list[object]] = {stage: [] for stage in Stage}
        for source in named_sources(keys, Lake.open(), self.loaded):
            made: dict[Stage, str] = {}
            for stage in Stage:
                above = {up: made[up] for up in upstream(stage)}
                made[stage] = data_version(stage, above, recipe[stage], source.source_version)
                tags = {
                    DATA_VERSION: made[stage],
                    names.BASIS: Basis(source.source_version, *recipe[stage]).encode(),
                }
                event = dg.AssetMaterialization(asset_key(stage), partition=source.key, tags=tags)
                data = StepMaterializationData(event)
                kind = dg.DagsterEventType.ASSET_MATERIALIZATION.value
                logged = DagsterEvent(event_type_value=kind, job_name="ingest", event_specific_data=data)
                found[stage].append(EventLogEntry(None, 10, "", "bench", time.time(), None, "ingest", logged))
        return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=100_000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        sys.exit(0 if show(numbers(arguments.documents, Path(temporary))) else 1)
