"""A corpus with its own Dagster instance and lake in a temporary folder, driven through the code location itself."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import dagster as dg

from assets.batches import Batch, batches
from assets.keys import asset_key
from assets.partitions import partitions_def
from indx_core.app.ingest.corpus import Corpus, named_corpus
from indx_core.app.ingest.listing import ListedSource
from indx_core.app.ingest.listings import partition_name
from indx_core.app.ingest.task import DocumentOutcome
from indx_core.app.installation import Installation
from indx_core.contracts.ingest import CorpusConfig, Grain, IndxConfig, IngestOptions, Stage
from indx_core.kit.config import LoadedConfig
from indx_core.kit.lake import Lake
from indx_core.kit.settings import overriding
from indx_dagster.launch import Session

ALL = tuple(Stage)


class DagsterCorner:
    """One corpus called ``corner``; every run happens in this process, its documents too."""

    def __init__(self, folder: Path, grain: Grain, options: IngestOptions, instance: dg.DagsterInstance) -> None:
        self.folder = folder
        self.root = folder / "documents"
        self.root.mkdir(exist_ok=True)
        self.instance = instance
        self.outcomes: list[DocumentOutcome] = []
        self.use(options, grain)

    def use(self, options: IngestOptions, grain: Grain | None = None, installation: Installation | None = None) -> None:
        """Load the code location anew, as a restart after a change would."""
        grain = grain or self.loaded.config.grain
        config = IndxConfig(grain=grain, shards=2, corpora={"corner": CorpusConfig(root="documents")}, ingest=options)
        self.loaded = LoadedConfig(config, self.folder)
        self.session = Session(
            self.loaded, self.outcomes.append, self.instance, installation or Installation.current(), Lake.open()
        )

    def write(self, **documents: str | bytes) -> None:
        for name, text in documents.items():
            (self.root / f"{name}.txt").write_bytes(text if isinstance(text, bytes) else text.encode())

    def discover(self) -> list[ListedSource]:
        return self.session.discover([self.corpus])

    @property
    def corpus(self) -> Corpus:
        return named_corpus("corner", self.loaded)

    def stale(self) -> dict[str, tuple[str, ...]]:
        """Reasons by document name."""
        return {each.source.path.removesuffix(".txt"): each.reasons for each in self.session.stale(self.discover())}

    def ingest(self) -> list[dg.ExecuteInProcessResult]:
        """Bring everything up to date; one result per run."""
        self.outcomes.clear()
        return [self.session.run(batch) for batch in batches(self.session.stale(self.discover()), self.loaded)]

    def run(self, *names: str, stages: tuple[Stage, ...] = ALL, job: str = "ingest") -> dg.ExecuteInProcessResult:
        """Run some documents through some stages, stale or not."""
        self.outcomes.clear()
        wanted = {f"{name}.txt" for name in names}
        sources = tuple(source for source in self.discover() if source.path in wanted)
        return self.session.run(Batch(job, stages, sources))

    def processed(self) -> Counter[str]:
        return Counter(outcome.task.path.removesuffix(".txt") for outcome in self.outcomes)

    def key(self, name: str) -> str:
        return f"corner/{name}.txt"

    def status(self, stage: Stage, *names: str) -> list[str | None]:
        """MATERIALIZED, FAILED or None, by document at source grain and by its bucket at shard grain."""
        keys = [partition_name(self.key(name), self.loaded.config) for name in names]
        found = self.instance.get_status_by_partition(asset_key(stage), keys, partitions_def(self.loaded.config))
        return [found[key].value if found and found[key] else None for key in keys]

    def materialization(self, stage: Stage, name: str) -> dg.AssetMaterialization:
        partition = partition_name(self.key(name), self.loaded.config)
        wanted = dg.AssetRecordsFilter(asset_key(stage), asset_partitions=[partition])
        return self.instance.fetch_materializations(wanted, limit=1).records[0].asset_materialization

    def objects(self) -> dict[str, bytes]:
        """Every data object of the lake; traces and usage hold clock readings and are left out."""
        root = self.folder / "lake"
        return {
            str(path.relative_to(root)): path.read_bytes()
            for path in sorted(root.rglob("*.parquet"))
            if path.relative_to(root).parts[0] not in {"trace", "usage", "listing", "refusals"}
        }


@contextmanager
def dagster_corner(folder: Path, grain: Grain, **settings: str) -> Iterator[DagsterCorner]:
    """A corner with a persistent instance of its own."""
    home = folder / "home"
    home.mkdir(exist_ok=True)
    # A tick that a stalled machine made longer than 25 s would go on in the next one, where a test expects a whole sweep.
    lake, tick = str(folder / "lake"), "900"
    variables = {"INDX_LAKE": lake, "INDX_WORKERS": "0", "INDX_SENSOR_TICK_SECONDS": tick, **settings}
    with (
        overriding(variables),
        dg.DagsterInstance.local_temp(str(home), overrides={"telemetry": {"enabled": False}}) as instance,
    ):
        yield DagsterCorner(folder, grain, IngestOptions(languages=False), instance)
