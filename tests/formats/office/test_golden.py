"""Whole documents through observer, reader and chunker, against golden files."""

import importlib.util
from pathlib import Path
from typing import Any

import golden_files
import pytest

from indx_core.formats.office.chunker import SlideChunker
from indx_core.formats.office.observer import OfficeObserver
from indx_core.formats.office.reader import OfficeReader
from indx_core.ports.document import OpenDocument


def _load_cases() -> Any:
    spec = importlib.util.spec_from_file_location("office_golden_cases", Path(__file__).with_name("golden_cases.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CASES = _load_cases()


@pytest.mark.parametrize("case", sorted(CASES.CASES))
def test_the_committed_input_is_what_its_script_builds(case: str) -> None:
    assert CASES.input_path(case).read_bytes() == CASES.CASES[case]()


@pytest.mark.parametrize("case", sorted(CASES.CASES))
def test_a_document_comes_out_as_recorded(case: str) -> None:
    data = CASES.input_path(case).read_bytes()
    media_type = OfficeObserver().sniff(data)
    assert media_type is not None
    with OpenDocument(data, media_type) as document:
        observed = OfficeObserver().observe(document)
        pages = list(OfficeReader().read(document, [page.number for page in observed.pages]))
        pieces = SlideChunker().chunk(document, pages) if case.startswith("pptx") else {}
    golden_files.check(
        CASES.input_path(case).parent,
        {
            "media_type": media_type,
            "observed": [page.model_dump(mode="json") for page in observed.pages],
            "pages": [_page(page) for page in pages],
            "pieces": {str(n): [[p.text, p.box and list(p.box), p.reason] for p in cut] for n, cut in pieces.items()},
        },
    )


def _page(page: Any) -> dict[str, Any]:
    return {
        "status": page.status,
        "reason": page.reason,
        "text": page.text.split("\n"),
        "boxes": [[page.text[line.start : line.end], line.box and list(line.box), line.reason] for line in page.lines],
        "tables": [
            {
                "size": [table.rows, table.columns],
                "header_rows": table.header_rows,
                "label": table.label,
                "cells": [[c.row, c.column, c.text, c.row_span, c.column_span] for c in table.cells],
            }
            for table in page.tables
        ],
        "findings": [list(finding) for finding in page.findings],
    }
