"""A space for somebody else's index: records that stand by themselves, and what a query has to be encoded with."""

import json
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest
from knowledge.spaces import small_space

from indx_core.knowledge.export import JsonlWriter, ParquetWriter, QdrantWriter

ENCODER = [{"id": "default-text", "dimension": 3, "vectors": 2, "query_encoder": {"dimension": 3}}]


def test_jsonl_opens_with_the_space_and_its_query_encoder(tmp_path: Path) -> None:
    JsonlWriter().write(small_space(), tmp_path)
    first, *chunks = map(json.loads, (tmp_path / "chunks.jsonl").read_text().splitlines())
    assert first["embedding_spaces"] == ENCODER
    assert first["stats"]["chunks"] == 3
    assert [chunk["id"] for chunk in chunks] == ["chunk_0001", "chunk_0002", "chunk_0003"]
    assert [chunk["vectors"] for chunk in chunks] == [
        {"default-text": [1.0, 0.0, 0.5]},
        {},
        {"default-text": [0.0, 1.0, -0.25]},
    ]
    assert [edge["dst"] for edge in chunks[1]["relations"]] == ["legal/gdpr.md", "doc_0001"]
    assert (chunks[1]["path"], chunks[1]["next_id"]) == ("policies/保存期間.pdf", "chunk_0003")


def test_a_record_has_the_labels_and_names_of_its_chunk(tmp_path: Path) -> None:
    known = {"labels": {"sensitivity": "public"}, "entities": {"organization": ["東京電力"]}}
    space = small_space()
    chunks = [space.chunks[0].model_copy(update={"metadata": known}), *space.chunks[1:]]
    JsonlWriter().write(space.model_copy(update={"chunks": chunks}), tmp_path)
    first, second = map(json.loads, (tmp_path / "chunks.jsonl").read_text().splitlines()[1:3])
    assert {name: first[name] for name in known} == known
    assert (second["labels"], second["entities"]) == ({}, {})


def test_parquet_carries_it_in_its_metadata_and_vectors_as_a_column(tmp_path: Path) -> None:
    ParquetWriter().write(small_space(), tmp_path)
    about = json.loads(pq.read_schema(tmp_path / "chunks.parquet").metadata[b"indx"])
    assert about["embedding_spaces"] == ENCODER
    found = duckdb.sql(
        f"SELECT id, \"vector_default-text\" FROM '{tmp_path / 'chunks.parquet'}' ORDER BY id"
    ).fetchall()
    assert found == [
        ("chunk_0001", [1.0, 0.0, 0.5]),
        ("chunk_0002", None),
        ("chunk_0003", [0.0, 1.0, -0.25]),
    ]


def test_qdrant_gets_the_bodies_of_its_requests(tmp_path: Path) -> None:
    QdrantWriter().write(small_space(), tmp_path)
    assert json.loads((tmp_path / "collection.json").read_text()) == {
        "vectors": {"default-text": {"size": 3, "distance": "Cosine"}}
    }
    (line,) = (tmp_path / "points.jsonl").read_text().splitlines()
    points = json.loads(line)["points"]
    assert [point["id"] for point in points] == [1, 2, 3]
    assert points[0]["vector"] == {"default-text": [1.0, 0.0, 0.5]}
    assert points[1]["vector"] == {}
    assert points[2]["payload"]["text"] == "Enterprise data is kept 90 days"
    assert json.loads((tmp_path / "space.json").read_text())["embedding_spaces"] == ENCODER


@pytest.mark.parametrize("writer", [JsonlWriter(), ParquetWriter(), QdrantWriter()])
def test_the_same_space_gives_the_same_files(tmp_path: Path, writer: JsonlWriter) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        writer.write(small_space(), tmp_path / name)
    for path in sorted((tmp_path / "a").iterdir()):
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes()


@pytest.mark.parametrize("writer", [JsonlWriter(), ParquetWriter(), QdrantWriter()])
def test_a_space_without_vectors_is_exported_too(tmp_path: Path, writer: JsonlWriter) -> None:
    writer.write(small_space(vectors=False), tmp_path)
    assert list(tmp_path.iterdir())
