"""JPEG, PNG and TIFF pages as images, through Pillow, one decoder per media type and never another.

Orientation marks are applied: the image is what a person sees. Only imported by functions that decode.
"""

import io
import warnings
from collections.abc import Callable

from PIL import Image, ImageOps, JpegImagePlugin, PngImagePlugin, TiffImagePlugin  # noqa: TID253 - see the docstring

from indx_core.contracts.errors import IndxError, SourceUnreadable
from indx_core.kit.render.colour import to_rgb
from indx_core.kit.render.quiet import quiet_libtiff
from indx_core.kit.render.tiff import single_page, tiff_pages
from indx_core.ports.document import OpenDocument

_DECODERS: dict[str, Callable[[io.BytesIO], Image.Image]] = {
    "image/jpeg": JpegImagePlugin.JpegImageFile,
    "image/png": PngImagePlugin.PngImageFile,
    "image/tiff": TiffImagePlugin.TiffImageFile,
}
MEDIA_TYPES = tuple(_DECODERS)


def raster_page(document: OpenDocument, number: int, max_pixels: int) -> Image.Image:
    """A page of an image file, decoded to RGB, upright.

    Raises:
        SourceUnreadable: It has more pixels than ``max_pixels`` (seen before anything is decoded), or the decoder
            cannot make sense of it.
    """
    data = _page_bytes(document, number)
    quiet_libtiff()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Pillow's remarks on odd metadata; what matters comes back as an error
            # The class and not Image.open: no other decoder gets to try, and the limit on pixels is ours.
            image = _DECODERS[document.media_type](io.BytesIO(data))
            _check_size(number, image.size, max_pixels)
            upright = ImageOps.exif_transpose(image)
            return to_rgb(upright)
    except IndxError:
        raise
    except Exception as error:  # noqa: BLE001 - Pillow's decoders raise nearly anything on damage
        reason = str(error) or type(error).__name__
        raise SourceUnreadable(f"page {number} cannot be decoded: {reason}", param="source") from None


def _page_bytes(document: OpenDocument, number: int) -> bytes:
    if document.media_type != "image/tiff":
        if number != 1:
            raise SourceUnreadable(f"page {number} does not exist: the image is one page", param="source")
        return document.data
    pages = document.once("render.tiff_pages", lambda: tiff_pages(document.data)).offsets
    if not 1 <= number <= len(pages):
        raise SourceUnreadable(f"page {number} does not exist: the file has {len(pages)}", param="source")
    return single_page(document.data, pages[number - 1])


def _check_size(number: int, size: tuple[int, int], max_pixels: int) -> None:
    width, height = size
    if width * height > max_pixels:
        raise SourceUnreadable(
            f"page {number} has {width} x {height} pixels, more than the limit of {max_pixels}",
            param="source",
            remedy="raise the pixel limit of the reader that refused it, or scale the image down",
        )
