"""Asset ``knowledge_space``: a corpus as one searchable, portable space. One partition per corpus of ``indx.toml``."""

from typing import Any

import dagster as dg

from assets.keys import GROUP, OWNERS, asset_key
from assets.stages import freshness
from assets.tables import Metadata, counts, table
from indx_core.app.installation import Installation
from indx_core.contracts.corpus import CorpusManifest
from indx_core.contracts.ingest import Stage
from indx_core.contracts.knowledge import SCHEMA_VERSION
from indx_core.kit.config import LoadedConfig
from indx_core.kit.lake import Lake
from indx_core.knowledge.space import KnowledgeSpace
from indx_core.knowledge.space.build import build_space
from indx_core.knowledge.space.manifest import corpus_manifest
from indx_core.knowledge.space.publish import LAYOUT, Published, publish
from resources.base import resource_settings
from resources.failures import faults_of_the_deployment

NAME = "knowledge_space"
ABOVE = (Stage.CHUNKS, Stage.EMBEDDINGS, Stage.ANNOTATIONS)
RESOURCES = ("pipeline", "lake")
SHOWN = 20
"""Refusals and unread pages listed in the UI; ``corpus.json`` in the lake has them all."""
DESCRIPTION = """Documents, chunks and their relations of one corpus, as `index.json`, `embeddings/`, one portable
`.indx` archive and one DuckDB database, in the lake below `knowledge_space/<corpus>/`; and the corpus's manifest.

Built from the tables in the lake: no document is read again, and an unchanged space is not written again.
Data version: the digest of the archive."""


def build_knowledge_space(loaded: LoadedConfig) -> dg.AssetsDefinition:
    """The asset under a configuration: its partitions are the corpora of ``indx.toml``."""

    @dg.asset(
        name=NAME,
        deps=[dg.AssetDep(asset_key(stage), partition_mapping=dg.AllPartitionMapping()) for stage in ABOVE],
        partitions_def=dg.StaticPartitionsDefinition(sorted(loaded.config.corpora)),
        description=DESCRIPTION,
        group_name=GROUP,
        owners=OWNERS,
        kinds={"python", "duckdb"},
        code_version=f"schema-{SCHEMA_VERSION}+layout-{LAYOUT}",
        freshness_policy=freshness(loaded.config.freshness_hours),
        required_resource_keys=set(RESOURCES),
    )
    def knowledge_space(context: dg.AssetExecutionContext) -> dg.MaterializeResult[None]:
        corpus = context.partition_key
        with faults_of_the_deployment(), resource_settings(context, RESOURCES):
            lake = Lake.open()
            options = loaded.config.options(corpus).model_dump(mode="json")
            space = build_space(lake, corpus, config=options, encoders=_encoders(Installation.current()))
            manifest = corpus_manifest(lake, corpus, space)
            done = publish(space, manifest, lake)
        return dg.MaterializeResult(metadata=metadata(space, manifest, done), data_version=dg.DataVersion(done.digest))

    return knowledge_space


def metadata(space: KnowledgeSpace, manifest: CorpusManifest, done: Published) -> Metadata:
    """What is in the space, what became of the corpus, and what it cost."""
    stats = space.stats
    edges = [{"type": kind, "edges": count} for kind, count in space.relation_counts().items()]
    problems = [each.model_dump() for each in manifest.problems[:SHOWN]]
    return {
        "archive": dg.MetadataValue.text(f"{done.folder}/space.indx"),
        "archive_bytes": dg.MetadataValue.int(done.archive_bytes),
        "changed": dg.MetadataValue.bool(done.changed),
        "documents": dg.MetadataValue.int(stats.documents),
        "chunks": dg.MetadataValue.int(stats.chunks),
        "embeddings": dg.MetadataValue.int(stats.embeddings),
        "types": counts(stats.types),
        "relations": table(edges),
        "listed": dg.MetadataValue.int(manifest.listed),
        "outstanding": dg.MetadataValue.int(manifest.outstanding),
        "pages": counts(manifest.pages),
        "unread_pages": table(problems),
        "refused": counts(manifest.refused),
        "refusals": table([each.model_dump(exclude={"remedy"}) for each in manifest.refusals[:SHOWN]]),
        **{name: _number(getattr(manifest, name)) for name in _RATES},
        "actual_cost_known": dg.MetadataValue.bool(manifest.actual_cost_known),
    }


_RATES = (
    "cpu_seconds",
    "documents_per_cpu_hour",
    "pages_per_cpu_second",
    "planned_cost_usd",
    "actual_cost_usd",
    "planned_cost_per_1000_usd",
    "actual_cost_per_1000_usd",
)


def _number(value: float | None) -> dg.MetadataValue[Any]:
    return dg.MetadataValue.text("not measured") if value is None else dg.MetadataValue.float(value)


def _encoders(installation: Installation) -> dict[str, dict[str, object]]:
    """What a query of each embedding space has to be encoded with, as it is advertised here."""
    return {space.id: space.model_dump(mode="json") for space in installation.snapshot.embedding_spaces}
