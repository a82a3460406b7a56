"""The checks of rows: each catches what it is for."""

import numpy as np
import pyarrow as pa
import pytest

from indx_core.app.ingest import verify
from indx_core.contracts.tables import CHUNKS, vectors_schema
from indx_core.testing.fakes import FakeEmbedder

SPACE = FakeEmbedder(dimension=2).space


def pages(*rows: tuple[int, str]) -> pa.Table:
    return pa.table({"page": [page for page, _ in rows], "status": [status for _, status in rows]})


@pytest.mark.parametrize(
    ("rows", "observed", "passed"),
    [
        ([(1, "completed"), (2, "unreadable")], 2, True),
        ([(1, "completed")], 2, False),
        ([(1, "completed"), (1, "completed")], 2, False),
        ([(1, "completed"), (2, "skipped")], 2, False),
        ([], 0, True),
    ],
)
def test_a_page_that_vanished_doubled_or_has_no_outcome_is_found(rows, observed, passed) -> None:
    assert verify.pages_conserved(pages(*rows), observed).passed is passed


def test_pages_that_wait_for_a_person_are_named() -> None:
    check = verify.pages_readable(pages((1, "completed"), (2, "unreadable"), (3, "failed")))
    assert (check.passed, check.message) == (False, "pages 2, 3 could not be read")


def chunk(box: tuple | None, reason: str | None) -> dict:
    edges = dict(zip(("x0", "y0", "x1", "y1"), box or (None,) * 4, strict=True))
    texts = {"key": "k", "chunk_id": "page:1/chunk:1", "text": "t", "modality": "text", "chunker": "c"}
    return {**texts, **edges, "page": 1, "position": 0, "bbox_reason": reason, "image": None, "capability_id": None}


@pytest.mark.parametrize(
    ("box", "reason", "passed"),
    [
        ((0, 0, 1, 1), None, True),
        (None, "no_geometry", True),
        (None, None, False),
        ((0, 0, 1, 1), "hidden", False),
        ((0.5, 0, 0.4, 1), None, False),
        ((0, 0, 1, 1.5), None, False),
        ((-0.1, 0, 1, 1), None, False),
    ],
)
def test_a_chunk_without_exactly_one_of_box_and_reason_or_with_a_box_off_the_page_is_found(box, reason, passed) -> None:
    table = pa.Table.from_pylist([chunk(box, reason)], schema=CHUNKS.schema)
    assert verify.box_or_reason(table).passed is passed


@pytest.mark.parametrize(
    ("vector", "passed"), [((1.0, 0.0), True), ((0.5, 0.0), False), ((np.nan, 0.0), False), ((0.0, 0.0), False)]
)
def test_a_vector_that_is_not_finite_or_not_of_norm_one_is_found(vector, passed) -> None:
    row = {"key": "k", "chunk_id": "c", "page": 1, "embedding_space_id": SPACE.id, "embedder_id": "e"}
    table = pa.Table.from_pylist([{**row, "vector": list(vector)}], schema=vectors_schema(2))
    assert verify.vectors_valid([(SPACE, table)]).passed is passed


def test_a_vector_of_another_dimension_than_its_space_is_found() -> None:
    row = {"key": "k", "chunk_id": "c", "page": 1, "embedding_space_id": SPACE.id, "embedder_id": "e"}
    table = pa.Table.from_pylist([{**row, "vector": [1.0, 0.0, 0.0]}], schema=vectors_schema(3))
    check = verify.vectors_valid([(SPACE, table)])
    assert (check.passed, "3 dimensions, declared 2" in check.message) == (False, True)
