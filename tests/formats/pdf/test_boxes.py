"""Boxes are 0-1, origin top left, of the page as displayed: held against the ink PDFium draws, not against our own
arithmetic."""

import numpy as np
import pypdfium2 as pdfium
import pytest
from formats.pdf.pdf_builder import HELVETICA, PdfBuilder, ja_line, japanese, line, one_page, stream, utf16
from formats.pdf.pdf_reading import lines, read

from indx_core.contracts.page import Box, BoxReason

SCALE = 2.0
MARGIN = 0.006  # two or three pixels for antialiasing


def ink(data: bytes) -> np.ndarray:
    """Which pixels of the first page are dark, as displayed."""
    return np.asarray(pdfium.PdfDocument(data)[0].render(scale=SCALE, grayscale=True).to_pil()) < 160


def inside(box: Box, pixels: np.ndarray, margin: float = 0.0) -> np.ndarray:
    """The part of a page that a box covers, with a margin in shares of the page."""
    height, width = pixels.shape
    rows = slice(max(0, int((box.y0 - margin) * height)), int(np.ceil((box.y1 + margin) * height)))
    columns = slice(max(0, int((box.x0 - margin) * width)), int(np.ceil((box.x1 + margin) * width)))
    return pixels[rows, columns]


def assert_boxes_hold_the_ink(data: bytes) -> list[tuple[str, Box]]:
    """Every line's box has ink in it, and no ink is outside of all boxes."""
    pixels = ink(data)
    boxed = [(text, box) for text, box in lines(read(data)) if box is not None]
    assert boxed
    outside = pixels.copy()
    for text, box in boxed:
        assert inside(box, pixels).any(), f"no ink in the box of {text!r}"
        inside(box, outside, MARGIN)[:] = False
    assert not outside.any()
    return boxed


CONTENT = (
    line("A heading of the page", 120, 640, 18) + line("gypsum and quartz", 150, 400) + line("Fjord", 300, 160, 30)
)


@pytest.mark.parametrize("rotation", [0, 90, 180, 270, -90, 450])
@pytest.mark.parametrize(
    "extra",
    [b"", b"/CropBox [100 120 520 700]", b"/CropBox [-50 -50 900 900]", b"/CropBox [100 120 520 700] /UserUnit 2.5"],
    ids=["media box", "crop box", "crop box beyond the page", "crop box and user unit"],
)
def test_boxes_hold_the_ink_of_a_turned_and_cropped_page(rotation: int, extra: bytes):
    data = one_page(CONTENT, extra=b"/Rotate %d %s" % (rotation, extra))
    assert sorted(text for text, _ in assert_boxes_hold_the_ink(data)) == [
        "A heading of the page",
        "Fjord",
        "gypsum and quartz",
    ]


def test_a_media_box_that_does_not_start_at_the_origin_moves_no_box():
    assert_boxes_hold_the_ink(one_page(CONTENT, media_box=(100, 100, 600, 700)))


@pytest.mark.parametrize(
    "matrix",
    ["1 0 0 1", "0 1 -1 0", "0 -1 1 0", "-1 0 0 -1", ".707 .707 -.707 .707", ".5 0 0 1", "1 0 .3 1", "1 0 0 2"],
    ids=["upright", "quarter left", "quarter right", "upside down", "slanting up", "condensed", "oblique", "tall"],
)
def test_boxes_hold_the_ink_of_turned_and_stretched_text(matrix: str):
    content = b"BT /F1 14 Tf %s 300 400 Tm (Turned gyration) Tj ET" % matrix.encode()
    assert [text for text, _ in assert_boxes_hold_the_ink(one_page(content))] == ["Turned gyration"]


@pytest.mark.parametrize("matrix", [b"1 0 0 1 100 50", b"0.5 0 0 0.5 200 300", b"0 1 -1 0 500 100"])
def test_text_in_a_form_xobject_stands_where_the_form_is_drawn(matrix: bytes):
    builder = PdfBuilder()
    inner = builder.add(HELVETICA)
    form = builder.add(
        stream(
            line("Inside the form", 20, 200) + line("second", 20, 180),
            b"/Type /XObject /Subtype /Form /BBox [0 0 400 400] /Resources << /Font << /F1 %s >> >>" % inner,
        )
    )
    builder.page(line("Outside of it", 40, 740) + b"q %s cm /Fm Do Q" % matrix, xobjects={"Fm": form})
    texts = [text for text, _ in assert_boxes_hold_the_ink(builder.build())]
    assert sorted(texts) == ["Inside the form", "Outside of it", "second"]


def test_lines_of_two_forms_that_pdfium_runs_together_part_again():
    """PDFium compares text inside forms by the form's own coordinates: both lines stand at (20, 200) there."""
    builder = PdfBuilder()
    font = builder.add(HELVETICA)

    def form(text: str) -> bytes:
        entries = b"/Type /XObject /Subtype /Form /BBox [0 0 400 400] /Resources << /Font << /F1 %s >> >>" % font
        return builder.add(stream(line(text, 20, 200), entries))

    content = b"q 1 0 0 1 40 400 cm /A Do Q q 1 0 0 1 90 250 cm /B Do Q"
    builder.page(content, xobjects={"A": form("Upper"), "B": form("Lower")})
    assert [text for text, _ in assert_boxes_hold_the_ink(builder.build())] == ["Upper", "Lower"]


