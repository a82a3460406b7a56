"""Real and hostile image files: every page comes back as an image or as a typed refusal."""

from pathlib import Path

import pytest

from indx_core.contracts.errors import IndxError
from indx_core.formats.image.observer import ImageObserver
from indx_core.kit.render.page import page_image
from indx_core.ports.document import OpenDocument

pytestmark = pytest.mark.corpus

REFUSED = {
    "Pillow__hopper_bigtiff.tif",
}
"""Of the ordinary files, those that are refused as a whole."""


def observed(path: Path) -> tuple[OpenDocument, int]:
    data = path.read_bytes()
    document = OpenDocument(data, ImageObserver().sniff(data) or "")
    return document, len(ImageObserver().observe(document).pages)


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.suffix != ".tsv")


def test_every_ordinary_image_decodes(shared_corpus: Path):
    for path in files(shared_corpus / "image"):
        if path.name in REFUSED:
            continue
        document, pages = observed(path)
        for number in range(1, pages + 1):
            assert page_image(document, number, dpi=72).mode == "RGB", path.name


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_what_is_refused_is_refused_typed(shared_corpus: Path, name: str):
    with pytest.raises(IndxError):
        observed(shared_corpus / "image" / name)


def test_no_hostile_image_gets_past_with_an_untyped_error(shared_corpus: Path):
    refused = []
    for path in files(shared_corpus / "hostile" / "image"):
        document, pages = observed(path)
        for number in range(1, pages + 1):
            try:
                page_image(document, number, dpi=72)
            except IndxError:
                refused.append(path.name)
    assert {"made__png_claims_50000x50000.png", "made__tiff_claims_65000x65000.tif"} <= set(refused)
