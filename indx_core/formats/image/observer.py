"""The image observer: pages without a text layer, known by the first bytes and never decoded."""

from indx_core.contracts.observation import PageObservation, TextLayer
from indx_core.kit.render.tiff import MEDIA_TYPE as TIFF
from indx_core.kit.render.tiff import is_tiff, tiff_pages
from indx_core.ports.document import OpenDocument
from indx_core.ports.observer import Observed

JPEG = "image/jpeg"
PNG = "image/png"
_PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_JPEG_START = b"\xff\xd8\xff"
"""Start of image, and the first byte of the marker that must follow."""


class ImageObserver:
    """One page for JPEG and PNG (an animation is one picture here); for TIFF every full image of its chain."""

    distribution = "indx-observer-image"
    media_types: tuple[str, ...] = (JPEG, PNG, TIFF)

    def sniff(self, data: bytes) -> str | None:
        if data.startswith(_PNG_SIGNATURE):
            return PNG
        if data.startswith(_JPEG_START):
            return JPEG
        return TIFF if is_tiff(data) else None

    def observe(self, document: OpenDocument) -> Observed:
        if document.media_type != TIFF:
            return Observed((_page(1),))
        found = document.once("render.tiff_pages", lambda: tiff_pages(document.data))
        return Observed(tuple(_page(number) for number in range(1, len(found.offsets) + 1)), found.findings)


def _page(number: int) -> PageObservation:
    return PageObservation(number=number, text_layer=TextLayer.ABSENT, signals=("image",))
