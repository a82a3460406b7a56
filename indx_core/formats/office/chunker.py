"""indx-chunker-pptx: a slide cut into the shapes it is made of, each at the box the file states.

One piece per text-bearing shape or table, one image piece per raster picture, in document order; then one per block of
notes or comments, which have no place on the slide. Symbols without text, connectors and groups are no pieces: a piece
is something a caller can retrieve.
"""

from collections.abc import Sequence

from indx_core.contracts.errors import IndxError
from indx_core.contracts.page import ChunkPiece, PageOutput, PageStatus
from indx_core.formats.office.media_types import SLIDE_TYPES
from indx_core.ports.document import OpenDocument


class SlideChunker:
    """Cuts slides."""

    id = "pptx"
    distribution = "indx-chunker-pptx"
    media_types: tuple[str, ...] = SLIDE_TYPES
    fallback = False

    def chunk(self, document: OpenDocument, pages: Sequence[PageOutput]) -> dict[int, list[ChunkPiece]]:
        """Pieces of the slides that were read from the file's own text.

        A slide that was not read, or whose text another engine recognised, is left to the chunkers of lines and pages:
        the shapes say something else than such a text.
        """
        # Imported when a deck is cut: discovery imports this module for every document of any kind.
        from indx_core.formats.office.pages import typed_refusals
        from indx_core.formats.office.slide_pieces import slide_pieces
        from indx_core.kit.ooxml.slide_text import slide_text

        cut: dict[int, list[ChunkPiece]] = {}
        for page in pages:
            if page.status is not PageStatus.COMPLETED:
                continue
            try:
                with typed_refusals():
                    if slide_text(document, page.number).text == page.text:
                        cut[page.number] = list(slide_pieces(document, page.number))
            except (IndxError, IndexError):
                continue
        return cut
