"""Whole messages against their recorded reading: observation and text."""

from pathlib import Path

import golden_files
import pytest

from indx_core.formats.email import CONTRIBUTION
from indx_core.ports.document import OpenDocument
from indx_core.testing.conformance import check_observer, check_reader

CASES = sorted(path.parent for path in (Path(__file__).parents[2] / "golden" / "email").glob("*/input.eml"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_message_is_observed_and_read_as_recorded(case: Path) -> None:
    (observer,), (reader,) = CONTRIBUTION.observers, CONTRIBUTION.readers
    document = OpenDocument((case / "input.eml").read_bytes(), "message/rfc822")
    observed = observer.observe(document)
    (page,) = reader.read(document, [1])
    golden_files.check(
        case,
        {
            "sniffed": observer.sniff(document.data),
            "pages": [page.model_dump(mode="json") for page in observed.pages],
            "properties": observed.properties,
            "text": page.text.split("\n"),
            "findings": [code for code, _ in page.findings],
        },
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_observer_and_reader_keep_the_promises_of_their_ports(case: Path) -> None:
    (observer,), (reader,) = CONTRIBUTION.observers, CONTRIBUTION.readers
    data = (case / "input.eml").read_bytes()

    def opened() -> OpenDocument:
        return OpenDocument(data, "message/rfc822")

    pages = [page.number for page in observer.observe(opened()).pages]
    check_observer(observer, opened, len(pages), unreadable=lambda: OpenDocument(b"\x00\x01", "message/rfc822"))
    check_reader(reader, opened, pages)
