"""Whole files against committed answers: observation, text, boxes and chunks, readable as a diff."""

from pathlib import Path

import golden_files
import numpy as np
import pypdfium2 as pdfium
import pytest
from formats.pdf.golden_inputs import BUILDERS, CASES
from formats.pdf.pdf_reading import lines, run

from indx_core.contracts.page import PageOutput


def rendered(output: PageOutput) -> dict:
    return {
        "number": output.number,
        "status": output.status.value,
        "reason": output.reason,
        "lines": [
            [output.text[line.start : line.end], list(line.box) if line.box else line.reason and line.reason.value]
            for line in output.lines
        ],
    }


@pytest.mark.parametrize("case", [build.__name__ for build in BUILDERS])
def test_a_file_is_observed_read_and_cut_as_before(case: str):
    folder: Path = CASES / case
    result = run((folder / "input.pdf").read_bytes())
    golden_files.check(
        folder,
        {
            "findings": [finding.model_dump() for finding in result.observed.findings],
            "properties": result.observed.properties,
            "observed": [page.model_dump(mode="json") for page in result.observed.pages],
            "read": [rendered(output) for output in result.outputs],
            "chunks": {
                str(number): [piece.text if piece.image is None else "<image>" for piece in pieces]
                for number, pieces in result.chunks.items()
            },
        },
    )


@pytest.mark.parametrize("case", ["crop_and_rotation", "vertical", "two_columns", "form_xobject"])
def test_the_committed_boxes_hold_the_ink_of_the_page(case: str):
    """So that a golden file regenerated with wrong boxes does not pass for right."""
    data = (CASES / case / "input.pdf").read_bytes()
    document = pdfium.PdfDocument(data)
    for output in run(data).outputs:
        pixels = np.asarray(document[output.number - 1].render(scale=2, grayscale=True).to_pil()) < 160
        height, width = pixels.shape
        outside = pixels.copy()
        for text, box in lines(output):
            if box is None:
                continue
            rows = slice(max(0, int(box.y0 * height) - 3), int(box.y1 * height) + 4)
            columns = slice(max(0, int(box.x0 * width) - 3), int(box.x1 * width) + 4)
            assert pixels[rows, columns].any(), text
            outside[rows, columns] = False
        assert not outside.any()
