"""The two chunkers that know no format: one chunk per line a reader located, and one per page as the floor.

Both cut what the reader returned and open nothing. Blank text makes no chunk: it has nothing to retrieve.
"""

from collections.abc import Sequence

from indx_core.contracts.page import BoxReason, ChunkPiece, PageOutput, PageStatus
from indx_core.ports.document import OpenDocument


class LinesChunker:
    """One chunk per line, for pages whose reader located at least one. Lines without any box are the floor's."""

    id = "lines"
    distribution = "indx-chunker-lines"
    media_types: tuple[str, ...] = ()
    fallback = False

    def chunk(self, document: OpenDocument, pages: Sequence[PageOutput]) -> dict[int, list[ChunkPiece]]:  # noqa: ARG002
        return {page.number: _line_pieces(page) for page in pages if _located(page)}


class PageChunker:
    """One chunk per readable page: its whole text, whatever its size, and no box."""

    id = "page"
    distribution = "indx-chunker-page"
    media_types: tuple[str, ...] = ()
    fallback = True

    def chunk(self, document: OpenDocument, pages: Sequence[PageOutput]) -> dict[int, list[ChunkPiece]]:  # noqa: ARG002
        return {
            page.number: [ChunkPiece(page.text, reason=BoxReason.NO_GEOMETRY)]
            for page in pages
            if page.status is PageStatus.COMPLETED and page.text.strip()
        }


def _located(page: PageOutput) -> bool:
    return page.status is PageStatus.COMPLETED and any(line.box is not None for line in page.lines)


def _line_pieces(page: PageOutput) -> list[ChunkPiece]:
    """A line without a box among located ones says why; without a reason of its own, its place was not resolved."""
    return [
        ChunkPiece(text, line.box, None if line.box else line.reason or BoxReason.UNRESOLVED)
        for line in page.lines
        if (text := page.text[line.start : line.end]).strip()
    ]
