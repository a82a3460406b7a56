"""indx-chunker-pptx: a slide cut into the shapes it is made of, each at the box the file states.

One piece per text-bearing shape or table, one image piece per raster picture, in document order; then one per block of
notes or comments, which have no place on the slide. Symbols without text, connectors and groups are no pieces: a piece
is something a caller can retrieve.
"""

from collections.abc import Iterator, Sequence

from indx_core.contracts.errors import IndxError
from indx_core.contracts.page import BoxReason, ChunkPiece, PageOutput, PageStatus
from indx_core.formats.office.media_types import SLIDE_TYPES
from indx_core.formats.office.pages import typed_refusals
from indx_core.formats.office.pictures import raster_picture
from indx_core.kit.ooxml.archive import PartDamaged
from indx_core.kit.ooxml.package import Package, open_package
from indx_core.kit.ooxml.presentation import open_deck
from indx_core.kit.ooxml.shapes import Shape, ShapeKind, shapes
from indx_core.kit.ooxml.slide_text import side_blocks, slide_text
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
        cut: dict[int, list[ChunkPiece]] = {}
        for page in pages:
            if page.status is not PageStatus.COMPLETED:
                continue
            try:
                with typed_refusals():
                    if slide_text(document, page.number).text == page.text:
                        cut[page.number] = list(_pieces(document, page.number))
            except (IndxError, IndexError):
                continue
        return cut


def _pieces(document: OpenDocument, number: int) -> Iterator[ChunkPiece]:
    package = open_package(document)
    for shape in shapes(document, number):
        if text := shape.text.strip("\n"):
            if text.strip():
                yield ChunkPiece(text, shape.box, shape.reason)
        elif image := _image(package, shape):
            yield ChunkPiece("", shape.box, shape.reason, image)
    deck = open_deck(document)
    for label, text in side_blocks(deck, deck.slides[number - 1], []):
        yield ChunkPiece(f"[{label}] {text.strip()}", reason=BoxReason.NO_GEOMETRY)


def _image(package: Package, shape: Shape) -> bytes | None:
    if shape.kind is not ShapeKind.PICTURE or shape.media is None:
        return None
    try:
        return raster_picture(package.read(shape.media))
    except PartDamaged:
        return None
