"""Small TIFF files written by hand: a chain of 8-bit grey images, whole or broken on purpose.

Not for testing decoders: each image is one strip without compression, as in TIFF 6.0, section 4.
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Image:
    """A directory of the chain: its shade, its size, and whether it calls itself a thumbnail."""

    shade: int = 255
    width: int = 8
    height: int = 8
    reduced: bool = False


def tiff(images: Sequence[Image], *, order: str = "<", last_points_to: int = 0) -> bytes:
    """A classic TIFF. ``last_points_to``: index + 1 of the directory that the last one is followed by, 0 for none."""
    places: list[int] = []
    body = b""
    for image in images:
        pixels = bytes([image.shade]) * (image.width * image.height)
        pixels += b"\0" * (len(pixels) % 2)
        places.append(8 + len(body) + len(pixels))
        body += pixels + _directory(image, 8 + len(body), order)
    following = [*places[1:], places[last_points_to - 1] if last_points_to else 0]
    for place, target in zip(places, following, strict=True):
        end = place - 8 + 2 + 12 * _ENTRIES
        body = body[:end] + struct.pack(order + "I", target) + body[end + 4 :]
    mark = b"II" if order == "<" else b"MM"
    return mark + struct.pack(order + "HI", 42, places[0] if places else 0) + body


_ENTRIES = 9


def _directory(image: Image, pixels: int, order: str) -> bytes:
    size = image.width * image.height
    tags = [(254, int(image.reduced)), (256, image.width), (257, image.height), (258, 8), (259, 1), (262, 1)]
    tags += [(273, pixels), (278, image.height), (279, size)]
    assert len(tags) == _ENTRIES
    entries = b"".join(struct.pack(order + "HHII", tag, 4, 1, value) for tag, value in tags)
    return struct.pack(order + "H", len(tags)) + entries + b"\0\0\0\0"
