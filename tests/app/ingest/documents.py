"""A folder of small text documents, a lake, and the chain over them in this process: no worker, no Dagster."""

from dataclasses import replace
from pathlib import Path

from indx_core.app.ingest.chain import run_document
from indx_core.app.ingest.commit import committer
from indx_core.app.ingest.corpus import Corpus
from indx_core.app.ingest.listing import ListedSource, list_corpus
from indx_core.app.ingest.listings import partition_name
from indx_core.app.ingest.state import Workshop
from indx_core.app.ingest.task import STAGES, DocumentOutcome, DocumentTask
from indx_core.app.installation import Installation
from indx_core.contracts.ingest import Grain, IndxConfig, IngestOptions, Stage
from indx_core.kit.lake import Lake, LakeSettings, encode_table

OPTIONS = IngestOptions(languages=False)


class Corner:
    """A corpus in a folder with its lake."""

    def __init__(self, folder: Path, grain: Grain = Grain.SOURCE, options: IngestOptions = OPTIONS) -> None:
        self.root = folder / "documents"
        self.root.mkdir()
        self.lake = Lake.open(LakeSettings(lake=str(folder / "lake")))
        self.config = IndxConfig(grain=grain, shards=2)
        self.options = options

    def write(self, name: str, text: str | bytes) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def listed(self) -> list[ListedSource]:
        return list_corpus(Corpus("corner", str(self.root)), Installation.current().registry)

    def task(self, name: str, stages: tuple[Stage, ...] = STAGES, **fields: object) -> DocumentTask:
        source = next(source for source in self.listed() if source.path == name)
        task = DocumentTask(
            key=source.key,
            corpus=source.corpus,
            path=source.path,
            uri=source.uri,
            version=source.source_version,
            partition=partition_name(source.key, self.config),
            stages=stages,
            options=self.options,
        )
        return replace(task, **fields)

    def run(self, *tasks: DocumentTask) -> list[DocumentOutcome]:
        """Outcomes, committed."""
        workshop = Workshop(Installation.current(), self.lake, encode_table)
        sink = committer(self.lake, self.config.grain)
        outcomes = [run_document(task, workshop) for task in tasks]
        for outcome in outcomes:
            sink.commit(outcome)
        sink.close()
        return outcomes

    def objects(self) -> dict[str, bytes]:
        """Every object of the lake by name, clocked tables left out."""
        root = Path(self.lake.store.root)
        return {
            str(path.relative_to(root)): path.read_bytes()
            for path in sorted(root.rglob("*.parquet"))
            if path.relative_to(root).parts[0] not in {"trace", "usage"}
        }
