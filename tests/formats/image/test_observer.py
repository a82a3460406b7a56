"""The image observer: what it recognises and counts."""

import pytest
from tiff_files import Image, tiff

from indx_core.contracts.errors import SourceUnreadable
from indx_core.contracts.observation import TextLayer
from indx_core.formats.image import CONTRIBUTION
from indx_core.formats.image.observer import ImageObserver
from indx_core.ports.document import OpenDocument
from indx_core.testing.conformance import check_observer

BIG = b"II+\0\x08\0\0\0" + bytes(24)


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        (b"\x89PNG\r\n\x1a\n....", "image/png"),
        (b"\xff\xd8\xff\xe0....", "image/jpeg"),
        (b"II*\0\x08\0\0\0", "image/tiff"),
        (b"MM\0*\0\0\0\x08", "image/tiff"),
        (BIG, "image/tiff"),
        (b"", None),
        (b"II", None),
        (b"\x89PNG", None),
        (b"\xff\xd8", None),
        (b"GIF89a", None),
        (b"%PDF-1.7", None),
        (b"MMM is a text", None),
    ],
)
def test_images_are_known_by_their_first_bytes(data: bytes, media_type: str | None):
    assert ImageObserver().sniff(data) == media_type


@pytest.mark.parametrize("media_type", ["image/jpeg", "image/png"])
def test_a_jpeg_or_png_is_one_page_and_its_bytes_are_not_opened(media_type: str):
    observed = ImageObserver().observe(OpenDocument(b"not an image at all", media_type))
    (page,) = observed.pages
    assert (page.number, page.text_layer, page.signals) == (1, TextLayer.ABSENT, ("image",))


def test_a_tiff_has_a_page_for_every_full_image():
    observed = ImageObserver().observe(OpenDocument(tiff([Image(), Image(reduced=True), Image()]), "image/tiff"))
    assert [page.number for page in observed.pages] == [1, 2]


def test_bigtiff_is_a_typed_refusal():
    with pytest.raises(SourceUnreadable, match="BigTIFF"):
        ImageObserver().observe(OpenDocument(BIG, "image/tiff"))


def test_the_family_contributes_an_observer_and_a_chunker_and_no_reader():
    assert [observer.distribution for observer in CONTRIBUTION.observers] == ["indx-observer-image"]
    assert [chunker.id for chunker in CONTRIBUTION.chunkers] == ["indx-chunker-image"]
    assert list(CONTRIBUTION.readers) == []


@pytest.mark.parametrize(
    ("data", "media_type", "pages"),
    [(tiff([Image(), Image(reduced=True), Image()]), "image/tiff", 2), (b"\xff\xd8\xff\xe0", "image/jpeg", 1)],
)
def test_the_observer_conforms(data: bytes, media_type: str, pages: int):
    broken = (lambda: OpenDocument(BIG, "image/tiff")) if media_type == "image/tiff" else None
    check_observer(ImageObserver(), lambda: OpenDocument(data, media_type), pages, unreadable=broken)
