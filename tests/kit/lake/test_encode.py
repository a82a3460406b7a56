"""Tables to bytes: lossless, deterministic, readable by others, tolerant of older versions."""

import io

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from kit.lake.table_rows import ALL_TABLES, chunk, chunks, filled, page, vectors

from indx_core.contracts.errors import LakeObjectInvalid
from indx_core.contracts.tables import Table
from indx_core.kit.lake import decode_table, encode_table, rows_table
from indx_core.kit.lake.encode import ROWS_PER_GROUP, write_groups

EVERY_TABLE = pytest.mark.parametrize("table", ALL_TABLES, ids=lambda table: table.name)


@EVERY_TABLE
@pytest.mark.parametrize("optional", [True, False], ids=["full", "sparse"])
def test_a_table_comes_back_whole(table: Table, optional: bool) -> None:
    rows = filled(table, optional=optional)
    back = decode_table(table.name, encode_table(rows))
    assert back.equals(rows, check_metadata=True)


def test_vectors_come_back_bit_for_bit_with_their_dimension() -> None:
    values = np.random.default_rng(7).normal(size=(5, 16)).astype(np.float32)
    back = decode_table("vectors/s", encode_table(vectors("c/a", values.tolist())))
    assert back.schema.field("vector").type.list_size == 16
    assert back.column("vector").combine_chunks().flatten().to_numpy().tobytes() == values.tobytes()


@pytest.mark.parametrize(
    ("vector", "split"), [([0.1, 0.2, 0.3, 0.4], True), ([0.0, 0.0, 0.0, 1.0], False)], ids=["dense", "mostly zeros"]
)
def test_only_dense_vectors_are_split_into_byte_streams(vector: list[float], split: bool) -> None:
    """Split, vectors that are mostly zeros take twice the room."""
    file = pq.ParquetFile(io.BytesIO(encode_table(vectors("c/a", [vector]))))
    assert ("BYTE_STREAM_SPLIT" in file.metadata.row_group(0).column(5).encodings) is split


def test_a_table_without_rows_keeps_its_columns() -> None:
    back = decode_table("chunks", encode_table(chunks()))
    assert back.num_rows == 0
    assert back.schema.equals(chunks().schema, check_metadata=True)


def test_encoding_again_gives_the_same_bytes() -> None:
    """A replay must write byte-identical objects."""
    rows = [chunk("c/a", n, text=f"段落 {n}") for n in range(50)]
    assert encode_table(chunks(*rows)) == encode_table(chunks(*rows))


def test_the_bytes_do_not_depend_on_how_the_rows_arrived() -> None:
    """Batches of one document and of ten give the same object."""
    rows = chunks(*[chunk("c/a", n) for n in range(ROWS_PER_GROUP + 10)])
    pieces = [rows.slice(start, 7) for start in range(0, rows.num_rows, 7)]
    out = io.BytesIO()
    assert write_groups(out, rows.schema, pieces) == rows.num_rows
    assert out.getvalue() == encode_table(rows)
    assert pq.ParquetFile(io.BytesIO(out.getvalue())).num_row_groups == 2


def test_a_required_value_that_is_missing_is_refused_on_writing() -> None:
    with pytest.raises(pa.ArrowInvalid, match="text"):
        encode_table(rows_table("chunks", [{**chunk("c/a"), "text": None}]))


def test_structs_may_be_given_as_tuples() -> None:
    """A page has some sixty lines; a dict for each would cost more than writing them."""
    rows = rows_table("pages", [page("c/a", lines=[(0, 1, 0.0, 0.25, 0.5, 1.0, None, None)])])
    assert rows.column("lines")[0].as_py() == [
        {"start": 0, "end": 1, "x0": 0.0, "y0": 0.25, "x1": 0.5, "y1": 1.0, "reason": None, "confidence": None}
    ]


def test_duckdb_reads_an_object_as_it_is(tmp_path) -> None:
    path = tmp_path / "a.parquet"
    path.write_bytes(encode_table(vectors("c/a", [[0.5, -1.0]])))
    found = duckdb.execute("SELECT key, vector FROM read_parquet(?)", [str(path)]).fetchall()
    assert found == [("c/a", [0.5, -1.0])]


def test_an_older_object_gets_nulls_where_it_lacks_an_optional_column() -> None:
    older = chunks(chunk("c/a", capability_id="ocr")).drop_columns(["capability_id"])
    data = io.BytesIO()
    pq.write_table(older, data)
    assert decode_table("chunks", data.getvalue()).column("capability_id").to_pylist() == [None]


def test_a_newer_object_loses_the_column_nobody_here_knows() -> None:
    newer = chunks(chunk("c/a")).append_column("future", pa.array([1]))
    data = io.BytesIO()
    pq.write_table(newer, data)
    assert decode_table("chunks", data.getvalue()).equals(chunks(chunk("c/a")))


@pytest.mark.parametrize(
    "table",
    [pa.table({"key": ["c/a"]}), chunks(chunk("c/a")).set_column(2, "page", pa.array(["one"]))],
    ids=["columns missing", "another type"],
)
def test_an_object_that_is_another_table_is_a_typed_error(table: pa.Table) -> None:
    data = io.BytesIO()
    pq.write_table(table, data)
    with pytest.raises(LakeObjectInvalid):
        decode_table("chunks", data.getvalue())


def test_bytes_that_are_not_parquet_are_a_typed_error() -> None:
    with pytest.raises(LakeObjectInvalid, match="chunks"):
        decode_table("chunks", b"half an object")
