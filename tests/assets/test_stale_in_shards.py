"""At shard grain what is behind is worked out per bucket: documents of one bucket must still be told apart."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from dagster_corner import DagsterCorner, dagster_corner

from indx_core.contracts.ingest import Grain, IngestOptions
from indx_core.kit.settings import overriding


@pytest.fixture
def corner(tmp_path: Path) -> Iterator[DagsterCorner]:
    with dagster_corner(tmp_path, Grain.SHARD) as found:
        found.write(**{name: f"document {name}" for name in "abcdef"})
        found.ingest()
        assert found.stale() == {}
        yield found


def test_a_changed_and_a_new_document_are_the_only_ones_of_their_buckets_that_are_processed(
    corner: DagsterCorner,
) -> None:
    corner.write(b="another text", g="a seventh")
    assert corner.stale() == {"b": ("source changed",), "g": ("missing",)}
    corner.ingest()
    assert corner.processed() == {"b": 1, "g": 1}
    assert corner.stale() == {}


def test_a_changed_setting_is_the_reason_of_every_document_and_a_changed_source_one_more_of_its_own(
    corner: DagsterCorner,
) -> None:
    with overriding({"INDX_TEXT_ENCODING": "cp932"}):
        corner.use(IngestOptions(languages=False))
        corner.write(c="another text")
        reasons = corner.stale()
    assert set(reasons) == set("abcdef")
    assert reasons["c"] == ("source changed", "settings changed")
    assert {reasons[name] for name in "abdef"} == {("settings changed",)}
