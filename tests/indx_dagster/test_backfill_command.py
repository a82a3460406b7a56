"""`indx backfill` and `indx migrate` as a user runs them: processes of their own, a real instance, a real lake."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from indx_dagster_commands import connections, indx

from indx_core.contracts import tables as t
from indx_core.kit.lake import Lake, LakeSettings, encode_table
from indx_core.kit.lake.evolve import RECORD

pytestmark = pytest.mark.slow


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "documents").mkdir()
    for index in range(4):
        (tmp_path / "documents" / f"{index}.txt").write_text(f"document {index}", encoding="utf-8")
    (tmp_path / "documents" / "long.txt").write_text("\f".join(["a page"] * 10), encoding="utf-8")
    (tmp_path / "indx.toml").write_text(
        'batch_size = 2\n[corpora.docs]\nroot = "documents"\n[ingest]\nlanguages = false\n', encoding="utf-8"
    )
    prices = {"text-extraction": {"cost_usd_per_page": 0.01}}
    (tmp_path / "prices.json").write_text(json.dumps(prices), encoding="utf-8")
    return tmp_path


def test_a_backfill_says_what_it_would_cost_and_stops_before_its_budget(folder: Path) -> None:
    variables = {"INDX_ROUTING_ECONOMICS": str(folder / "prices.json"), "INDX_WORKERS": "1"}
    status, out, err = indx(folder, "backfill", "--dry-run", **variables)
    assert status == 0, err
    assert (out["quote"]["documents"], out["quote"]["expected_usd"], out["quote"]["at_most_usd"]) == (5, 0.14, 0.14)
    assert not (folder / "lake").exists(), "a dry run writes nothing"
    status, out, err = indx(folder, "backfill", "--yes", "--budget-usd", "0.05", **variables)
    assert status == 9, err
    assert (out["run"]["documents"], len(out["run"]["runs"])) == (4, 2)
    assert out["run"]["left_by_the_budget"] == [{"document": "docs/long.txt", "at_most_usd": 0.1}]
    assert connections(folder) == []


def test_a_lake_of_an_earlier_release_is_migrated_by_the_command(folder: Path) -> None:
    """``usage`` once had no column ``cost_known``: version 1 of it, in a lake that records no schema."""
    lake = Lake.open(LakeSettings(lake=str(folder / "lake")))
    earlier = _as_the_first_release_wrote("docs/a.txt")
    lake.store.put("usage/docs/a.txt.parquet", earlier)
    lake.store.put("usage/docs/b.txt.parquet", earlier)
    assert lake.store.get(RECORD) is None
    status, out, err = indx(folder, "migrate", "--dry-run")
    found = {"outdated": [{"table": "usage", "version": 1, "objects": 2}], "rewritten": 0}
    assert (status, out) == (0, found), err
    assert lake.store.get("usage/docs/a.txt.parquet") == earlier
    status, out, err = indx(folder, "migrate")
    assert (status, out) == (0, {**found, "rewritten": 2}), err
    rows = lake.read("usage", "docs/a.txt")
    assert rows.select(["bytes", "cost_usd", "cost_known"]).to_pylist() == [
        {"bytes": 9, "cost_usd": 0.5, "cost_known": None}
    ]


def _as_the_first_release_wrote(key: str) -> bytes:
    """An object of ``usage`` with the columns and the version that the first release declared."""
    first = t.Table("usage", t.USAGE.description, tuple(c for c in t.USAGE.columns if c.name != "cost_known"), 1)
    row = {"key": key, "bytes": 9, "pages": 1, "cost_usd": 0.5, "latency_ms": 1, "quality": None, "cpu_ms": 1}
    written = encode_table(pa.Table.from_pylist([row], schema=first.schema))
    assert "cost_known" not in pq.read_schema(pa.BufferReader(written)).names
    return written
