"""Image chunks of pages that nothing could read."""

import io

import pytest
from PIL import Image
from tiff_files import Image as TiffImage
from tiff_files import tiff

from indx_core.contracts.errors import SettingsInvalid
from indx_core.contracts.page import Box, PageOutput, PageStatus
from indx_core.formats.image.chunker import ImageChunker
from indx_core.kit.settings import overriding
from indx_core.ports.document import OpenDocument
from indx_core.testing.conformance import check_chunker


def document() -> OpenDocument:
    """Three pages, each of one shade of grey: its number."""
    return OpenDocument(tiff([TiffImage(shade=1), TiffImage(shade=2), TiffImage(shade=3)]), "image/tiff")


@pytest.mark.parametrize("status", [PageStatus.FAILED, PageStatus.UNREADABLE])
def test_a_page_that_nothing_read_becomes_one_image_of_the_whole_page(status: PageStatus):
    pieces = ImageChunker().chunk(document(), [PageOutput(2, status=status)])
    ((piece,),) = pieces.values()
    assert (piece.text, piece.box) == ("", Box(0, 0, 1, 1))
    assert Image.open(io.BytesIO(piece.image or b"")).convert("RGB").getpixel((0, 0)) == (2, 2, 2)


def test_a_page_that_was_read_is_left_to_other_chunkers_blank_ones_included():
    assert ImageChunker().chunk(document(), [PageOutput(1, text="read"), PageOutput(2, text="")]) == {}


def test_an_undecodable_page_is_left_to_the_floor():
    broken = OpenDocument(b"\x89PNG\r\n\x1a\n", "image/png")
    assert ImageChunker().chunk(broken, [PageOutput(1, status=PageStatus.FAILED)]) == {}


def test_a_bad_resolution_is_named():
    with overriding({"INDX_CHUNK_DPI": "-3"}), pytest.raises(SettingsInvalid, match="INDX_CHUNK_DPI"):
        ImageChunker().chunk(document(), [])


def test_the_chunker_conforms():
    outputs = [
        PageOutput(1, text="read"),
        PageOutput(2, status=PageStatus.FAILED, reason="no"),
        PageOutput(3, status=PageStatus.UNREADABLE, reason="no"),
    ]
    check_chunker(ImageChunker(), document, outputs)