@pytest.mark.parametrize(
    "runs",
    [
        [(40, "Drop"), (10, " capital and more")],
        [(10, "small and "), (40, "LAST")],
        [(10, "in "), (40, "THE"), (10, " mid")],
        [(10, "a small beginning, "), (40, "A LARGE MIDDLE RUN"), (10, " and a small end")],
    ],
)
def test_a_line_of_mixed_sizes_is_as_tall_as_its_largest_letters(runs: list[tuple[int, str]]):
    shows = b" ".join(b"/F1 %d Tf (%s) Tj" % (size, text.encode()) for size, text in runs)
    assert_boxes_hold_the_ink(one_page(b"BT 72 700 Td %s ET" % shows))


def test_columns_that_share_a_baseline_are_held_by_one_box():
    (text, box), *_ = assert_boxes_hold_the_ink(one_page(line("Left column", 72, 700) + line("Right column", 350, 700)))
    assert text == "Left column Right column"
    assert box.x1 > 350 / 612


def test_columns_written_one_after_the_other_keep_their_own_boxes():
    content = b"".join(line(f"left {n}", 72, 700 - 20 * n) for n in range(4))
    content += b"".join(line(f"right {n}", 350, 700 - 20 * n) for n in range(4))
    boxed = assert_boxes_hold_the_ink(one_page(content))
    assert [text for text, _ in boxed] == [f"{side} {n}" for side in ("left", "right") for n in range(4)]
    assert all(box.x1 < 0.5 for _, box in boxed[:4])
    assert all(box.x0 > 0.5 for _, box in boxed[4:])


def test_text_outside_of_the_page_as_displayed_is_read_without_a_box():
    """A printer's slug line is in the file and nowhere to be seen."""
    output = read(one_page(line("Seen", 200, 400) + line("slug line", 10, 10), extra=b"/CropBox [100 100 500 700]"))
    assert output.text == "Seen\nslug line"
    assert [line_.reason for line_ in output.lines] == [None, BoxReason.HIDDEN]
    assert output.lines[1].box is None


def test_text_that_the_page_cuts_off_keeps_the_part_that_is_seen():
    output = read(one_page(line("Partly cut off on the left", 60, 400), extra=b"/CropBox [100 100 500 700]"))
    box = output.lines[0].box
    assert box is not None
    assert (box.x0, box.y1 > box.y0) == (0.0, True)


@pytest.mark.parametrize("size", ["0", "1e-9", "1e30"])
def test_text_of_impossible_size_is_no_reason_to_fail(size: str):
    output = read(one_page(b"BT /F1 %s Tf 72 700 Td (absurd) Tj ET " % size.encode() + line("sane", 72, 600)))
    assert "sane" in output.text
    for text_line in output.lines:
        assert (text_line.box is None) != (text_line.reason is None)


def test_vertical_columns_read_from_the_right_and_stand_an_em_wide_around_the_pen():
    """The pen of vertical writing runs down the middle of the column (ISO 32000-2, 9.7.4.3)."""
    columns = ["縦書きの文章です。", "二列目はここにある", "終わり"]
    content = b"".join(ja_line(text, 500 - 24 * number, 700) for number, text in enumerate(columns))
    found = lines(read(one_page(content, fonts={"F1": japanese("UniJIS-UTF16-V")})))
    assert [text for text, _ in found] == columns
    for number, (text, box) in enumerate(found):
        pen = 500 - 24 * number
        expected = ((pen - 6) / 612, 1 - 700 / 792, (pen + 6) / 612, 1 - (700 - 12 * len(text)) / 792)
        assert box == pytest.approx(expected, abs=0.003)


def test_a_vertical_column_of_one_character_keeps_its_place_among_the_others():
    content = b"".join(ja_line(text, 500 - 24 * n, 700) for n, text in enumerate(["一列目の文", "。", "三列目の文"]))
    found = read(one_page(content, fonts={"F1": japanese("UniJIS-UTF16-V")}))
    assert found.text == "一列目の文\n。\n三列目の文"


def test_vertical_columns_set_character_by_character_are_columns_too():
    content = b"".join(
        ja_line(char, 500 - 24 * column, 700 - 12 * row)
        for column, text in enumerate(["右の列です", "左の列です"])
        for row, char in enumerate(text)
    )
    assert read(one_page(content, fonts={"F1": japanese()})).text == "右の列です\n左の列です"


def test_vertical_columns_in_two_tiers_are_read_tier_by_tier():
    content = b"".join(
        ja_line(text, 500 - 24 * number, top)
        for top, tier in ((700, ["上段の一", "上段の二"]), (400, ["下段の一", "下段の二"]))
        for number, text in enumerate(tier)
    )
    output = read(one_page(content, fonts={"F1": japanese("UniJIS-UTF16-V")}))
    assert output.text.split("\n") == ["上段の一", "上段の二", "下段の一", "下段の二"]


def test_a_horizontal_heading_above_vertical_columns_comes_first():
    content = b"BT /F2 14 Tf 100 740 Td %s Tj ET " % utf16("表題")
    content += ja_line("右の列です", 500, 700) + ja_line("左の列です", 476, 700)
    fonts = {"F1": japanese("UniJIS-UTF16-V"), "F2": japanese()}
    assert read(one_page(content, fonts=fonts)).text == "表題\n右の列です\n左の列です"


def test_an_opened_page_gives_the_same_boxes_every_time():
    data = one_page(CONTENT, extra=b"/Rotate 90")
    assert read(data) == read(data)
