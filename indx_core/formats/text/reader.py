"""The text reader: gives each page its text, the spans of its lines, and for CSV and TSV the grid beside it."""

from collections.abc import Iterator, Sequence

from indx_core.contracts.capability import CapabilityDescriptor, CapabilityKind
from indx_core.contracts.page import BoxReason, PageOutput, TextLine
from indx_core.formats.text.grid import grid
from indx_core.formats.text.pages import DELIMITERS, MEDIA_TYPES, page_texts
from indx_core.ports.document import OpenDocument


class TextReader:
    """Reads plain text, CSV and TSV. Declares native extraction: reading a text file is no routing decision."""

    descriptor = CapabilityDescriptor(
        id="text-extraction",
        kind=CapabilityKind.NATIVE,
        media_types=MEDIA_TYPES,
        distribution="indx-capability-text-extraction",
    )

    def read(self, document: OpenDocument, pages: Sequence[int]) -> Iterator[PageOutput]:
        texts = page_texts(document)
        for number in pages:
            if 1 <= number <= len(texts):
                yield _output(number, texts[number - 1], DELIMITERS.get(document.media_type))


def _output(number: int, text: str, delimiter: str | None) -> PageOutput:
    lines = tuple(_lines(text))
    if delimiter is None:
        return PageOutput(number, text=text, lines=lines)
    tables, findings = grid(text, delimiter)
    return PageOutput(number, text=text, lines=lines, tables=tables, findings=findings)


def _lines(text: str) -> Iterator[TextLine]:
    """The lines that are not blank. Split rather than matched: a pattern would be quadratic on megabytes of spaces."""
    start = 0
    for line in text.split("\n"):
        end = start + len(line)
        if line and not line.isspace():
            yield TextLine(start, end, box=None, reason=BoxReason.NO_GEOMETRY)
        start = end + 1
