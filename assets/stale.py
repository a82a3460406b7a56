"""Which documents of a listing are out of date, in which stages, and why.

Compared are versions recorded with each materialization, read in bulk: not Dagster's own staleness resolver, which
costs 12-20 ms CPU per partition, and no seen-set of our own. Only documents whose versions are not what they would be
now have their events opened. A permanent refusal is up to date for as long as the source and what refused it stay. A
person's answer that page reads do not hold yet makes them stale.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from dagster import DagsterInstance

from assets.recorded import bases, data_versions
from indx_core.app.ingest.listing import ListedSource, partition_name
from indx_core.app.ingest.recipe import UNRECORDED, Basis, data_version, recipes, upstream
from indx_core.app.installation import Installation
from indx_core.app.review.applied import unapplied
from indx_core.contracts import tables as t
from indx_core.contracts.errors import Cause, PlanConflict
from indx_core.contracts.ingest import Grain, Stage
from indx_core.kit.config import LoadedConfig
from indx_core.kit.lake import Lake

Recipes = Mapping[Stage, tuple[str, str]]
DERIVED = (Stage.PAGE_READS, Stage.CHUNKS, Stage.EMBEDDINGS, Stage.ANNOTATIONS)
"""Stages whose data version follows from the versions above them and a recipe."""


@dataclass(frozen=True, slots=True)
class Stale:
    """A document to bring up to date: the stages that are behind, in order, and why the first of them is."""

    source: ListedSource
    stages: tuple[Stage, ...]
    reasons: tuple[str, ...]


class _Observed(NamedTuple):
    """What a document was observed as: the version of its listing and the digest of its bytes."""

    version: str
    digest: str


def stale_sources(
    sources: Sequence[ListedSource],
    instance: DagsterInstance,
    lake: Lake,
    loaded: LoadedConfig,
    installation: Installation,
) -> list[Stale]:
    """Documents that a run would change, in the order of the listing."""
    options = {source.corpus: loaded.config.options(source.corpus) for source in sources}
    expected = {each: recipes(each, installation.snapshot) for each in set(options.values())}
    of = {source.key: expected[options[source.corpus]] for source in sources}
    refused = _refusals(lake)
    open_questions = [s for s in sources if refused.get(s.key) != (s.source_version, refusal_basis(of[s.key]))]
    observed: Mapping[str, _Observed] | None = None
    if loaded.config.grain is Grain.SOURCE:
        recorded_versions = {stage: data_versions(instance, stage) for stage in Stage}
        digests = recorded_versions[Stage.OBSERVATION]
    else:
        observed = _observed(lake)
        digests = {key: each.digest for key, each in observed.items()}
    observed_bytes = {source.key: digests[source.key] for source in open_questions if source.key in digests}
    answered = unapplied(lake, observed_bytes, lambda key: partition_name(key, loaded.config))
    in_lake = _in_lake(lake)
    if observed is None:
        changed = _changed(open_questions, of, recorded_versions)
        worth_asking = answered | changed | {source.key for source in open_questions if source.key not in in_lake}
        open_questions = [source for source in open_questions if source.key in worth_asking]
    partitions = {source.key: partition_name(source.key, loaded.config) for source in open_questions}
    recorded = {stage: bases(instance, stage, set(partitions.values())) for stage in Stage} if partitions else {}
    found = []
    for source in open_questions:
        made = {stage: recorded[stage].get(partitions[source.key]) for stage in Stage}
        if observed is not None:
            made = {stage: _of_document(basis, observed.get(source.key)) for stage, basis in made.items()}
        if observed is None and source.key not in in_lake and made[Stage.OBSERVATION] is not None:
            found.append(Stale(source, tuple(Stage), ("not in the lake",)))
            continue
        behind = _behind(source, of[source.key], made, answered=source.key in answered)
        if behind:
            found.append(Stale(source, tuple(behind), next(iter(behind.values()))))
    return found


def refusal_basis(expected: Recipes) -> str:
    """What a document was refused under: everything that could change the verdict."""
    return ".".join(expected[Stage.ANNOTATIONS])


def _in_lake(lake: Lake) -> set[str]:
    """Partitions that have the rows every processed document has: a materialization is a claim, and a lake can be lost.

    Names only, one listing per table; no object is opened.
    """
    return set.intersection(*(set(lake.partitions(table.name)) for table in (t.SOURCES, t.PLANS, t.PAGES)))


def _changed(
    sources: Sequence[ListedSource], of: Mapping[str, Recipes], recorded: Mapping[Stage, Mapping[str, str]]
) -> set[str]:
    """Sources whose recorded versions are not what they would be now; those a person answered for are among them."""

    def as_expected(source: ListedSource, stage: Stage) -> bool:
        above = {up: recorded[up].get(source.key, UNRECORDED) for up in upstream(stage)}
        version = data_version(stage, above, of[source.key][stage], source.source_version)
        return recorded[stage].get(source.key) == version

    return {source.key for source in sources if not all(as_expected(source, stage) for stage in DERIVED)}


def _behind(
    source: ListedSource, expected: Recipes, made: Mapping[Stage, Basis | None], *, answered: bool
) -> dict[Stage, tuple[str, ...]]:
    """Stages that are behind, in order, each with what differs; a stage below one that is behind is behind too."""
    behind: dict[Stage, tuple[str, ...]] = {}
    for stage in Stage:
        changed = Basis(source.source_version, *expected[stage]).differences(made[stage])
        if answered and stage is Stage.PAGE_READS:
            changed = (*changed, "answered by a person")
        above = [up for up in upstream(stage) if up in behind]
        if changed or above:
            behind[stage] = changed or tuple(f"{up.value} changed" for up in above)
    return behind


def _of_document(basis: Basis | None, seen: _Observed | None) -> Basis | None:
    """A bucket's basis names no source; the version its document was observed at completes it."""
    return None if basis is None or seen is None else Basis(seen.version, basis.settings, basis.engines)


def _refusals(lake: Lake) -> dict[str, tuple[str, str]]:
    """Source version and basis of every permanent refusal, but for those of a replay, which a new plan settles."""
    columns = ["key", "source_version", "basis", "cause", "code"]
    rows = lake.dataset(t.REFUSALS.name).to_table(columns=columns).to_pylist()
    settled = (r for r in rows if r["cause"] == Cause.PERMANENT.value and r["code"] != PlanConflict.code)
    return {r["key"]: (r["source_version"], r["basis"]) for r in settled}


def _observed(lake: Lake) -> dict[str, _Observed]:
    """Every observed document, by key."""
    columns = ["key", "source_version", "source_digest"]
    rows = lake.dataset(t.SOURCES.name).to_table(columns=columns).to_pylist()
    return {row["key"]: _Observed(row["source_version"], row["source_digest"]) for row in rows}
