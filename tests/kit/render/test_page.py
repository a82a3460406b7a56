"""One page of any document as an image."""

import contextlib
import io
import warnings

import numpy as np
import pypdfium2 as pdfium
import pytest
from PIL import Image
from tiff_files import Image as TiffImage
from tiff_files import tiff

from indx_core.contracts.errors import SourceUnreadable, UnsupportedMediaType
from indx_core.kit.render.page import page_image, page_png
from indx_core.ports.document import OpenDocument


def encoded(image: Image.Image, kind: str = "PNG", **options: object) -> OpenDocument:
    out = io.BytesIO()
    image.save(out, kind, **options)
    return OpenDocument(out.getvalue(), f"image/{kind.lower()}")


def two_halves() -> Image.Image:
    """40 x 20, the left half black, the right half white."""
    image = Image.new("RGB", (40, 20), "white")
    image.paste("black", (0, 0, 20, 20))
    return image


def pdf(width: float, height: float, rotation: int = 0) -> OpenDocument:
    file = pdfium.PdfDocument.new()
    page = file.new_page(width, height)
    page.set_rotation(rotation)
    out = io.BytesIO()
    file.save(out)
    file.close()
    return OpenDocument(out.getvalue(), "application/pdf")


def test_a_pdf_page_has_the_pixels_of_its_resolution():
    assert page_image(pdf(72, 144), 1, dpi=200).size == (200, 400)


def test_a_rotated_pdf_page_is_shown_as_a_viewer_shows_it():
    assert page_image(pdf(72, 144, rotation=90), 1, dpi=72).size == (144, 72)


def test_a_pdf_page_beyond_the_pixel_limit_is_refused_before_it_is_rendered():
    """The page would be 200 billion pixels; the test would not come back if a bitmap were made."""
    with pytest.raises(SourceUnreadable, match="more than the limit"):
        page_image(pdf(14_400, 14_400), 1, dpi=2_400)


@pytest.mark.parametrize("number", [0, 2])
def test_a_page_that_does_not_exist_is_refused(number: int):
    for document in (pdf(72, 72), encoded(two_halves()), OpenDocument(tiff([TiffImage()]), "image/tiff")):
        with pytest.raises(SourceUnreadable):
            page_image(document, number, dpi=72)


def test_a_damaged_pdf_is_refused():
    with pytest.raises(SourceUnreadable, match="cannot be opened"):
        page_image(OpenDocument(b"%PDF-1.7 and nothing", "application/pdf"), 1, dpi=72)


def test_another_media_type_is_refused():
    with pytest.raises(UnsupportedMediaType):
        page_image(OpenDocument(b"a,b", "text/csv"), 1, dpi=72)


def test_an_image_file_comes_with_its_own_pixels_whatever_the_resolution():
    assert page_image(encoded(two_halves()), 1, dpi=1200).size == (40, 20)


@pytest.mark.parametrize(
    ("orientation", "size", "dark"),
    [(1, (40, 20), (5, 10)), (3, (40, 20), (35, 10)), (6, (20, 40), (10, 5)), (8, (20, 40), (10, 35))],
)
def test_a_camera_s_orientation_mark_is_applied(orientation: int, size: tuple[int, int], dark: tuple[int, int]):
    exif = Image.Exif()
    exif[0x0112] = orientation
    for kind in ("JPEG", "PNG", "TIFF"):
        image = page_image(encoded(two_halves(), kind, exif=exif), 1, dpi=72)
        assert image.size == size
        assert image.getpixel(dark)[0] < 64
        assert sum(np.asarray(image)[:, :, 0].ravel() < 128) == 400


def test_transparency_is_shown_on_white():
    image = page_image(encoded(Image.new("RGBA", (4, 4), (0, 0, 0, 0))), 1, dpi=72)
    assert image.getpixel((0, 0)) == (255, 255, 255)


def test_a_transparent_palette_entry_is_shown_on_white():
    image = Image.new("P", (4, 4), 0)
    image.putpalette([10, 20, 30] * 256)
    assert page_image(encoded(image, transparency=0), 1, dpi=72).getpixel((0, 0)) == (255, 255, 255)


@pytest.mark.parametrize(("samples", "shade"), [(65_535, 255), (32_768, 128), (2_048, 128), (0, 0)])
def test_a_sixteen_bit_image_keeps_its_shades(samples: int, shade: int):
    """Pillow clips at 255 when it converts, which turned 16-bit scans white; 12-bit scanners stay below 4,096."""
    image = Image.fromarray(np.array([[0, samples]], dtype=np.uint16))
    assert page_image(encoded(image), 1, dpi=72).getpixel((1, 0))[0] == pytest.approx(shade, abs=1)


