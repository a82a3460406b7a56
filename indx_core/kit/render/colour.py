"""Any pixel format Pillow decodes, as 8-bit RGB on white: what recognisers and people are shown; and back to grey.

Does not open files. Only imported by functions that have an image in hand.
"""

from typing import Any

import numpy as np  # noqa: TID253 - this module is only imported by functions that decode an image
from PIL import Image, ImageChops, ImageCms  # noqa: TID253 - as above

_TRANSPARENT = frozenset({"RGBA", "LA", "PA", "RGBa", "La"})
_GREYS = bytes(level for level in range(256) for _channel in "RGB")
_WIDE = frozenset({"I", "F", "I;16", "I;16B", "I;16L", "I;16N"})


def to_rgb(image: Image.Image) -> Image.Image:
    """The image as RGB: transparency over white, 16-bit and float samples scaled to 8 bits, CMYK and Lab converted."""
    if image.mode == "RGB" and "transparency" not in image.info:
        return image
    if image.mode in _WIDE:
        return _to_eight_bits(image).convert("RGB")
    if image.mode == "LAB":
        return _from_lab(image)
    if image.mode in _TRANSPARENT or "transparency" in image.info:
        return _over_white(image.convert("RGBA"))
    return image.convert("RGB")


def grey_as_palette(image: Image.Image) -> Image.Image:
    """An RGB image as indexes into 256 greys where no pixel has any colour, the image itself otherwise."""
    red, green, blue = image.split()
    if any(ImageChops.difference(red, other).getbbox() for other in (green, blue)):
        return image
    red.putpalette(_GREYS)
    return red


def _over_white(image: Image.Image) -> Image.Image:
    sheet = Image.new("RGBA", image.size, "white")
    sheet.alpha_composite(image)
    return sheet.convert("RGB")


def _to_eight_bits(image: Image.Image) -> Image.Image:
    """Wide samples over the range they were made for: Pillow clips at 255, which turns a 16-bit scan white.

    8, 12 and 16 bits by the highest sample there is; negative and larger samples by their own range.
    """
    samples: Any = np.nan_to_num(np.asarray(image, dtype=np.float64))
    low, high = float(samples.min()), float(samples.max())
    made_for = next((limit for limit in (255.0, 4_095.0, 65_535.0) if low >= 0 and 1 < high <= limit), None)
    if made_for is not None:
        low, high = 0.0, made_for
    scaled = (samples - low) * (255 / (high - low)) if high > low else np.zeros_like(samples)
    return Image.fromarray(scaled.round().clip(0, 255).astype(np.uint8))


def _from_lab(image: Image.Image) -> Image.Image:
    transform = ImageCms.buildTransform(ImageCms.createProfile("LAB"), ImageCms.createProfile("sRGB"), "LAB", "RGB")
    converted = ImageCms.applyTransform(image, transform)
    return converted if converted is not None else image.getchannel("L").convert("RGB")
