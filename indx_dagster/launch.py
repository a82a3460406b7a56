"""Runs started from the command line: stale documents in batches, one Dagster run each, in this process.

Belongs here: what a run is asked for and how its outcomes reach the caller. Does not: deciding what is stale
(``assets/stale.py``), and printing (``cli.py``).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import dagster as dg

from assets.batches import Batch
from assets.in_flight import WORKER, Worker, in_flight
from assets.keys import asset_key
from assets.partitions import register
from assets.requests import run_config, run_tags
from assets.stale import Stale, stale_sources
from indx_core.app.ingest.corpus import Corpus
from indx_core.app.ingest.listing import ListedSource, list_corpus
from indx_core.app.ingest.listings import partition_name, record_listing, record_single
from indx_core.app.ingest.options import require_installed
from indx_core.app.ingest.task import DocumentOutcome
from indx_core.app.installation import Installation
from indx_core.contracts.errors import IndxError, InternalError, SettingsInvalid
from indx_core.contracts.ingest import Grain
from indx_core.kit.config import LoadedConfig
from indx_core.kit.lake import Lake
from indx_dagster.definitions import build_defs
from indx_dagster.home import open_instance


@dataclass
class Session:
    """One command's view: instance, configuration, installation and lake, each taken once."""

    loaded: LoadedConfig
    on_outcome: Callable[[DocumentOutcome], None] = lambda _outcome: None
    instance: dg.DagsterInstance = field(default_factory=open_instance)
    installation: Installation = field(default_factory=Installation.current)
    lake: Lake = field(default_factory=Lake.open)

    def __post_init__(self) -> None:
        config = self.loaded.config
        require_installed(
            {config.options(name) for name in config.corpora} | {config.ingest}, self.installation.snapshot
        )
        self._defs = build_defs(loaded=self.loaded, installation=self.installation, progress=self._progress)

    def _progress(self, outcome: DocumentOutcome) -> None:
        self.on_outcome(outcome)

    def discover(self, corpora: Sequence[Corpus], *, record: bool = True) -> list[ListedSource]:
        """List the corpora completely, record the listings, and return what was asked for of them.

        A file named by hand is looked at alone: the listing of its corpus stands, with that one row new.

        Args:
            corpora: What to list.
            record: Whether the listings go into the lake; a dry run writes nothing.

        Raises:
            SourceUnreadable: A root is not there, or its listing broke off; nothing is recorded then.
        """
        found: list[ListedSource] = []
        for corpus in corpora:
            listed = list_corpus(corpus, self.installation.registry)
            if record and corpus.single:
                listed = [record_single(self.lake, source, self.loaded.config) for source in listed]
            elif record:
                record_listing(self.lake, corpus.name, listed, self.loaded.config)
            found += [source for source in listed if corpus.covers(source.path)]
        return found

    def stale(self, sources: Sequence[ListedSource]) -> list[Stale]:
        """Which of them a run would change, in which stages, and why."""
        return stale_sources(sources, self.instance, self.lake, self.loaded, self.installation)

    def holders(self, sources: Sequence[ListedSource]) -> dict[str, str]:
        """Documents that an unfinished run is about, by key, each with the id of that run."""
        holders = in_flight(self.instance, self.loaded).holders
        partitions = {source.key: partition_name(source.key, self.loaded.config) for source in sources}
        return {key: holders[partition] for key, partition in partitions.items() if partition in holders}

    def run(
        self, batch: Batch, tags: Mapping[str, str] | None = None, engines: list[str] | None = None
    ) -> dg.ExecuteInProcessResult:
        """One Dagster run over a batch, in this process. A run with refused documents ends as failed and says so.

        The documents are a list in the run's config, since tags can only name a contiguous range. Those that an earlier
        run is about are left to it, and have no outcome here.

        Args:
            batch: What to run.
            tags: Run tags beside those that every run has.
            engines: Engines that the documents' plans name, where somebody read them.

        Raises:
            KeyboardInterrupt: Ctrl-C; what was committed until then stands.
            IndxError: The run failed for another reason than the documents it lists.
        """
        keys = [source.key for source in batch.sources]
        if self.loaded.config.grain is Grain.SOURCE:
            register(self.instance, keys)
        result = self._defs.resolve_job_def(batch.job).execute_in_process(
            instance=self.instance,
            asset_selection=[asset_key(stage) for stage in batch.stages],
            run_config={**run_config(batch, engines), "loggers": {"console": {"config": {"log_level": "CRITICAL"}}}},
            tags={**run_tags(batch, self.loaded, tags), WORKER: Worker.current().tag()},
            raise_on_error=False,
        )
        if was_interrupted(result):
            raise KeyboardInterrupt
        error = broken_off(result)
        if error is not None:
            raise error
        return result


def was_interrupted(result: dg.ExecuteInProcessResult) -> bool:
    """Whether Ctrl-C ended the run. Dagster turns the signal into a failure of the step."""
    errors = (event.step_failure_data.error for event in result.all_events if event.is_step_failure)
    return any(error is not None and "Interrupt" in (error.cls_name or "") for error in errors)


def broken_off(result: dg.ExecuteInProcessResult) -> IndxError | None:
    """The error of a run that failed otherwise than by the documents it lists (``resources/failures.py``)."""
    for event in result.all_events:
        if not event.is_step_failure:
            continue
        user, error = event.step_failure_data.user_failure_data, event.step_failure_data.error
        if user is None:
            message = error.message.strip().splitlines()[0] if error is not None else "no reason was recorded"
            return InternalError(f"run {result.run_id} broke off: {message}", remedy="see the run in the UI")
        if "failed" not in user.metadata:
            return SettingsInvalid(user.description or "the deployment is at fault", remedy="see the message")
    return None
