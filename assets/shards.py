"""Recording at shard grain: one materialization per asset and bucket, summing its documents.

Per-document status lives in the tables. A bucket's data version is a hash over all of its documents as the lake has
them, also those that this run did not touch; its plan of record is the set of all their plans.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import dagster as dg

from assets import keys, plan_of_record
from assets.checks import Verdicts, evaluations
from assets.events import log_materializations
from assets.keys import asset_key
from assets.record import RunPlan, provenance_tags
from assets.recorded import DATA_VERSION, pointers
from assets.stages import MODULES
from indx_core.app.ingest.recipe import UNRECORDED, Basis, PersonsAnswer, data_version, upstream
from indx_core.app.ingest.task import DocumentOutcome
from indx_core.app.review.applied import recorded_answers
from indx_core.contracts import tables as t
from indx_core.contracts.base import content_id
from indx_core.contracts.ingest import IngestOptions, Stage
from indx_core.kit.lake import Lake

LISTED = 5
"""Items of a summed list: samples, findings and fallbacks of the bucket's first documents."""


@dataclass
class ShardRecorder:
    """Records every bucket once, when its rows are in the lake."""

    context: dg.AssetExecutionContext
    lake: Lake
    run: RunPlan
    verdicts: Verdicts = field(default_factory=Verdicts)
    failed: list[DocumentOutcome] = field(default_factory=list)
    _facts: dict[str, dict[Stage, dict[str, Any]]] = field(default_factory=dict)
    _options: dict[str, IngestOptions] = field(default_factory=dict)
    _evaluations: list[dg.AssetCheckEvaluation] = field(default_factory=list)

    def add(self, outcome: DocumentOutcome) -> None:
        """Count an outcome into its bucket."""
        self.verdicts.add(outcome)
        self._evaluations += evaluations(outcome)
        if outcome.failure is not None:
            self.failed.append(outcome)
        shard = outcome.task.partition
        self._options.setdefault(shard, outcome.task.options)
        sums = self._facts.setdefault(shard, {})
        for stage, report in outcome.reports.items():
            facts = {name: value for name, value in report.facts.items() if name != "plan"}
            sums[stage] = summed(sums.get(stage), facts)

    def flush(self) -> None:
        """Log every bucket of the run, stage by stage."""
        versions: dict[Stage, dict[str, str]] = {stage: dict(found) for stage, found in self.run.versions.items()}
        for stage in self.run.stages:
            shards = sorted(shard for shard, sums in self._facts.items() if stage in sums)
            versions[stage] = {shard: self._version(stage, shard, versions) for shard in shards}
            above = {u: pointers(self.context.instance, u, set(shards)) for u in upstream(stage)} if shards else {}
            log_materializations(self.context, [self._event(stage, shard, versions, above) for shard in shards])
        for evaluation in self._evaluations:
            self.context.log_event(evaluation)

    def _event(
        self,
        stage: Stage,
        shard: str,
        versions: Mapping[Stage, Mapping[str, str]],
        above: Mapping[Stage, Mapping[str, int]],
    ) -> dg.AssetMaterialization:
        metadata = MODULES[stage].metadata(self._facts[shard][stage])
        if stage is Stage.PLAN:
            metadata[keys.PLAN] = plan_of_record.record(dict(self._column(t.PLANS.name, shard, "plan")), self.lake)
        settings, engines = self.run.recipes[self._options[shard]][stage]
        inputs = {up: versions.get(up, {}).get(shard) for up in upstream(stage)}
        tags = {DATA_VERSION: versions[stage][shard], keys.BASIS: Basis("", settings, engines).encode()}
        tags |= provenance_tags(self.run.code_versions[stage], inputs, above, shard)
        return dg.AssetMaterialization(asset_key(stage), partition=shard, metadata=metadata, tags=tags)

    def _version(self, stage: Stage, shard: str, versions: Mapping[Stage, Mapping[str, str]]) -> str:
        if stage is Stage.OBSERVATION:
            return content_id(self._column(t.SOURCES.name, shard, "source_digest"))
        if stage is Stage.PLAN:
            return content_id(self._column(t.PLANS.name, shard, "plan_id"))
        above = {up: versions.get(up, {}).get(shard, UNRECORDED) for up in upstream(stage)}
        answers = self._answers(shard) if stage is Stage.PAGE_READS else ()
        recipe = self.run.recipes[self._options[shard]][stage]
        return data_version(stage, above, recipe, source_version="", answers=answers)

    def _answers(self, shard: str) -> Sequence[PersonsAnswer]:
        """What people answered in the bucket; its pages are opened only where the lake holds any answer."""
        return recorded_answers(self.lake.read(t.PAGES.name, shard)) if self._reviewed else ()

    @cached_property
    def _reviewed(self) -> bool:
        return next(self.lake.objects(t.REVIEWS.name), None) is not None

    def _column(self, table: str, shard: str, column: str) -> list[tuple[str, str]]:
        rows = self.lake.read(table, shard)
        if rows is None:
            return []
        return list(zip(rows.column("key").to_pylist(), rows.column(column).to_pylist(), strict=True))


def summed(total: dict[str, Any] | None, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Facts of documents added up: numbers add, counts merge, samples keep their first items, texts their first value.

    A mean cannot be added: what is named a quality keeps the lowest.
    """
    if total is None:
        return dict(facts)
    return {name: _added(name, total.get(name), value) for name, value in facts.items()} | {
        name: value for name, value in total.items() if name not in facts
    }


def _added(name: str, total: Any, value: Any) -> Any:
    if isinstance(value, bool):
        return bool(total) and value if total is not None else value
    if isinstance(value, int | float) and isinstance(total, int | float):
        return min(total, value) if "quality" in name or name.endswith("_min") or name == "dimension" else total + value
    if isinstance(value, Mapping):
        return summed(total or {}, value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [*(total or []), *value][: max(LISTED, len(total or []))] if name != "route" else total or value
    return total if total is not None else value
