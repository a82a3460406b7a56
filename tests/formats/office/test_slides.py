"""Slides read and cut into pieces."""

import io

import pytest
from office_builder import NAMESPACES, frame, pptx, replaced, shape, shape_tree, text_body

from indx_core.contracts.page import Box, BoxReason, ChunkPiece, PageOutput, PageStatus
from indx_core.formats.office.chunker import SlideChunker
from indx_core.formats.office.media_types import PPTX
from indx_core.formats.office.observer import OfficeObserver
from indx_core.formats.office.pictures import raster_picture
from indx_core.formats.office.reader import OfficeReader
from indx_core.ports.document import OpenDocument

PNG = bytes.fromhex("89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de")
PICTURE = (
    '<p:pic><p:nvPicPr><p:cNvPr id="7" name="Photo"/></p:nvPicPr><p:blipFill><a:blip r:embed="rPic"/></p:blipFill>'
    f"<p:spPr>{frame(0, 500, 500, 500)}</p:spPr></p:pic>"
)


def read_all(data: bytes) -> list[PageOutput]:
    with OpenDocument(data, PPTX) as document:
        numbers = [page.number for page in OfficeObserver().observe(document).pages]
        return list(OfficeReader().read(document, numbers))


def cut(data: bytes, pages: list[PageOutput] | None = None) -> dict[int, list[ChunkPiece]]:
    with OpenDocument(data, PPTX) as document:
        return SlideChunker().chunk(document, read_all(data) if pages is None else pages)


def with_media(content: bytes, name: str = "a.png") -> bytes:
    return pptx(PICTURE, slide_links={0: [("rPic", "image", f"../{name}")]}, parts={f"ppt/{name}": content})


def test_a_slide_reads_in_document_order_with_a_box_per_shape() -> None:
    page = read_all(pptx(shape(2, "Title", frame(0, 0, 500, 100)) + shape(3, "one\ntwo", frame(0, 200, 500, 100))))[0]
    assert page.text == "Title\none\ntwo"
    assert [(page.text[line.start : line.end], line.box) for line in page.lines] == [
        ("Title", Box(0, 0, 0.5, 0.1)),
        ("one\ntwo", Box(0, 0.2, 0.5, 0.3)),
    ]


def test_slides_come_in_the_order_of_the_slide_list_and_hidden_ones_are_marked() -> None:
    data = pptx(shape(2, "first"), shape(2, "second"), slide_attributes=("", 'show="0"'))
    with OpenDocument(data, PPTX) as document:
        assert [page.hidden for page in OfficeObserver().observe(document).pages] == [False, True]
    assert [page.text for page in read_all(data)] == ["first", "second"]


def test_notes_and_comments_follow_the_slide_as_labelled_blocks() -> None:
    comments = f'<p:cmLst {NAMESPACES}><p:cm authorId="0"><p:text>really?</p:text></p:cm></p:cmLst>'
    number = '<p:sp><p:nvSpPr><p:cNvPr id="4" name="n"/></p:nvSpPr><p:txBody><a:p><a:fld type="slidenum"><a:t>1</a:t></a:fld></a:p></p:txBody></p:sp>'
    data = pptx(
        shape(2, "body", frame(0, 0, 10, 10)),
        slide_links={0: [("n", "notesSlide", "../notes.xml"), ("c", "comments", "../comments.xml")]},
        links=[("a", "commentAuthors", "authors.xml")],
        parts={
            "ppt/notes.xml": shape_tree("notes", shape(2, "say this\nslowly") + number),
            "ppt/comments.xml": comments,
            "ppt/authors.xml": f'<p:cmAuthorLst {NAMESPACES}><p:cmAuthor id="0" name="Sato"/></p:cmAuthorLst>',
        },
    )
    assert read_all(data)[0].text == "body\n[notes] say this\nslowly\n[comment by Sato] really?"
    pieces = cut(data)[1]
    assert [piece.text for piece in pieces] == ["body", "[notes] say this\nslowly", "[comment by Sato] really?"]
    assert pieces[1].reason is BoxReason.NO_GEOMETRY


