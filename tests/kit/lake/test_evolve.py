"""A lake of an earlier schema is read and migrated; one of a later schema is refused and left alone."""

import json
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from kit.lake.table_rows import chunk, chunks, vectors

from indx_core.contracts import tables as t
from indx_core.contracts.errors import LakeObjectInvalid, LakeTooNew
from indx_core.kit.lake import Lake, LakeSettings, encode_table
from indx_core.kit.lake.evolve import RECORD, outdated, rewrite
from indx_core.knowledge.sql import query

ADDED = t.Column("mood", "string", "A column of the next release.", optional=True)


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    return Lake.open(LakeSettings(lake=str(tmp_path / "lake")))


@pytest.fixture
def next_release(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The declarations of a release that adds a column to chunks and to vectors."""
    for table in (t.CHUNKS, t.VECTORS):
        later = t.Table(table.name, table.description, (*table.columns, ADDED), table.version + 1, table.clocked)
        monkeypatch.setitem(t.TABLES, table.name, later)
        if table is t.VECTORS:
            monkeypatch.setattr(t, "VECTORS", later)
            monkeypatch.setattr("indx_core.kit.lake.encode.VECTORS", later)
    t.vectors_schema.cache_clear()
    yield
    t.vectors_schema.cache_clear()


@pytest.fixture
def earlier(lake: Lake) -> Lake:
    """A lake as the release before wrote it: chunks and vectors of two documents, and a listing."""
    for key in ("c/a", "c/b"):
        lake.write("chunks", key, encode_table(chunks(chunk(key, text=key))))
        lake.write("vectors/one", key, encode_table(vectors(key, [[1.0, 2.0]], "one")))
    return lake


def reopened(lake: Lake) -> Lake:
    return Lake(lake.store)


@pytest.mark.usefixtures("earlier", "next_release")
def test_what_an_earlier_release_wrote_is_read_with_nulls_for_what_it_did_not_know(lake: Lake) -> None:
    later = reopened(lake)
    table = later.read("chunks", "c/a")
    assert table is not None
    assert table.select(["text", "mood"]).to_pylist() == [{"text": "c/a", "mood": None}]
    assert query(later, "SELECT count(*), count(mood) FROM chunks").rows == [(2, 0)]
    assert later.dataset("vectors").to_table(columns=["mood"])["mood"].null_count == 2


@pytest.mark.usefixtures("earlier", "next_release")
def test_a_migration_rewrites_what_is_outdated_and_keeps_every_row(lake: Lake) -> None:
    later = reopened(lake)
    before = {name: later.read(name, "c/a") for name in ("chunks", "vectors/one")}
    found = list(outdated(later))
    names = ["chunks/c/a.parquet", "chunks/c/b.parquet", "vectors/one/c/a.parquet", "vectors/one/c/b.parquet"]
    assert [each.name for each in found] == names
    assert [rewrite(later, each) for each in found] == [True] * 4
    assert list(outdated(later)) == []
    assert {name: later.read(name, "c/a") for name in before} == before
    stored = pq.read_schema(pa.BufferReader(lake.store.get("chunks/c/a.parquet")))
    assert "mood" in stored.names


@pytest.mark.usefixtures("earlier", "next_release")
def test_a_migration_that_was_interrupted_goes_on_where_it_stopped(lake: Lake) -> None:
    rewrite(lake, next(outdated(reopened(lake))))
    assert next(each.name for each in outdated(reopened(lake))) == "chunks/c/b.parquet"


@pytest.mark.usefixtures("earlier", "next_release")
def test_an_object_that_is_replaced_or_removed_meanwhile_is_left_alone(lake: Lake) -> None:
    """A run that commits during the migration wins: what it wrote is of the current schema anyway."""
    later = reopened(lake)
    gone, replaced, *_rest = list(outdated(later))
    later.store.delete(gone.name)
    assert rewrite(later, gone) is False

    class Raced:
        """A store in which somebody else replaces the object between the reading and the writing of it."""

        def __init__(self) -> None:
            self.answers = [later.store.get(replaced.name), b"newer"]

        def get(self, _name: str) -> bytes:
            return self.answers.pop(0)

        def put(self, *_written: object) -> None:
            raise AssertionError("what the other one wrote was overwritten")

    assert rewrite(Lake(Raced()), replaced) is False


def test_a_lake_that_nobody_migrated_since_the_first_release_has_nothing_outdated(earlier: Lake) -> None:
    """Tables that never changed are not even listed."""
    assert [each for each in outdated(earlier) if each.table in {"chunks", "vectors"}] == []


@pytest.mark.usefixtures("next_release")
def test_a_lake_of_a_later_release_is_refused_before_anything_of_it_is_touched(
    lake: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    lake.write("chunks", "c/a", encode_table(chunks(chunk("c/a"))))
    monkeypatch.undo()
    t.vectors_schema.cache_clear()
    before = lake.store.get("chunks/c/a.parquet")
    earlier = encode_table(chunks(chunk("c/a", text="of the old program")))
    refused = [
        lambda old: old.write("chunks", "c/a", earlier),
        lambda old: old.replace_documents("chunks", "c/a", None, ["c/a"]),
        lambda old: old.read("chunks", "c/a"),
        lambda old: old.read_document("chunks", "c/a", "c/a"),
        lambda old: old.dataset("chunks"),
        lambda old: query(old, "SELECT * FROM chunks"),
    ]
    for act in refused:
        with pytest.raises(LakeTooNew, match=r"newer release: chunks is at 2, known here to 1"):
            act(reopened(lake))
    assert lake.store.get("chunks/c/a.parquet") == before


def test_a_table_that_this_release_does_not_know_is_of_a_later_one(lake: Lake) -> None:
    lake.store.put(RECORD, json.dumps({"tables": {"dreams": 1}}).encode())
    with pytest.raises(LakeTooNew, match="dreams is at 1, known here not at all"):
        lake.read("chunks", "c/a")


def test_a_single_object_of_a_later_schema_is_refused_without_the_record(lake: Lake) -> None:
    """A newer program that ran beside this one: the record was read before it wrote."""
    rows = chunks(chunk("c/a"))
    later = rows.replace_schema_metadata({**rows.schema.metadata, b"schema_version": b"99"})
    lake.write("chunks", "c/a", encode_table(later))
    with pytest.raises(LakeTooNew, match="schema version 99"):
        lake.read("chunks", "c/a")


def test_the_lake_says_which_schema_it_is_of_from_the_first_write_on(lake: Lake) -> None:
    assert lake.partitions("chunks") == []
    assert lake.store.get(RECORD) is None, "looking writes nothing"
    lake.write("chunks", "c/a", encode_table(chunks(chunk("c/a"))))
    recorded = json.loads(lake.store.get(RECORD))["tables"]
    assert recorded == {name: table.version for name, table in t.TABLES.items()}


@pytest.mark.parametrize("content", [b"", b"[]", b'{"tables": 3}', b'{"tables": {"chunks": "x"}}'])
def test_a_record_that_cannot_be_read_says_what_to_do(lake: Lake, content: bytes) -> None:
    lake.store.put(RECORD, content)
    with pytest.raises(LakeObjectInvalid) as error:
        lake.partitions("chunks")
    assert "delete schema.json" in error.value.remedy
