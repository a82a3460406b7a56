"""What a corpus of a million documents costs, and where the two grains part: CPU seconds, memory, bytes.

    python benchmarks/bench_shards.py million [--documents 1000000] [--shards 1024] [--percent 1]
    python benchmarks/bench_shards.py source [--source 1000 10000 50000] [--postgres]

``million``: a corpus that is a generated manifest, listed and bucketed whole; one percent of it (whole buckets, real
files of some 1.5 kB) ingested by real runs in this process, the rest recorded as if it had been; then one document
changes. ``source``: a partition per document. Runs, events, listings and questions are real; only the processing of a
document is left out, and its rows are those of one document that was processed, so that the numbers are Dagster's and
the lake's. Every size is a process of its own; memory is its peak. ``docs/sizing.md`` is written from these tables.
"""

import argparse
import os
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from measured import Number, load, show

from indx_core.contracts.ingest import CorpusConfig, Grain, IndxConfig, IngestOptions, Stage
from indx_core.contracts.source import SourceEntry
from indx_core.kit.settings import overriding

if TYPE_CHECKING:
    from indx_core.app.ingest.listing import ListedSource
    from indx_core.app.ingest.task import DocumentOutcome, DocumentTask
    from indx_core.kit.lake import Lake
    from indx_dagster.launch import Session

ROOT = Path(__file__).resolve().parent.parent
DEFINITIONS = ROOT / "indx_dagster" / "definitions.py"
CORPUS = "bench"
DOCUMENTS, SHARDS, PERCENT = 1_000_000, 1024, 1.0
SOURCE_SIZES = (1_000, 10_000, 50_000)
MEASURED = 2_000
"""Documents that go through real runs at source grain; the others' events are copies of theirs."""
MODIFIED = 1_767_225_600.0
PARAGRAPH = (
    "Minutes {number}: the committee met on day {day} and approved {amount} yen for the repair of building {building}. "
)


class Manifest:
    """A lister of documents that need not exist: ``manifest:`` followed by their folder's URI.

    Attributes:
        revised: Documents that have another version than the first.
    """

    distribution = "bench-manifest"
    schemes = ("manifest",)

    def __init__(self, documents: int) -> None:
        self.documents = documents
        self.revised: dict[int, int] = {}

    def load(self, uri: str, _max_bytes: int | None) -> Any:
        raise NotImplementedError(uri)

    def list(self, root: str) -> Iterator[SourceEntry]:
        folder = root.removeprefix("manifest:")
        for number in range(self.documents):
            path = path_of(number)
            revision = self.revised.get(number, 0)
            yield SourceEntry(f"{folder}/{path}", path, 1_500, f"1500-{number}-{revision}", MODIFIED)


def path_of(number: int) -> str:
    """A thousand documents a folder, as an archive by date has."""
    return f"{number // 1_000:04}/議事録-{number:07}.txt"


def text_of(number: int, revision: int = 0) -> str:
    line = PARAGRAPH.format(number=number, day=number % 365, amount=1_000 + number, building=number % 97)
    return f"{line * 12}\nrevision {revision}\n"


