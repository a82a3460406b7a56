"""The PDF chunker: lines with boxes, one image for a page nobody could read, nothing for a blank one."""

import io

import pytest
from formats.pdf.pdf_builder import line, one_page
from formats.pdf.pdf_reading import run
from PIL import Image

from indx_core.contracts.errors import SettingsInvalid
from indx_core.contracts.page import Box, BoxReason, PageOutput, PageStatus, TextLine
from indx_core.formats.pdf.chunker import PdfChunker
from indx_core.formats.pdf.observer import MEDIA_TYPE
from indx_core.kit.settings import overriding
from indx_core.ports.document import OpenDocument

DRAWING = one_page(b"100 100 300 300 re f")
BOX = Box(0.1, 0.2, 0.3, 0.4)


def cut(output: PageOutput, data: bytes = DRAWING) -> list | None:
    with OpenDocument(data, MEDIA_TYPE) as document:
        return PdfChunker().chunk(document, [output]).get(output.number)


def test_each_visual_line_is_one_chunk_with_its_box():
    result = run(one_page(line("First", 72, 700) + line("Second", 72, 680)))
    assert [chunk.text for chunk in result.chunks[1]] == ["First", "Second"]
    assert [chunk.box for chunk in result.chunks[1]] == [text_line.box for text_line in result.outputs[0].lines]


def test_lines_of_any_reader_are_cut_the_same_way_and_blank_ones_are_not_chunks():
    output = PageOutput(
        1,
        text="recognised\n \nhidden",
        lines=(TextLine(0, 10, BOX), TextLine(11, 12, BOX), TextLine(13, 19, None, BoxReason.HIDDEN)),
    )
    pieces = cut(output)
    assert pieces is not None
    assert [(piece.text, piece.box, piece.reason) for piece in pieces] == [
        ("recognised", BOX, None),
        ("hidden", None, BoxReason.HIDDEN),
    ]


@pytest.mark.parametrize("status", [PageStatus.FAILED, PageStatus.UNREADABLE])
def test_a_page_that_nobody_could_read_is_one_image_of_the_whole_page(status: PageStatus):
    pieces = cut(PageOutput(1, status, reason="nothing could"))
    assert pieces is not None
    (piece,) = pieces
    assert (piece.text, piece.box) == ("", Box(0.0, 0.0, 1.0, 1.0))
    assert piece.image is not None
    picture = Image.open(io.BytesIO(piece.image))
    assert (picture.format, picture.size) == ("PNG", (1020, 1320))


def test_the_resolution_is_a_setting_and_the_bytes_are_the_same_every_time():
    with overriding({"INDX_CHUNK_DPI": "36"}):
        first, second = (cut(PageOutput(1, PageStatus.FAILED)) for _ in range(2))
    assert first is not None
    assert second is not None
    assert first[0].image == second[0].image
    assert Image.open(io.BytesIO(first[0].image or b"")).size == (306, 396)


@pytest.mark.parametrize("value", ["0", "-5", "fine"])
def test_a_resolution_that_is_no_positive_number_is_refused_and_never_replaced(value: str):
    with overriding({"INDX_CHUNK_DPI": value}), pytest.raises(SettingsInvalid, match="INDX_CHUNK_DPI"):
        cut(PageOutput(1, text=""))


def test_a_poster_is_rendered_coarsely_rather_than_in_hundreds_of_megabytes():
    poster = one_page(b"100 100 300 300 re f", media_box=(0, 0, 7200, 14400))
    pieces = cut(PageOutput(1, PageStatus.FAILED), poster)
    assert pieces is not None
    width, height = Image.open(io.BytesIO(pieces[0].image or b"")).size
    assert 5_000_000 < width * height <= 10_100_000


def test_a_page_read_as_empty_is_blank_and_not_rendered():
    assert cut(PageOutput(1, text="")) == []


def test_a_page_read_without_lines_is_left_to_other_chunkers():
    assert cut(PageOutput(1, text="Text of a model that knows no places")) is None


def test_a_page_that_cannot_be_drawn_is_left_to_other_chunkers():
    assert cut(PageOutput(7, PageStatus.FAILED)) is None
