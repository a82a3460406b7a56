"""A page image to text, with an engine that reads shades of grey instead of letters.

Each line is a bar; its shade stands for what it says, and a white notch at its end tells which way up it is. So the
choices of this folder (turning, laying out, ordering, joining, boxes) are tested without a model.
"""

import numpy as np
import pytest

pytest.importorskip("cv2")

from PIL import Image

from indx_core.contracts.page import PageStatus
from indx_core.engines.ocr_rapid.page import recognise

WORDS = {10: "one", 30: "two", 50: "three", 70: "漢字", 90: "かな"}


class GreyEngine:
    """Finds the bars it was told of; reads a bar well when it is whole and its notch is at the right end."""

    def __init__(self, boxes, score=0.99):
        self.boxes, self.score = boxes, score

    def lines(self, image, longest_side):
        return [((x0, y0), (x1, y0), (x1, y1), (x0, y1)) for x0, y0, x1, y1 in self.boxes]

    def read(self, lines):
        return [self._read(line) for line in lines]

    def _read(self, line):
        height, width = line.shape[:2]
        shade = int(
            np.median(line[height // 3 : height - height // 3 or None, width // 3 : width - width // 3 or None])
        )
        said = WORDS.get(min(WORDS, key=lambda known: abs(known - shade)), "")
        middle = line[height // 2].mean(axis=1) > 200
        whole = not middle[: int(0.85 * width)].any()
        return said, self.score if width > height and whole and middle[int(0.95 * width)] else 0.4


def page(width, height, bars):
    """A white page with bars of a shade: ``(box, shade)``. The notch is the last tenth of a bar's length."""
    pixels = np.full((height, width, 3), 255, dtype=np.uint8)
    for (x0, y0, x1, y1), shade in bars:
        pixels[y0:y1, x0 : x1 - (x1 - x0) // 10] = shade
    return Image.fromarray(pixels)


BARS = [((100, 100, 300, 120), 10), ((100, 140, 300, 160), 30), ((100, 180, 300, 200), 50)]


def turned(box, quarters, width, height):
    x0, y0, x1, y1 = box
    for _ in range(quarters):
        x0, y0, x1, y1 = height - y1, x0, height - y0, x1
        width, height = height, width
    return x0, y0, x1, y1


def read(image, boxes, **options):
    return recognise(GreyEngine(boxes, **options), image, 1, 1600)


def test_lines_come_in_reading_order_with_offsets_into_the_text():
    output = read(page(400, 600, BARS), [box for box, _ in BARS][::-1])
    assert output.status is PageStatus.COMPLETED
    assert output.text == "one\ntwo\nthree"
    assert [output.text[line.start : line.end] for line in output.lines] == ["one", "two", "three"]


def test_boxes_are_shares_of_the_page():
    output = read(page(400, 600, BARS), [box for box, _ in BARS])
    assert output.lines[0].box == pytest.approx((0.25, 1 / 6, 0.75, 0.2), abs=1e-5)


@pytest.mark.parametrize(
    ("quarters", "said"), [(1, "quarter turn anticlockwise"), (2, "half a turn"), (3, "quarter turn clockwise")]
)
def test_a_page_that_lies_is_read_upright_and_its_boxes_stay_where_the_page_shows_them(quarters: int, said: str):
    """The scanner turned the page clockwise by so many quarters; the boxes must lie on the page as it is displayed."""
    image = page(400, 600, BARS)
    lying = Image.fromarray(np.rot90(np.asarray(image), -quarters))
    boxes = [turned(box, quarters, 400, 600) for box, _ in BARS]
    output = read(lying, boxes)
    assert output.text == "one\ntwo\nthree"
    (code, message), *_ = output.findings
    assert code == "page_turned"
    assert said in message
    width, height = lying.size
    for line, (x0, y0, x1, y1) in zip(output.lines, boxes, strict=True):
        assert line.box == pytest.approx((x0 / width, y0 / height, x1 / width, y1 / height), abs=1e-5)


def test_letters_on_their_side_are_never_taken_for_vertical_writing():
    """Latin letters lying in a column score as well as upright ones (a real sheet read "yeNeddeadehmof")."""
    lying = Image.fromarray(np.rot90(np.asarray(page(400, 600, BARS)), -1))
    engine = GreyEngine([turned(box, 1, 400, 600) for box, _ in BARS])
    sure = engine.read
    engine.read = lambda lines: [(text, 0.99 if len(lines) == 3 else score) for text, score in sure(lines)]
    assert [code for code, _ in recognise(engine, lying, 1, 1600).findings] == ["page_turned"]


def test_an_upright_page_carries_no_finding():
    assert read(page(400, 600, BARS), [box for box, _ in BARS]).findings == ()


def test_cells_of_a_row_become_one_line_with_spaces_between():
    bars = [((10, 10, 110, 30), 70), ((200, 10, 300, 30), 90)]
    output = read(page(400, 100, bars), [box for box, _ in bars])
    assert output.text == "漢字 かな"
    assert len(output.lines) == 1
    assert output.lines[0].box == pytest.approx((0.025, 0.1, 0.75, 0.3), abs=1e-5)


def test_pieces_of_one_japanese_line_are_joined_without_a_space():
    bars = [((10, 10, 110, 30), 70), ((112, 10, 212, 30), 90)]
    assert read(page(400, 100, bars), [box for box, _ in bars]).text == "漢字かな"


def test_pieces_of_one_latin_line_are_joined_with_a_space():
    bars = [((10, 10, 110, 30), 10), ((112, 10, 212, 30), 30)]
    assert read(page(400, 100, bars), [box for box, _ in bars]).text == "one two"


def test_confidence_is_the_mean_of_the_lines_weighted_by_their_length():
    engine = GreyEngine([box for box, _ in BARS])
    read_bars = engine.read
    scores = {"one": 1.0, "two": 1.0, "three": 0.6}
    engine.read = lambda lines: [(text, scores[text]) for text, _ in read_bars(lines)]
    output = recognise(engine, page(400, 600, BARS), 1, 1600)
    assert output.confidence == pytest.approx((3 + 3 + 5 * 0.6) / 11)
    assert [line.confidence for line in output.lines] == [1.0, 1.0, 0.6]


def test_lines_that_read_as_noise_are_left_out_and_counted():
    output = read(page(400, 600, BARS), [box for box, _ in BARS], score=0.3)
    assert output.text == ""
    assert ("lines_left_out", "3 found lines read as nothing or scored below 0.5") in output.findings


def test_a_page_on_which_nothing_is_found_is_blank_and_claims_no_confidence():
    output = read(page(40, 60, []), [])
    assert (output.status, output.text, output.lines, output.confidence) == (PageStatus.COMPLETED, "", (), None)
