"""Annotations in the lake: languages detected and declared, entities with their counts, labels by rank."""

from pathlib import Path

import pytest
from app.ingest.documents import Corner

from indx_core.app.ingest.rows import annotation_tables
from indx_core.contracts.annotation import AnnotationSelection, ExtractionSelection
from indx_core.contracts.ingest import IngestOptions
from indx_core.execution.annotate import Annotations


def test_free_lanes_fill_their_tables_from_one_document(tmp_path: Path) -> None:
    options = IngestOptions(
        languages=False,
        classification=AnnotationSelection(document_ids=("words",)),
        extraction=ExtractionSelection(page_ids=("patterns",)),
        enrichment=AnnotationSelection(document_ids=("extractive",)),
    )
    corner = Corner(tmp_path, options=options)
    corner.write(
        "invoice.txt",
        "請求書\n請求書番号 INV-2026-001\nお支払期限 2026年3月31日\n御請求金額 １２,０００円 12,000円\n株式会社山田商店\n",
    )
    (outcome,) = corner.run(corner.task("invoice.txt"))
    assert outcome.failure is None

    def rows(table: str) -> list[dict]:
        return corner.lake.dataset(table).to_table().to_pylist()

    assert ("document_type", "invoice", 0) in {(r["facet"], r["label"], r["rank"]) for r in rows("labels")}
    text = corner.lake.dataset("pages").to_table().column("text").to_pylist()[0]
    assert all(text[row["start"] : row["end"]] == row["surface"] for row in rows("entities"))
    money = next(row for row in rows("entity_counts") if row["label"] == "money")
    assert (money["surface"], money["count"]) == ("12,000円", 2)
    assert sorted(money["forms"]) == ["12,000円", "１２,０００円"]
    assert [row["enricher"] for row in rows("summaries")] == ["extractive"]


@pytest.mark.parametrize(
    ("declared", "rows"),
    [("ja-JP", ["ja"]), ("en_US", ["en"]), ("EN", ["en"]), ("", []), (None, []), ("x", []), ("12", [])],
)
def test_the_language_a_format_declares_stands_beside_the_detected_ones(declared: str | None, rows: list[str]) -> None:
    table = annotation_tables("k", Annotations(declared_language=declared))["languages"]
    found = table.to_pylist() if table else []
    assert [row["language"] for row in found] == rows
    assert all((row["detector"], row["block_id"]) == ("declared", "document") for row in found)
