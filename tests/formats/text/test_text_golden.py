"""Whole text documents, from bytes to chunks, against their golden files."""

from dataclasses import asdict
from pathlib import Path

import golden_files
import pytest

from indx_core.contracts.source import UriSource
from indx_core.kit.intake import acquire, observe_document, open_document
from indx_core.kit.registry import discover

GOLDEN = Path(__file__).parents[2] / "golden" / "text"


@pytest.mark.parametrize("case", sorted(path.name for path in GOLDEN.iterdir()))
def test_a_document_is_observed_read_and_chunked_as_recorded(case: str) -> None:
    registry = discover()
    (source,) = (GOLDEN / case).glob("input.*")
    acquired = acquire(UriSource(uri=source.as_uri()), registry)
    reader = registry.reader("text-extraction")
    assert reader is not None
    with open_document(acquired, registry) as document:
        observation = observe_document(acquired, document, registry)
        outputs = list(reader.read(document, [page.number for page in observation.pages]))
        chunks = registry.chunkers[-1].chunk(document, outputs)
    golden_files.check(
        GOLDEN / case,
        {
            "observation": observation.model_dump(mode="json"),
            "pages": [_readable(asdict(output)) for output in outputs],
            "chunks": {number: [piece.text for piece in pieces] for number, pieces in chunks.items()},
        },
    )


def _readable(output: dict) -> dict:  # type: ignore[type-arg]
    """Spans as the text they index, cells as rows: what a reviewer can judge."""
    output["lines"] = [output["text"][line.start : line.end] for line in output["lines"]]
    output["tables"] = [
        {
            "size": f"{table['rows']} x {table['columns']}",
            "cells": [f"{cell['row']},{cell['column']}: {cell['text']}" for cell in table["cells"]],
        }
        for table in output["tables"]
    ]
    return output
