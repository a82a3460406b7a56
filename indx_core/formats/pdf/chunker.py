"""The PDF chunker: one chunk per visual line with its box; a page nothing could read becomes one image."""

import math
from collections.abc import Sequence

from indx_core.contracts.errors import SourceUnreadable
from indx_core.contracts.page import Box, ChunkPiece, PageOutput, PageStatus
from indx_core.formats.pdf.observer import MEDIA_TYPE
from indx_core.kit.render.settings import ChunkSettings
from indx_core.ports.document import OpenDocument

_WHOLE_PAGE = Box(0.0, 0.0, 1.0, 1.0)

_MOST_PIXELS = 10_000_000
"""A poster at 120 dpi would be hundreds of megabytes; a larger page is rendered more coarsely, for one vector."""
_POINTS_PER_INCH = 72


class PdfChunker:
    """Cuts on the lines a reader states, whoever read the page; a page read without lines is left to others."""

    id = "indx-chunker-pdf"
    distribution = "indx-chunker-pdf"
    media_types: tuple[str, ...] = (MEDIA_TYPE,)
    fallback = False

    def chunk(self, document: OpenDocument, pages: Sequence[PageOutput]) -> dict[int, list[ChunkPiece]]:
        dpi = ChunkSettings.load().dpi
        pieces = {page.number: _pieces(document, page, dpi) for page in pages}
        return {number: cut for number, cut in pieces.items() if cut is not None}


def _pieces(document: OpenDocument, page: PageOutput, dpi: int) -> list[ChunkPiece] | None:
    """The chunks of a page; ``None`` where this chunker has no answer."""
    if page.status is not PageStatus.COMPLETED:
        return _image(document, page.number, dpi)
    if page.lines:
        cut = ((page.text[line.start : line.end], line) for line in page.lines)
        return [ChunkPiece(text, line.box, line.reason) for text, line in cut if text.strip()]
    return None if page.text.strip() else []


def _image(document: OpenDocument, number: int, dpi: int) -> list[ChunkPiece] | None:
    from indx_core.kit.pdfium.opening import pdf_file
    from indx_core.kit.render.page import page_png

    try:
        width, height = pdf_file(document).size(number)
        fitting = math.floor(_POINTS_PER_INCH * math.sqrt(_MOST_PIXELS / max(1.0, width * height)))
        return [ChunkPiece("", _WHOLE_PAGE, image=page_png(document, number, dpi=min(dpi, fitting)))]
    except SourceUnreadable:
        return None