@pytest.mark.parametrize(
    ("mode", "colour", "kind"),
    [("1", 1, "TIFF"), ("L", 255, "PNG"), ("CMYK", (0, 0, 0, 0), "JPEG"), ("YCbCr", (255, 128, 128), "JPEG"),
     ("LAB", (255, 128, 128), "TIFF"), ("F", 255.0, "TIFF"), ("LA", (255, 255), "PNG")],
)  # fmt: skip
def test_white_is_white_in_every_pixel_format(mode: str, colour: object, kind: str):
    image = page_image(encoded(Image.new(mode, (8, 8), colour), kind), 1, dpi=72)
    assert image.mode == "RGB"
    assert min(image.getpixel((4, 4))) >= 250


def test_pages_of_a_tiff_are_decoded_by_their_number_thumbnails_left_out():
    images = [TiffImage(shade=10), TiffImage(shade=99, width=2, height=2, reduced=True), TiffImage(shade=200)]
    document = OpenDocument(tiff(images), "image/tiff")
    assert [page_image(document, number, dpi=72).getpixel((0, 0))[0] for number in (1, 2)] == [10, 200]


def test_an_image_beyond_the_pixel_limit_is_refused_before_it_is_decoded():
    with pytest.raises(SourceUnreadable, match="40 x 20 pixels"):
        page_image(encoded(two_halves()), 1, dpi=72, max_pixels=799)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "TIFF"])
def test_every_truncation_of_an_image_ends_in_an_image_or_a_typed_refusal(kind: str):
    document = encoded(two_halves(), kind)
    refused = 0
    for length in range(0, len(document.data), 7):
        try:
            page_image(OpenDocument(document.data[:length], document.media_type), 1, dpi=72)
        except SourceUnreadable:
            refused += 1
    assert refused


def test_a_media_type_is_decoded_by_its_own_decoder_alone():
    """A GIF that calls itself a PNG: Pillow has some forty decoders, and a caller picks none of them by its bytes."""
    out = io.BytesIO()
    two_halves().save(out, "GIF")
    with pytest.raises(SourceUnreadable):
        page_image(OpenDocument(out.getvalue(), "image/png"), 1, dpi=72)


def test_decoding_raises_no_warning():
    exif = b"Exif\0\0II*\0\x08\0\0\0\xff\xff"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        page_image(encoded(two_halves(), "JPEG", exif=exif), 1, dpi=72)


@pytest.mark.parametrize("compression", ["group4", "tiff_lzw", "tiff_adobe_deflate"])
def test_a_damaged_tiff_writes_nothing_to_the_terminal(capfd: pytest.CaptureFixture[str], compression: str):
    """libtiff itself prints what it meets, past Python, into progress bars and envelopes."""
    noise = np.random.default_rng(7).integers(0, 255, (64, 64), np.uint8)
    image = Image.fromarray(noise).convert("1" if compression == "group4" else "L")
    whole = encoded(image, "TIFF", compression=compression)
    damaged = bytearray(whole.data)
    for place in range(60, len(damaged) - 300, 97):
        damaged[place] ^= 0xFF
    with contextlib.suppress(SourceUnreadable):
        page_image(OpenDocument(bytes(damaged), whole.media_type), 1, dpi=72)
    assert capfd.readouterr() == ("", "")


def test_a_large_scan_is_made_smaller_to_an_a4_sheet_at_the_resolution():
    data = page_png(encoded(Image.new("L", (2000, 3000))), 1, dpi=120)
    assert Image.open(io.BytesIO(data)).size == (935, 1403)


def test_a_small_image_is_never_enlarged():
    assert Image.open(io.BytesIO(page_png(encoded(two_halves()), 1, dpi=600))).size == (40, 20)


@pytest.mark.parametrize(("colour", "mode"), [((9, 9, 9), "P"), ((9, 9, 8), "RGB"), ((8, 9, 8), "RGB")])
def test_a_png_has_a_palette_of_greys_where_no_pixel_has_a_colour_and_keeps_every_pixel(
    colour: tuple[int, ...], mode: str
):
    picture = two_halves()
    picture.putpixel((3, 4), colour)
    png = Image.open(io.BytesIO(page_png(encoded(picture), 1, dpi=72)))
    assert png.mode == mode
    assert png.convert("RGB") == picture


def test_the_same_page_gives_the_same_png_bytes():
    assert page_png(pdf(72, 72), 1, dpi=120) == page_png(pdf(72, 72), 1, dpi=120)
