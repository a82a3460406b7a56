"""Reading a PDF the way a run does, for the tests of this folder: one document, observed, then read, then cut."""

from dataclasses import dataclass

from indx_core.contracts.page import Box, ChunkPiece, PageOutput
from indx_core.formats.pdf.chunker import PdfChunker
from indx_core.formats.pdf.observer import MEDIA_TYPE, PdfObserver
from indx_core.formats.pdf.reader import NativeExtraction
from indx_core.ports.document import OpenDocument
from indx_core.ports.observer import Observed


@dataclass(frozen=True)
class Run:
    observed: Observed
    outputs: list[PageOutput]
    chunks: dict[int, list[ChunkPiece]]


def run(data: bytes) -> Run:
    """Observe every page, read every page, cut every page."""
    with OpenDocument(data, MEDIA_TYPE) as document:
        observed = PdfObserver().observe(document)
        outputs = list(NativeExtraction().read(document, [page.number for page in observed.pages]))
        return Run(observed, outputs, PdfChunker().chunk(document, outputs))


def read(data: bytes) -> PageOutput:
    """The first page, read without an observation, as a replay does."""
    with OpenDocument(data, MEDIA_TYPE) as document:
        return next(NativeExtraction().read(document, [1]))


def lines(output: PageOutput) -> list[tuple[str, Box | None]]:
    """Text and box of each line."""
    return [(output.text[line.start : line.end], line.box) for line in output.lines]
