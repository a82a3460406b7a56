"""The real models, on a line or two: they load without a network and read both scripts, whichever way up."""

import io
import socket
import unicodedata
from pathlib import Path

import pytest

pytest.importorskip("rapidocr")

from PIL import Image, ImageDraw, ImageFont

from indx_core.contracts.page import PageOutput, PageStatus
from indx_core.engines.ocr_rapid.reader import GenericOcr
from indx_core.kit.settings import overriding
from indx_core.ports.document import OpenDocument

pytestmark = pytest.mark.slow

LINES = ("Invoice number 4711", "payable within thirty days", "from the date of delivery")


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        pytest.fail("recognition opened a connection")

    monkeypatch.setattr(socket.socket, "connect", refused)
    monkeypatch.setattr(socket, "getaddrinfo", refused)


def sheet(mode: str = "RGB", size: tuple[int, int] = (520, 190)) -> Image.Image:
    image = Image.new(mode, size, "white")
    draw, font = ImageDraw.Draw(image), ImageFont.load_default(size=32)
    for row, text in enumerate(LINES):
        draw.text((30, 20 + 55 * row), text, fill="black", font=font)
    return image


def read(image: Image.Image) -> PageOutput:
    out = io.BytesIO()
    image.save(out, "PNG")
    (output,) = GenericOcr().read(OpenDocument(out.getvalue(), "image/png"), [1])
    return output


def test_latin_text_is_read_with_boxes_and_scores():
    output = read(sheet())
    assert tuple(output.text.splitlines()) == LINES
    assert output.confidence is not None
    assert output.confidence > 0.95
    assert all(line.box is not None and line.box.x0 < 0.1 < line.box.x1 for line in output.lines)


@pytest.mark.parametrize("angle", [90, 180, 270])
def test_a_page_that_lies_is_read_all_the_same(angle: int):
    output = read(sheet().rotate(angle, expand=True))
    assert tuple(output.text.splitlines()) == LINES
    assert [code for code, _ in output.findings] == ["page_turned"]


def test_a_tilted_page_keeps_its_order():
    output = read(sheet().rotate(-4, expand=True, fillcolor="white"))
    assert tuple(output.text.splitlines()) == LINES
    assert [code for code, _ in output.findings] == ["page_skewed"]


def test_the_same_page_reads_the_same_whatever_was_read_before():
    first = read(sheet())
    read(sheet().rotate(90, expand=True))
    assert read(sheet()) == first


def test_a_transparent_image_is_read_on_white():
    assert tuple(read(sheet("RGBA")).text.splitlines()) == LINES


def test_a_pdf_page_is_rendered_at_the_resolution_set():
    out = io.BytesIO()
    sheet().save(out, "PDF", resolution=200)
    document = OpenDocument(out.getvalue(), "application/pdf")
    with overriding({"INDX_OCR_DPI": "150"}):
        (output,) = GenericOcr().read(document, [1])
    assert tuple(output.text.splitlines()) == LINES


@pytest.mark.parametrize("size", [(1, 1), (3, 3000), (3000, 2), (300, 300)])
def test_an_image_without_text_is_blank_whatever_its_shape(size: tuple[int, int]):
    output = read(Image.new("L", size, 255))
    assert (output.status, output.text) == (PageStatus.COMPLETED, "")


@pytest.mark.corpus
def test_japanese_is_read_with_its_kana(shared_corpus: Path):
    page = Image.open(shared_corpus / "ocr" / "made_ja_horizontal_mincho30.png").crop((100, 100, 1600, 260))
    heading, line = ("".join(line.split()) for line in read(page).text.splitlines()[:2])
    assert heading == "第1節文書の読み取り"
    assert line.startswith("ブラジルで建築の仕事をするには、工学農学連邦評議会")


@pytest.mark.corpus
def test_vertical_japanese_is_read_from_right_to_left_with_its_punctuation(shared_corpus: Path):
    page = Image.open(shared_corpus / "ocr" / "made_ja_vertical_mincho34.png").crop((1160, 150, 1290, 2100))
    text = unicodedata.normalize("NFKC", read(page).text)
    assert text.index("1439年頃に") < text.index("農耕用")
    assert "発明、油性インクの採用、当時使われていた" in text
