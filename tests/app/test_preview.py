"""A page with its chunk boxes: drawn where the chunks stand, and refused with a reason where nothing can be drawn."""

import io
from pathlib import Path

import pytest
from app.ingest.documents import Corner
from PIL import Image

from indx_core.app.preview import preview
from indx_core.contracts.errors import SourceUnreadable, UnsupportedMediaType
from indx_core.contracts.ingest import Grain
from indx_core.kit.registry import discover

WHITE = (255, 255, 255)


def pdf(*lines: str) -> bytes:
    """A page of A4 with these lines."""
    from reportlab.pdfgen.canvas import Canvas

    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(595, 842), invariant=1)
    for row, line in enumerate(lines):
        canvas.drawString(200, 700 - 60 * row, line)
    canvas.showPage()
    canvas.save()
    return out.getvalue()


@pytest.fixture(params=list(Grain), ids=str)
def corner(request: pytest.FixtureRequest, tmp_path: Path) -> Corner:
    found = Corner(tmp_path, request.param)
    (found.root / "a.pdf").write_bytes(pdf("The first paragraph.", "Another one, further down."))
    found.write("b.txt", "no page to look at")
    outcomes = found.run(found.task("a.pdf"), found.task("b.txt"))
    assert [outcome.failure for outcome in outcomes] == [None, None]
    return found


def test_every_chunk_with_a_box_is_outlined_where_it_stands(corner: Corner) -> None:
    drawn = preview(corner.lake, corner.config, discover(), corner.task("a.pdf").key, 1)
    chunks = corner.lake.read_document("chunks", corner.task("a.pdf").partition, corner.task("a.pdf").key).to_pylist()
    assert drawn.boxed == tuple(row["chunk_id"] for row in chunks)
    assert drawn.boxed
    assert drawn.unboxed == {}
    picture = Image.open(io.BytesIO(drawn.png())).convert("RGB")
    for row in chunks:
        middle = (row["x0"] + row["x1"]) / 2 * picture.width
        outline = picture.getpixel((round(middle), round(row["y0"] * picture.height)))
        assert max(outline) - min(outline) > 60, "the upper edge of the box is coloured"
    assert picture.getpixel((2, 2)) == WHITE


def test_a_thumbnail_is_small_enough_to_be_kept_with_an_event(corner: Corner) -> None:
    drawn = preview(corner.lake, corner.config, discover(), corner.task("a.pdf").key, 1)
    small = drawn.thumbnail(700)
    assert len(small) < 100_000
    assert Image.open(io.BytesIO(small)).width == 700


def test_what_cannot_be_drawn_says_why(corner: Corner) -> None:
    text, scanned = corner.task("b.txt").key, corner.task("a.pdf").key
    with pytest.raises(UnsupportedMediaType, match="text/plain cannot be rendered") as refused:
        preview(corner.lake, corner.config, discover(), text, 1)
    assert "PDF files and images" in refused.value.remedy  # not "a readable type": it is one
    with pytest.raises(SourceUnreadable, match="has pages 1 to 1"):
        preview(corner.lake, corner.config, discover(), scanned, 2)
    with pytest.raises(SourceUnreadable, match="has no document corpus/c"):
        preview(corner.lake, corner.config, discover(), "corpus/c.pdf", 1)
    (corner.root / "a.pdf").write_bytes(pdf("Something else."))
    with pytest.raises(SourceUnreadable, match="changed since it was read"):
        preview(corner.lake, corner.config, discover(), scanned, 1)
