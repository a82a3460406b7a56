"""The pieces of one slide: its shapes with their boxes, then its notes and comments. What is cut is in ``chunker``."""

from collections.abc import Iterator

from indx_core.contracts.page import BoxReason, ChunkPiece
from indx_core.formats.office.pictures import raster_picture
from indx_core.kit.ooxml.archive import PartDamaged
from indx_core.kit.ooxml.package import Package, open_package
from indx_core.kit.ooxml.presentation import open_deck
from indx_core.kit.ooxml.shapes import Shape, ShapeKind, shapes
from indx_core.kit.ooxml.slide_text import side_blocks
from indx_core.ports.document import OpenDocument


def slide_pieces(document: OpenDocument, number: int) -> Iterator[ChunkPiece]:
    """Pieces in document order; ``number`` is 1-based."""
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
