"""The asset ``knowledge_space`` through the code location: one partition per corpus, incremental, with its metadata."""

from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest
from dagster_corner import DagsterCorner, dagster_corner

from indx_core.contracts.ingest import Grain
from indx_core.knowledge.space import KnowledgeSpace
from indx_dagster.definitions import build_defs

KEY = dg.AssetKey(["knowledge_space"])


@pytest.fixture(params=[Grain.SOURCE, Grain.SHARD])
def corner(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[DagsterCorner]:
    with dagster_corner(tmp_path, request.param) as corner:
        corner.write(one="See two.txt for the rest.", two="保存期間は九十日とする。")
        corner.ingest()
        yield corner


def materialize(corner: DagsterCorner, corpus: str = "corner") -> dg.AssetMaterialization:
    defs = build_defs(loaded=corner.loaded)
    result = defs.resolve_implicit_global_asset_job_def().execute_in_process(
        instance=corner.instance, asset_selection=[KEY], partition_key=corpus
    )
    (event,) = result.asset_materializations_for_node("knowledge_space")
    return event


@pytest.mark.slow
def test_a_corpus_becomes_a_space_in_the_lake(corner: DagsterCorner) -> None:
    event = materialize(corner)
    assert event.partition == "corner"
    space = KnowledgeSpace.load(corner.folder / "lake" / str(event.metadata["archive"].value))
    assert [document.path for document in space.documents()] == ["one.txt", "two.txt"]
    assert [edge.to for edge in space.document("doc_0001").references] == ["doc_0002"]
    assert event.metadata["documents"].value == 2
    assert event.metadata["actual_cost_per_1000_usd"].value == 0.0


@pytest.mark.slow
def test_its_data_version_changes_with_the_content_alone(corner: DagsterCorner) -> None:
    first, again = materialize(corner), materialize(corner)
    assert again.metadata["changed"].value is False
    version = "dagster/data_version"
    assert again.tags[version] == first.tags[version]
    corner.write(two="保存期間は百日とする。")
    corner.ingest()
    assert corner.processed() == {"two": 1}  # the other one is not read again, and the space has both
    changed = materialize(corner)
    assert changed.metadata["changed"].value is True
    assert changed.tags[version] != first.tags[version]
    assert changed.metadata["documents"].value == 2