def numbers_of(section: str, **arguments: Any) -> list[Number]:
    """A section in a process of its own, so that its peak memory is its own."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(SECTIONS[section], **arguments).result()


# --- a million documents in buckets --------------------------------------------------------------------------------


def million(documents: int, shards: int, percent: float) -> list[Number]:
    found: list[Number] = []
    with _session(Grain.SHARD, shards) as session:
        manifest = Manifest(documents)
        sources, numbers = _discovery(session, manifest)
        found += numbers
        stale, seconds = _timed(session.stale, sources)
        found.append(_cpu(f"{documents:,} documents, nothing recorded: what is stale and why", seconds))
        sampled = max(1, round(shards * percent / 100))
        found += _sample(session, stale, sampled, documents)
        del stale
        _record_the_rest(session, sources, sampled)
        up_to_date, seconds = _timed(session.stale, sources)
        assert up_to_date == [], up_to_date[:3]
        found.append(_cpu(f"{documents:,} documents, all up to date: what is stale", seconds))
        del sources
        found += _one_change(session, manifest, sampled, shards)
    return found


def _discovery(session: "Session", manifest: Manifest) -> tuple[list["ListedSource"], list[Number]]:
    """Listing, keys and buckets, and the recorded listing read back."""
    from indx_core.app.ingest.listings import record_listing, recorded_listing

    label = f"{manifest.documents:,} documents"
    before = _peak()
    sources, seconds = _timed(_list, session, manifest)
    found = [_cpu(f"{label}: listing to sorted source keys", seconds, f"peak {_peak() - before:,.0f} MiB more")]
    before = _peak()
    _none, seconds = _timed(record_listing, session.lake, CORPUS, sources, session.loaded.config)
    found.append(_cpu(f"{label}: into buckets, and written", seconds, f"peak {_peak() - before:,.0f} MiB more"))
    _none, seconds = _timed(record_listing, session.lake, CORPUS, sources, session.loaded.config)
    found.append(_cpu(f"{label}: an unchanged listing again", seconds))
    partitions = [name for name in session.lake.partitions("listing") if name.startswith(f"{CORPUS}/")]
    again, seconds = _timed(recorded_listing, session.lake, partitions)
    assert len(again) == manifest.documents
    found.append(_cpu(f"{label}: the recorded listing read back", seconds))
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
        _write(session, int(each.source.path.rpartition("-")[2].removesuffix(".txt")))
    planned, planning = _timed(lambda: list(batches(chosen, session.loaded)))
    cpu, wall = time.process_time(), time.perf_counter()
    for batch in planned:
        assert session.run(batch).success
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    count, runs = len(chosen), len(planned)
    whole = documents / count
    stored = sum(file.stat().st_size for file in (session.loaded.folder / "lake").rglob("*.parquet"))
    stored -= sum(item.size for item in session.lake.objects("listing"))
    events = _event_bytes(session)
    note = f"{count:,} documents in {runs} runs; {load()}"
    return [
        Number("sample: a document through all six assets", cpu / count * 1000, "ms CPU", note=note),
        Number("sample: the same", wall / count * 1000, "ms wall", note=f"batches cut in {planning.cpu:.2f} s"),
        Number("extrapolated: the corpus, one process", cpu * whole / 3600, "CPU h"),
        Number("sample: tables in the lake", stored / count * 1000 / 1e6, "MB/1000", note="documents of 1.5 kB"),
        Number("sample: event log", events / count, "B/doc", note=f"{events / runs / 1e3:.0f} kB a run"),
        Number("peak memory so far", _peak(), "MiB"),
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
    with _documents_left_out():
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
    _write(session, number, revision=1)
    sources, listing = _timed(_list, session, manifest)
    stale, asking = _timed(session.stale, sources)
    (batch,) = batches(stale, session.loaded)
    processed: list[DocumentOutcome] = []
    session.on_outcome = processed.append
    started = time.time()
    result, running = _timed(session.run, batch)
    assert result.success
    written = [f for f in (session.loaded.folder / "lake").rglob("*.parquet") if f.stat().st_mtime >= started - 0.01]
    size = sum(file.stat().st_size for file in written)
    return [
        Number("one changed document: documents processed", len(processed), "docs", limit=1),
        _cpu("one changed document: listing again", listing),
        _cpu("one changed document: what is stale", asking),
        _cpu("one changed document: its run", running, f"{len(written)} objects, {size / 1e6:.2f} MB rewritten"),
        Number("peak memory", _peak(), "MiB", note=load()),
    ]


# --- a partition per document --------------------------------------------------------------------------------------


def source(documents: int, postgres: bool) -> list[Number]:
    label = f"{documents:,} partitions, {'Postgres' if postgres else 'SQLite'}"
    found: list[Number] = []
    with _session(Grain.SOURCE, 1, postgres=postgres) as session:
        manifest = Manifest(documents)
        sources, seconds = _timed(_listed_and_recorded, session, manifest)
        found.append(_cpu(f"{label}: listing, keys, recorded", seconds))
        found += _partitions(session, sources, label)
        stale, seconds = _timed(session.stale, sources)
        found.append(_cpu(f"{label}: what is stale, nothing recorded", seconds))
        found += _runs(session, stale, label)
        up_to_date, seconds = _timed(session.stale, sources)
        assert up_to_date == [], up_to_date[:3]
        found.append(_cpu(f"{label}: what is stale, all up to date", seconds))
        manifest.revised[documents // 2] = 1
        changed, seconds = _timed(lambda: session.stale(_listed_and_recorded(session, manifest)))
        assert [each.source.path for each in changed] == [path_of(documents // 2)]
        found.append(_cpu(f"{label}: listing again, one changed found", seconds))
        found += _status(session, label)
        found.append(Number(f"{label}: peak memory", _peak(), "MiB", note=load()))
    return found


def _partitions(session: "Session", sources: Sequence["ListedSource"], label: str) -> list[Number]:
    from assets.partitions import register

    keys = [source.key for source in sources]
    new, seconds = _timed(register, session.instance, keys)
    assert len(new) == len(keys)
    again, known = _timed(register, session.instance, keys)
    assert again == []
    return [
        _cpu(f"{label}: creating them", seconds),
        _cpu(f"{label}: none of them new", known),
    ]


def _runs(session: "Session", stale: Sequence[Any], label: str) -> list[Number]:
    """The first runs of a first ingest, among as many partitions, the documents themselves left out."""
    from assets.batches import batches

    milliseconds, empty = [], _event_bytes(session)
    with _documents_left_out():
        for batch in batches(stale[:MEASURED], session.loaded):
            result, took = _timed(session.run, batch)
            assert result.success
            milliseconds.append(took.cpu / len(batch.sources) * 1000)
    found = [
        Number(f"{label}: runs and events", statistics.mean(milliseconds), "ms CPU/doc", note=load()),
        Number(f"{label}: event log", (_event_bytes(session) - empty) / min(len(stale), MEASURED), "B/doc"),
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
    return _derived(_FIRST[first], session.loaded.config.options(CORPUS), source.source_version)


def _status(session: "Session", label: str) -> list[Number]:
    """What the UI asks of an asset's page: status by partition, cold and cached, counts, keys."""
    from dagster_graphql.test.utils import define_out_of_process_context, execute_dagster_graphql

    from assets.keys import asset_key
    from assets.partitions import partitions_def

    keys = session.instance.get_dynamic_partitions("sources")
    asked = (asset_key(Stage.CHUNKS), keys, partitions_def(session.loaded.config))
    statuses, cold = _timed(session.instance.get_status_by_partition, *asked)
    assert statuses is not None
    assert len(statuses) == len(keys)
    _again, cached = _timed(session.instance.get_status_by_partition, *asked)
    found = [_cpu(f"{label}: status of an asset, cold", cold), _cpu(f"{label}: the same, cached", cached)]
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
            answer, seconds = _timed(execute_dagster_graphql, context, text, {"k": {"path": ["chunks"]}})
            assert answer.data["assetNodeOrError"], answer.data
            size = len(str(answer.data))
            found.append(_cpu(f"{label}: GraphQL, {name}", seconds, f"{size / 1e6:.2f} MB"))
    return found


