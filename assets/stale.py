"""Which documents of a listing are out of date, in which stages, and why.

Compared are versions recorded with each materialization, read in bulk: not Dagster's own staleness resolver, which
costs 12-20 ms CPU per partition, and no seen-set of our own. Only documents whose versions are not what they would be
now have their events opened. A permanent refusal is up to date for as long as the source and what refused it stay. A
person's answer that page reads do not hold yet makes them stale.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from dagster import DagsterInstance

from assets.recorded import bases, data_versions
from indx_core.app.ingest.listing import ListedSource
from indx_core.app.ingest.listings import partition_name
from indx_core.app.ingest.recipe import UNRECORDED, Basis, data_version, recipes, upstream
from indx_core.app.installation import Installation
from indx_core.app.review.applied import unapplied
from indx_core.contracts import tables as t
from indx_core.contracts.errors import Cause, PlanConflict
from indx_core.contracts.ingest import Grain, IndxConfig, Stage
from indx_core.kit.config import LoadedConfig
from indx_core.kit.lake import Lake

Recipes = Mapping[Stage, tuple[str, str]]
Behind = tuple[tuple[Stage, ...], tuple[str, ...]]
DERIVED = (Stage.PAGE_READS, Stage.CHUNKS, Stage.EMBEDDINGS, Stage.ANNOTATIONS)
"""Stages whose data version follows from the versions above them and a recipe."""
HELD = {Stage.OBSERVATION: t.SOURCES, Stage.PLAN: t.PLANS, Stage.PAGE_READS: t.PAGES}
"""Stages that leave rows of every document, and the table of these."""


@dataclass(frozen=True, slots=True)
class Stale:
    """A document to bring up to date: the stages that are behind, in order, and why the first of them is."""

    source: ListedSource
    stages: tuple[Stage, ...]
    reasons: tuple[str, ...]


def stale_sources(
    sources: Sequence[ListedSource],
    instance: DagsterInstance,
    lake: Lake,
    loaded: LoadedConfig,
    installation: Installation,
    *,
    some: bool = False,
) -> list[Stale]:
    """Documents that a run would change, in the order of the listing.

    Args:
        sources: Documents as listed.
        instance: Holds what was recorded of them.
        lake: Holds their rows.
        loaded: ``indx.toml``.
        installation: What is installed.
        some: Whether these are a few of many: then only what concerns them is read, and at source grain the event log
            is believed that their rows are in the lake.
    """
    options = {corpus: loaded.config.options(corpus) for corpus in {source.corpus for source in sources}}
    of = {corpus: recipes(each, installation.snapshot) for corpus, each in options.items()}
    would_refuse = {corpus: refusal_basis(expected) for corpus, expected in of.items()}
    refused = _refusals(lake)
    open_questions = [s for s in sources if refused.get(s.key) != (s.source_version, would_refuse[s.corpus])]
    if not open_questions:
        return []
    if loaded.config.grain is Grain.SHARD:
        return list(_stale_in_shards(open_questions, of, instance, lake, loaded.config))
    mine = {source.key for source in open_questions}
    in_lake = dict.fromkeys(HELD, mine) if some else _in_lake(lake)
    versions = {stage: data_versions(instance, stage, mine if some else None) for stage in Stage}
    return list(_stale_documents(open_questions, of, instance, lake, versions, in_lake))


def _stale_documents(
    sources: Sequence[ListedSource],
    of: Mapping[str, Recipes],
    instance: DagsterInstance,
    lake: Lake,
    versions: Mapping[Stage, Mapping[str, str]],
    in_lake: Mapping[Stage, Collection[str]],
) -> Iterator[Stale]:
    """At source grain: events are opened only of documents whose versions moved, or that the lake does not hold."""
    digests = versions[Stage.OBSERVATION]
    observed = {source.key: digests[source.key] for source in sources if source.key in digests}
    answered = unapplied(lake, observed, lambda key: key)
    absent = {s.key for s in sources if any(s.key not in held for held in in_lake.values())}
    worth_asking = answered | _changed(sources, of, versions) | absent
    asked = [source for source in sources if source.key in worth_asking]
    recorded = {stage: bases(instance, stage, {source.key for source in asked}) for stage in Stage} if asked else {}
    for source in asked:
        made = {stage: recorded[stage].get(source.key) for stage in Stage}
        if any(made[stage] is not None and source.key not in held for stage, held in in_lake.items()):
            yield Stale(source, tuple(Stage), ("not in the lake",))
        elif behind := _behind(source.source_version, of[source.corpus], made, answered=source.key in answered):
            yield Stale(source, *behind)


def _stale_in_shards(
    sources: Sequence[ListedSource],
    of: Mapping[str, Recipes],
    instance: DagsterInstance,
    lake: Lake,
    config: IndxConfig,
) -> Iterator[Stale]:
    """At shard grain: a bucket's events say what it was made with, the observations which version of each document.

    A million documents share some thousand buckets, so what is behind is worked out per bucket and case, and only
    compared per document.
    """
    digests = _digests(lake) if next(lake.objects(t.REVIEWS.name), None) is not None else {}
    observed = {source.key: digests[source.key] for source in sources if source.key in digests}
    answered = unapplied(lake, observed, lambda key: partition_name(key, config))
    partitions = [partition_name(source.key, config) for source in sources]
    recorded = {stage: bases(instance, stage, set(partitions)) for stage in Stage}

    @cache
    def behind(corpus: str, partition: str, seen: bool | None, answered: bool) -> Behind | None:
        found = {stage: recorded[stage].get(partition) for stage in Stage if seen is not None}
        then = "" if seen else "another version"
        made = {stage: basis and Basis(then, basis.settings, basis.engines) for stage, basis in found.items()}
        return _behind("", of[corpus], made, answered=answered)

    for source, partition, version in zip(sources, partitions, _observed_versions(lake, sources), strict=True):
        seen = None if version is None else version == source.source_version
        if found := behind(source.corpus, partition, seen, source.key in answered):
            yield Stale(source, *found)


def refusal_basis(expected: Recipes) -> str:
    """What a document was refused under: everything that could change the verdict."""
    return ".".join(expected[Stage.ANNOTATIONS])


def _in_lake(lake: Lake) -> dict[Stage, set[str]]:
    """Partitions with rows of each stage that has some: a materialization is a claim, and a lake can be lost.

    Names only, one listing per table; no object is opened.
    """
    return {stage: set(lake.partitions(table.name)) for stage, table in HELD.items()}


def _changed(
    sources: Sequence[ListedSource], of: Mapping[str, Recipes], recorded: Mapping[Stage, Mapping[str, str]]
) -> set[str]:
    """Sources whose recorded versions are not what they would be now; those a person answered for are among them."""

    def as_expected(source: ListedSource, stage: Stage) -> bool:
        above = {up: recorded[up].get(source.key, UNRECORDED) for up in upstream(stage)}
        version = data_version(stage, above, of[source.corpus][stage], source.source_version)
        return recorded[stage].get(source.key) == version

    return {source.key for source in sources if not all(as_expected(source, stage) for stage in DERIVED)}


def _behind(version: str, expected: Recipes, made: Mapping[Stage, Basis | None], *, answered: bool) -> Behind | None:
    """Stages that are behind, in order, and why the first is; a stage below one that is behind is behind too."""
    behind: dict[Stage, tuple[str, ...]] = {}
    for stage in Stage:
        changed = Basis(version, *expected[stage]).differences(made.get(stage))
        if answered and stage is Stage.PAGE_READS:
            changed = (*changed, "answered by a person")
        above = [up for up in upstream(stage) if up in behind]
        if changed or above:
            behind[stage] = changed or tuple(f"{up.value} changed" for up in above)
    return (tuple(behind), next(iter(behind.values()))) if behind else None


def _refusals(lake: Lake) -> dict[str, tuple[str, str]]:
    """Source version and basis of every permanent refusal, but for those of a replay, which a new plan settles."""
    columns = ["key", "source_version", "basis", "cause", "code"]
    rows = lake.select(t.REFUSALS.name, columns).to_pylist()
    settled = (r for r in rows if r["cause"] == Cause.PERMANENT.value and r["code"] != PlanConflict.code)
    return {r["key"]: (r["source_version"], r["basis"]) for r in settled}


def _observed_versions(lake: Lake, sources: Sequence[ListedSource]) -> list[str | None]:
    """The version of the listing each source was last observed at; ``None`` for one that never was.

    Joined as Arrow columns: a million observations as Python objects are half a gigabyte.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    rows = lake.select(t.SOURCES.name, ["key", "source_version"])
    keys = pa.array([source.key for source in sources], pa.string())
    at = pc.index_in(keys, value_set=rows.column("key").combine_chunks())
    found: list[str | None] = rows.column("source_version").take(at).to_pylist()
    return found


def _digests(lake: Lake) -> dict[str, str]:
    """Digest of the bytes of every observed document, by key."""
    rows = lake.select(t.SOURCES.name, ["key", "source_digest"])
    return dict(zip(rows.column("key").to_pylist(), rows.column("source_digest").to_pylist(), strict=True))
