"""Whole drawings against their recorded reading: pages, texts with boxes, findings."""

from pathlib import Path

import golden_files
import pytest

from indx_core.formats.dxf import CONTRIBUTION
from indx_core.ports.document import OpenDocument
from indx_core.testing.conformance import check_observer, check_reader

CASES = sorted(path.parent for path in (Path(__file__).parents[2] / "golden" / "dxf").glob("*/input.dxf"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_drawing_is_observed_and_read_as_recorded(case: Path) -> None:
    (observer,), (reader,) = CONTRIBUTION.observers, CONTRIBUTION.readers
    document = OpenDocument((case / "input.dxf").read_bytes(), "image/vnd.dxf")
    observed = observer.observe(document)
    pages = reader.read(document, [page.number for page in observed.pages])
    golden_files.check(
        case,
        {
            "sniffed": observer.sniff(document.data),
            "pages": [page.model_dump(mode="json") for page in observed.pages],
            "findings": [finding.code for finding in observed.findings],
            "outputs": [
                {
                    "status": page.status.value,
                    "reason": page.reason,
                    "lines": [[page.text[line.start : line.end], line.box, line.reason] for line in page.lines],
                }
                for page in pages
            ],
        },
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_observer_and_reader_keep_the_promises_of_their_ports(case: Path) -> None:
    (observer,), (reader,) = CONTRIBUTION.observers, CONTRIBUTION.readers
    data = (case / "input.dxf").read_bytes()

    def opened() -> OpenDocument:
        return OpenDocument(data, "image/vnd.dxf")

    pages = [page.number for page in observer.observe(opened()).pages]
    check_observer(observer, opened, len(pages), unreadable=lambda: OpenDocument(b"\x00\x01", "image/vnd.dxf"))
    check_reader(reader, opened, pages)