def test_smart_art_and_charts_read_as_their_words() -> None:
    def graphic(reference: str) -> str:
        return f'<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="5" name="g"/></p:nvGraphicFramePr>{frame(0, 0, 500, 500, tag="p:xfrm")}<a:graphic><a:graphicData>{reference}</a:graphicData></a:graphic></p:graphicFrame>'

    data = pptx(
        graphic('<dgm:relIds r:dm="d"/>') + graphic('<c:chart r:id="c"/>'),
        slide_links={0: [("d", "diagramData", "../data.xml"), ("c", "chart", "../chart.xml")]},
        parts={
            "ppt/data.xml": f"<dgm:dataModel {NAMESPACES}><dgm:pt>{text_body('Plan', tag='dgm:t')}</dgm:pt><dgm:pt>{text_body('Do', tag='dgm:t')}</dgm:pt></dgm:dataModel>",
            "ppt/chart.xml": f"<c:chartSpace {NAMESPACES}><c:title><a:p><a:r><a:t>売上</a:t></a:r></a:p></c:title></c:chartSpace>",
        },
    )
    assert read_all(data)[0].text == "Plan\nDo\n売上"
    assert [(piece.text, piece.box) for piece in cut(data)[1]] == [
        ("Plan\nDo", Box(0, 0, 0.5, 0.5)),
        ("売上", Box(0, 0, 0.5, 0.5)),
    ]


def test_a_hidden_shape_s_text_is_read_its_piece_says_hidden_and_the_page_says_so() -> None:
    data = pptx(shape(2, "secret", frame(0, 0, 10, 10), attributes='hidden="1"'))
    assert read_all(data)[0].findings[0][0] == "hidden_shapes"
    assert (cut(data)[1][0].box, cut(data)[1][0].reason) == (None, BoxReason.HIDDEN)


def test_a_position_nobody_states_is_unresolved() -> None:
    assert cut(pptx(shape(2, "where")))[1][0].reason is BoxReason.UNRESOLVED


def test_symbols_connectors_and_groups_are_no_pieces() -> None:
    """A piece is something a caller can retrieve; their geometry belongs to the process-chart parser."""
    connector = '<p:cxnSp><p:nvCxnSpPr><p:cNvPr id="4" name="c"/></p:nvCxnSpPr><p:spPr/></p:cxnSp>'
    assert cut(pptx(shape(2, "", frame(0, 0, 10, 10)) + connector)) == {1: []}


def test_a_raster_picture_is_an_image_piece_at_its_box() -> None:
    (piece,) = cut(with_media(PNG))[1]
    assert (piece.text, piece.image, piece.box) == ("", PNG, Box(0, 0.5, 0.5, 1))


@pytest.mark.parametrize("name", ["a.emf", "a.svg"])
def test_a_vector_picture_is_no_piece(name: str) -> None:
    assert cut(with_media(b"\x01\x00\x00\x00 or <svg/>", name)) == {1: []}


def test_other_rasters_become_png_and_jpeg_stays_what_it_is() -> None:
    from PIL import Image

    for kind in ("GIF", "BMP", "TIFF"):
        target = io.BytesIO()
        Image.new("RGB", (2, 2)).save(target, kind)
        converted = raster_picture(target.getvalue())
        assert converted is not None
        assert converted.startswith(b"\x89PNG")
    assert raster_picture(b"\xff\xd8\xff\xe0 and so on") == b"\xff\xd8\xff\xe0 and so on"


@pytest.mark.parametrize("data", [b"GIF89a cut off", b"BM", b"", b"plain"])
def test_a_picture_that_does_not_decode_is_no_piece(data: bytes) -> None:
    assert raster_picture(data) is None


def test_a_page_another_engine_read_or_nobody_did_is_left_to_other_chunkers() -> None:
    data = pptx(shape(2, "own text", frame(0, 0, 10, 10)))
    others = [
        PageOutput(1, text="recognised text"),
        PageOutput(1, PageStatus.FAILED, reason="x"),
        PageOutput(9, text="no such page"),
    ]
    assert [cut(data, [page]) for page in others] == [{}, {}, {}]


def test_a_broken_slide_fails_alone() -> None:
    data = replaced(pptx(shape(2, "a"), shape(2, "b")), {"ppt/slides/page0.xml": "<p:sld"})
    pages = read_all(data)
    assert [page.status for page in pages] == [PageStatus.FAILED, PageStatus.COMPLETED]
    with OpenDocument(data, PPTX) as document:
        assert [finding.code for finding in OfficeObserver().observe(document).findings] == ["page_damaged"]


def test_a_presentation_without_slides_has_no_pages_and_says_so() -> None:
    with OpenDocument(pptx(), PPTX) as document:
        observed = OfficeObserver().observe(document)
    assert (observed.pages, observed.findings[0].code) == ((), "no_pages")
