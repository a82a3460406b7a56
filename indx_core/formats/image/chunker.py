"""The image chunker: a page of an image file that nothing could read becomes one image.

A page that was read is left to the line chunker, and a page read as blank has nothing to retrieve.
"""

from collections.abc import Sequence

from indx_core.contracts.errors import IndxError
from indx_core.contracts.page import Box, ChunkPiece, PageOutput, PageStatus
from indx_core.formats.image.observer import ImageObserver
from indx_core.kit.render.page import page_png
from indx_core.kit.render.settings import ChunkSettings
from indx_core.ports.document import OpenDocument

_WHOLE_PAGE = Box(0.0, 0.0, 1.0, 1.0)


class ImageChunker:
    """Answers for failed and unreadable pages that can be shown; an undecodable one goes to the floor."""

    id = "indx-chunker-image"
    distribution = "indx-chunker-image"
    media_types = ImageObserver.media_types
    fallback = False

    def chunk(self, document: OpenDocument, pages: Sequence[PageOutput]) -> dict[int, list[ChunkPiece]]:
        dpi = ChunkSettings.load().dpi
        unread = [page.number for page in pages if page.status is not PageStatus.COMPLETED]
        shown = {number: _png(document, number, dpi) for number in unread}
        return {
            number: [ChunkPiece("", _WHOLE_PAGE, image=image)] for number, image in shown.items() if image is not None
        }


def _png(document: OpenDocument, number: int, dpi: int) -> bytes | None:
    try:
        return page_png(document, number, dpi=dpi)
    except IndxError:
        return None
