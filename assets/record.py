"""Outcomes into the event log: per document at source grain, in batches, with the tags that make staleness readable.

A batch is small enough that an interrupted run repeats little and large enough that events are stored together. Stages
are logged in order, so that each event can point at the upstream event it was made from: without that pointer Dagster
cannot say that a partition's input moved.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import dagster as dg

from assets import keys, plan_of_record
from assets.checks import Verdicts, evaluations
from assets.events import log_materializations, mark_failed
from assets.keys import asset_key
from assets.recorded import DATA_VERSION, pointers
from assets.stages import MODULES
from assets.tables import Metadata
from indx_core.app.ingest.recipe import Basis, upstream
from indx_core.app.ingest.task import DocumentOutcome
from indx_core.contracts.ingest import IngestOptions, Stage
from indx_core.kit.lake import Lake

BATCH = 50
"""Documents per batch of events."""


@dataclass(frozen=True, slots=True)
class RunPlan:
    """What a run records with, beside the outcomes.

    Attributes:
        stages: Stages of the run, in order.
        code_versions: By stage, as the asset specs state them.
        recipes: ``(settings, engines)`` hashes by stage, per options of a corpus.
        versions: Recorded data versions of upstream stages that are not part of the run, by stage and partition.
        reasons: Why documents are processed, by source key, as whoever asked for the run said.
    """

    stages: Sequence[Stage]
    code_versions: Mapping[Stage, str]
    recipes: Mapping[IngestOptions, Mapping[Stage, tuple[str, str]]]
    versions: Mapping[Stage, Mapping[str, str]]
    reasons: Mapping[str, str] = field(default_factory=dict)


@dataclass
class DocumentRecorder:
    """Records every document under its own partition."""

    context: dg.AssetExecutionContext
    lake: Lake
    run: RunPlan
    verdicts: Verdicts = field(default_factory=Verdicts)
    failed: list[DocumentOutcome] = field(default_factory=list)
    _waiting: list[DocumentOutcome] = field(default_factory=list)

    def add(self, outcome: DocumentOutcome) -> None:
        """Take an outcome whose rows are in the lake."""
        self.verdicts.add(outcome)
        self._waiting.append(outcome)
        if outcome.failure is not None:
            self.failed.append(outcome)
        if len(self._waiting) >= BATCH:
            self.flush()

    def flush(self) -> None:
        """Log what waits: materializations stage by stage, then the checks that were not passed, then failures.

        Interrupted half way, everything still waits: the flush that ends the run logs it again, and an event twice is
        better than a document whose rows stand in the lake and whose next ingest does not know.
        """
        batch = self._waiting
        seen: dict[Stage, Mapping[str, int]] = {}
        for stage in self.run.stages:
            done = [outcome for outcome in batch if stage in outcome.reports]
            if not done:
                continue
            above = {u: seen[u] if u in seen else self._pointers(u, done) for u in upstream(stage)}
            log_materializations(self.context, [self._materialization(stage, each, above) for each in done])
            if any(stage in upstream(later) for later in self.run.stages):
                seen[stage] = self._pointers(stage, done)
        for outcome in batch:
            for evaluation in evaluations(outcome):
                self.context.log_event(evaluation)
            if outcome.failure is not None:
                undone = [stage for stage in self.run.stages if stage not in outcome.reports]
                mark_failed(self.context, undone, outcome.task.partition)
        self._waiting = []

    def _pointers(self, stage: Stage, outcomes: Sequence[DocumentOutcome]) -> Mapping[str, int]:
        return pointers(self.context.instance, stage, {outcome.task.partition for outcome in outcomes})

    def _materialization(
        self, stage: Stage, outcome: DocumentOutcome, above: Mapping[Stage, Mapping[str, int]]
    ) -> dg.AssetMaterialization:
        report, task = outcome.reports[stage], outcome.task
        metadata: Metadata = MODULES[stage].metadata(report.facts)
        if task.key in self.run.reasons:
            metadata[keys.REASON] = dg.MetadataValue.text(self.run.reasons[task.key])
        if stage is Stage.PLAN:
            metadata[keys.PLAN] = plan_of_record.record({task.key: report.facts["plan"]}, self.lake)
        settings, engines = self.run.recipes[task.options][stage]
        inputs = {up: self._version(up, outcome) for up in upstream(stage)}
        return dg.AssetMaterialization(
            asset_key(stage),
            partition=task.partition,
            metadata=metadata,
            tags={
                DATA_VERSION: report.data_version,
                keys.BASIS: Basis(task.version, settings, engines).encode(),
                **provenance_tags(self.run.code_versions[stage], inputs, above, task.partition),
            },
        )

    def _version(self, stage: Stage, outcome: DocumentOutcome) -> str | None:
        if stage in outcome.reports:
            return outcome.reports[stage].data_version
        return self.run.versions.get(stage, {}).get(outcome.task.partition)


def provenance_tags(
    code_version: str,
    inputs: Mapping[Stage, str | None],
    above: Mapping[Stage, Mapping[str, int]],
    partition: str,
) -> dict[str, str]:
    """The tags Dagster itself writes on events it makes, and compares to tell fresh from stale.

    Hand-logged events carry none by themselves, and a partition without them is never shown as out of date.
    """
    tags = {"dagster/code_version": code_version}
    for stage, version in inputs.items():
        pointer = above[stage].get(partition)
        if version is not None and pointer is not None:
            tags[f"dagster/input_data_version/{stage.value}"] = version
            tags[f"dagster/input_event_pointer/{stage.value}"] = str(pointer)
    return tags
