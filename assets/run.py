"""One run over many documents: which, in which stages, with which plans; then what became of each.

The bridge between a Dagster step and ``app/ingest``: everything a step body asks for before and after the one core
function it calls. Holds no processing.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import dagster as dg

from assets import broken
from assets.in_flight import CONCLUDED, WORKER, Worker, in_flight
from assets.keys import stage_of
from assets.log import log_outcome
from assets.partitions import partition_keys
from assets.plan_of_record import plans_in
from assets.pools import pools_of
from assets.record import DocumentRecorder, RunPlan
from assets.recorded import data_versions, plan_metadata
from assets.shards import ShardRecorder
from assets.sources import named_sources, sources_behind
from assets.stages import code_versions
from assets.stale import refusal_basis
from assets.totals import Totals
from assets.twins import Twins
from indx_core.app.ingest.batch import run_tasks
from indx_core.app.ingest.listing import ListedSource
from indx_core.app.ingest.listings import partition_name
from indx_core.app.ingest.options import require_installed
from indx_core.app.ingest.recipe import recipes, upstream
from indx_core.app.ingest.task import DocumentOutcome, DocumentTask
from indx_core.app.installation import Installation
from indx_core.contracts.ingest import Grain, Stage
from indx_core.contracts.plan import RoutePlan
from indx_core.kit.config import LoadedConfig
from indx_core.kit.lake import Lake
from resources.failures import batch_failure, deployment_failure, is_deployment_fault

Recorder = DocumentRecorder | ShardRecorder
FORCED = "forced"
"""The reason of a document that somebody wants read again, known or not."""


@dataclass(frozen=True)
class BatchRun:
    """A run as prepared from its context."""

    context: dg.AssetExecutionContext
    loaded: LoadedConfig
    lake: Lake
    installation: Installation
    sources: Sequence[ListedSource]
    stages: Sequence[Stage]
    record: RunPlan
    twins: Twins

    @classmethod
    def prepare(
        cls,
        context: dg.AssetExecutionContext,
        keys: Sequence[str],
        loaded: LoadedConfig,
        reasons: Mapping[str, Sequence[str]] = MappingProxyType({}),
    ) -> "BatchRun":
        """Find the documents and what was recorded of them.

        Args:
            context: Of the step; its partition tags name the documents unless ``keys`` does.
            keys: Source keys out of the run's config: an arbitrary list, which partition tags cannot say.
            loaded: ``indx.toml``.
            reasons: Why documents are processed, with their source keys.
        """
        context.instance.add_run_tags(context.run.run_id, {WORKER: Worker.current().tag()})
        lake, installation = Lake.open(), Installation.current()
        selected = {stage_of(key) for key in context.selected_asset_keys}
        stages = [stage for stage in Stage if stage in selected]
        partitions = () if keys else partition_keys(context)
        sources = (
            _not_taken(named_sources(keys, lake, loaded), context, loaded)
            if keys
            else sources_behind(partitions, lake, loaded)
        )
        names = {partition_name(source.key, loaded.config) for source in sources}
        options = {loaded.config.options(source.corpus) for source in sources}
        require_installed(options, installation.snapshot)
        outside = {up for stage in stages for up in upstream(stage)} - set(stages)
        record = RunPlan(
            stages=stages,
            code_versions=code_versions(installation, loaded.config.ingest),
            recipes={each: recipes(each, installation.snapshot) for each in options},
            versions={stage: data_versions(context.instance, stage, names) for stage in outside},
            reasons={key: reason for reason, about in reasons.items() for key in about},
        )
        twins = Twins(context.instance, lake, loaded)
        return cls(context, loaded, lake, installation, sources, stages, record, twins)

    def pools(self, engines: Sequence[str] | None) -> list[str]:
        """Concurrency pools that the run takes a slot of, see ``pools.py``."""
        return pools_of(list(self.record.recipes), self.stages, self.installation, engines)

    def tasks(self) -> Iterator[DocumentTask]:
        """One task per document, with its plan of record where this run executes one."""
        plans = self._plans() if Stage.PAGE_READS in self.stages and Stage.PLAN not in self.stages else {}
        touched = {key for key, reason in self.record.reasons.items() if "source changed" in reason}
        sources = self.twins.prepare(self.sources, touched) if self._reuses else self.sources
        for source in sources:
            partition = partition_name(source.key, self.loaded.config)
            options = self.loaded.config.options(source.corpus)
            versions = self.record.versions.items()
            yield DocumentTask(
                key=source.key,
                corpus=source.corpus,
                path=source.path,
                uri=source.uri,
                version=source.source_version,
                partition=partition,
                stages=tuple(self.stages),
                options=options,
                basis=refusal_basis(self.record.recipes[options]),
                plan=plans.get(source.key),
                versions=tuple((stage, found[partition]) for stage, found in versions if partition in found),
                twins=self.twins.of(source) if self._reuses and not self._is_forced(source) else (),
            )

    def recorder(self) -> Recorder:
        """Who records the outcomes, by grain."""
        kind = DocumentRecorder if self.loaded.config.grain is Grain.SOURCE else ShardRecorder
        return kind(self.context, self.lake, self.record)

    def execute(self, progress: Callable[[DocumentOutcome], None]) -> Recorder:
        """Run every document; what is done stays recorded, also when the run is interrupted.

        Raises:
            dagster.Failure: A deployment fault: it would meet every other document too.
        """
        recorder, totals = self.recorder(), Totals()
        outcomes = run_tasks(self.tasks(), self.lake, self.loaded.config.grain)
        try:
            for outcome in outcomes:
                recorder.add(outcome)
                self.twins.add(outcome, outcome.task.corpus)
                totals.add(outcome)
                log_outcome(outcome)
                progress(outcome)
                if is_deployment_fault(outcome) and outcome.failure is not None:
                    raise deployment_failure(outcome.failure.error)
        finally:
            outcomes.close()
            recorder.flush()
            self.context.instance.add_run_tags(self.context.run.run_id, totals.tags())
        return recorder

    @property
    def _reuses(self) -> bool:
        """A replay executes a plan of record; what is planned now may find its pages read already."""
        return {Stage.OBSERVATION, Stage.PLAN, Stage.PAGE_READS} <= set(self.stages)

    def _is_forced(self, source: ListedSource) -> bool:
        return self.record.reasons.get(source.key) == FORCED

    def _plans(self) -> Mapping[str, RoutePlan]:
        by_partition: dict[str, list[str]] = {}
        for source in self.sources:
            by_partition.setdefault(partition_name(source.key, self.loaded.config), []).append(source.key)
        metadata = plan_metadata(self.context.instance, list(by_partition))
        found: dict[str, RoutePlan] = {}
        for partition, recorded in metadata.items():
            found |= plans_in(recorded, by_partition[partition], self.lake)
        return found


def _not_taken(
    sources: Sequence[ListedSource], context: dg.AssetExecutionContext, loaded: LoadedConfig
) -> list[ListedSource]:
    """Those that no earlier run is about: whoever asked for this one saw that there was none, and so did the other."""
    taken = in_flight(context.instance, loaded, before=context.run.run_id).partitions
    return [source for source in sources if partition_name(source.key, loaded.config) not in taken]


def conclude(context: dg.AssetExecutionContext, recorder: Recorder) -> None:
    """Log what the checks found over the run, and end it as failed if documents could not be processed.

    Raises:
        dagster.Failure: So that these documents show as FAILED; without retries, and the others stay materialized.
    """
    selected = context.op_execution_context.selected_asset_check_keys
    for evaluation in recorder.verdicts.evaluations(selected):
        context.log_event(evaluation)
    if broken.KEY in selected:
        context.log_event(broken.evaluation(recorder.lake))
    context.instance.add_run_tags(context.run.run_id, {CONCLUDED: "true"})
    if recorder.failed:
        raise batch_failure(recorder.failed, recorder.verdicts.documents)
