"""Chunker: cuts a read page into retrievable pieces, each with a box or the reason it has none."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from indx_core.contracts.page import ChunkPiece, PageOutput
from indx_core.ports.document import OpenDocument


@runtime_checkable
class Chunker(Protocol):
    """Asked in order (installed, built in, fallback); the first with an answer for a page has it.

    Attributes:
        id: Name a deployment orders chunkers by.
        distribution: Component name, such as ``indx-chunker-pdf``.
        media_types: What it cuts; empty means any.
        fallback: Whether it is a floor, asked after every other.
    """

    id: str
    distribution: str
    media_types: tuple[str, ...]
    fallback: bool

    def chunk(self, document: OpenDocument, pages: Sequence[PageOutput]) -> dict[int, list[ChunkPiece]]:
        """Pieces by page number, for the pages it has an answer for. A page left out goes to the next chunker.

        Args:
            document: The source, for a chunker that renders.
            pages: Outputs as the executor kept them, every status included.
        """
        ...