# --- shared --------------------------------------------------------------------------------------------------------


@contextmanager
def _session(grain: Grain, shards: int, *, postgres: bool = False) -> "Iterator[Session]":
    """A session on an empty instance and lake."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        home = folder / "home"
        home.mkdir()
        storage = ""
        if postgres:
            sys.path.insert(0, str(ROOT / "tests"))  # where the server for tests is
            from postgres_server import postgres_server, programs

            where = programs()
            if where is None:
                raise SystemExit("no Postgres server on this machine")
            url = stack.enter_context(postgres_server(where)).database("bench")
            storage = f'\nstorage:\n  postgres:\n    postgres_url: "{url}"\n'
        (home / "dagster.yaml").write_text((ROOT / "dagster.yaml").read_text() + storage)
        os.environ["DAGSTER_HOME"] = str(home)  # noqa: TID251 - of this process, which measures one section
        from indx_core.kit.config import LoadedConfig
        from indx_dagster.home import prepare_home

        prepare_home()
        from indx_dagster.launch import Session

        config = IndxConfig(
            grain=grain,
            shards=shards,
            batch_size=500,
            corpora={CORPUS: CorpusConfig(root="documents")},
            ingest=IngestOptions(languages=False),
        )
        stack.enter_context(overriding({"INDX_WORKERS": "0", "INDX_LAKE": str(folder / "lake")}))
        yield Session(LoadedConfig(config, folder))


@contextmanager
def _documents_left_out() -> Iterator[None]:
    """Runs in which no document is processed: the first of them is, and the others' outcomes are its, renamed.

    Data versions are made as the chain makes them, so that a later question finds every document up to date.
    """
    from unittest.mock import patch

    from indx_core.app.ingest.batch import run_tasks

    pattern: list[DocumentOutcome] = []

    def renamed(tasks: "Iterator[DocumentTask]", lake: "Lake", grain: Grain) -> "Iterator[DocumentOutcome]":
        for task in tasks:
            if not pattern:
                pattern.append(_processed(task, run_tasks))
            yield _copy(pattern[0], task, lake if grain is Grain.SOURCE else None)

    with patch("assets.run.run_tasks", renamed):
        yield


def _processed(task: "DocumentTask", run_tasks: Any) -> "DocumentOutcome":
    """One document really processed, into a lake that is thrown away."""
    from indx_core.kit.lake import Lake

    number = int(task.path.rpartition("-")[2].removesuffix(".txt"))
    with tempfile.TemporaryDirectory() as folder, overriding({"INDX_LAKE": folder}):
        file = Path(folder) / "document.txt"
        file.write_text(text_of(number), encoding="utf-8")
        (outcome,) = run_tasks([replace(task, uri=file.as_uri())], Lake.open(), Grain.SOURCE)
    assert outcome.failure is None, outcome.failure
    return outcome


def _copy(pattern: "DocumentOutcome", task: "DocumentTask", lake: "Lake | None") -> "DocumentOutcome":
    from indx_core.app.ingest.task import DocumentOutcome
    from indx_core.contracts import tables as t

    made = {stage: pattern.reports[stage].data_version for stage in (Stage.OBSERVATION, Stage.PLAN)}
    versions = _derived(made, task.options, task.version)
    reports = {stage: replace(report, data_version=versions[stage]) for stage, report in pattern.reports.items()}
    if lake is not None:
        for table in (t.SOURCES, t.PLANS, t.PAGES):
            lake.write(table.name, task.partition, b"PAR1")  # a name is all that is asked for
    return DocumentOutcome(task, reports=reports)


def _derived(made: dict[Stage, str], options: IngestOptions, source_version: str) -> dict[Stage, str]:
    """The versions of all stages from those of the first two."""
    from indx_core.app.ingest.recipe import data_version, recipes, upstream
    from indx_core.app.installation import Installation

    if options not in _RECIPES:
        _RECIPES[options] = recipes(options, Installation.current().snapshot)
    found = dict(made)
    for stage in (Stage.PAGE_READS, Stage.CHUNKS, Stage.EMBEDDINGS, Stage.ANNOTATIONS):
        above = {up: found[up] for up in upstream(stage)}
        found[stage] = data_version(stage, above, _RECIPES[options][stage], source_version)
    return found


_RECIPES: dict[IngestOptions, Any] = {}
_FIRST: dict[str, dict[Stage, str]] = {}


def _list(session: "Session", manifest: Manifest) -> list["ListedSource"]:
    from indx_core.app.ingest.corpus import Corpus
    from indx_core.app.ingest.listing import list_corpus
    from indx_core.kit.registry import discover

    registry = discover()
    registry = replace(registry, loaders=(*registry.loaders, manifest))
    root = (session.loaded.folder / "documents").as_uri()
    return list_corpus(Corpus(CORPUS, f"manifest:{root}"), registry)


def _listed_and_recorded(session: "Session", manifest: Manifest) -> list["ListedSource"]:
    from indx_core.app.ingest.listings import record_listing

    sources = _list(session, manifest)
    record_listing(session.lake, CORPUS, sources, session.loaded.config)
    return sources


def _write(session: "Session", number: int, revision: int = 0) -> None:
    file = session.loaded.folder / "documents" / path_of(number)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text_of(number, revision), encoding="utf-8")


def _event_bytes(session: "Session") -> float:
    """Bytes of the event log: files of SQLite, or what Postgres counts for its tables and indexes."""
    home = Path(session.instance.root_directory)
    files = sum(file.stat().st_size for file in (home / "history").rglob("*") if file.is_file())
    if "Postgres" not in type(session.instance.event_log_storage).__name__:
        return files
    from sqlalchemy import text

    with session.instance.event_log_storage.index_connection() as connection:
        return float(connection.execute(text("SELECT pg_database_size(current_database())")).scalar_one())


class Took(NamedTuple):
    """Seconds of CPU of this process, and on the clock."""

    cpu: float
    wall: float


def _timed(function: Any, *arguments: Any) -> tuple[Any, Took]:
    cpu, wall = time.process_time(), time.perf_counter()
    value = function(*arguments)
    return value, Took(time.process_time() - cpu, time.perf_counter() - wall)


def _cpu(what: str, took: Took, note: str = "") -> Number:
    return Number(what, took.cpu, "s CPU", note=f"wall {took.wall:.2f} s" + (f"; {note}" if note else ""))


def _peak() -> float:
    """Peak resident memory of this process so far, MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


SECTIONS = {"million": million, "source": source}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sections", nargs="*", choices=list(SECTIONS), metavar="SECTION", help=", ".join(SECTIONS))
    parser.add_argument("--documents", type=int, default=DOCUMENTS)
    parser.add_argument("--shards", type=int, default=SHARDS)
    parser.add_argument("--percent", type=float, default=PERCENT, help="of the buckets, ingested")
    parser.add_argument("--source", type=int, nargs="+", default=SOURCE_SIZES, help="partitions, a document each")
    parser.add_argument("--postgres", action="store_true", help="the event log of `source` in a real Postgres")
    given = parser.parse_args()
    if "million" in (given.sections or SECTIONS):
        show(numbers_of("million", documents=given.documents, shards=given.shards, percent=given.percent))
    if "source" in (given.sections or SECTIONS):
        for size in given.source:
            show(numbers_of("source", documents=size, postgres=given.postgres))
