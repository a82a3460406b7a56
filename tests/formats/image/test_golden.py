"""Golden cases: what is observed of small files, readable as JSON. ``make_inputs`` wrote the inputs."""

from pathlib import Path

import pytest
from golden_files import check
from tiff_files import Image, tiff

from indx_core.formats.image.observer import ImageObserver
from indx_core.ports.document import OpenDocument

GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "image"
INPUTS = {
    "pages_and_thumbnails": tiff([Image(10), Image(20, reduced=True), Image(30), Image(40, reduced=True)]),
    "big_endian": tiff([Image(10), Image(20)], order=">"),
    "chain_returns": tiff([Image(10), Image(20), Image(30)], last_points_to=2),
    "only_thumbnails": tiff([Image(10, reduced=True)]),
}


@pytest.mark.parametrize("case", sorted(INPUTS))
def test_the_input_is_what_its_recipe_makes(case: str):
    assert (GOLDEN / case / "input.tif").read_bytes() == INPUTS[case]


@pytest.mark.parametrize("case", sorted(INPUTS))
def test_the_observation_is_the_golden_one(case: str):
    data = (GOLDEN / case / "input.tif").read_bytes()
    observer = ImageObserver()
    observed = observer.observe(OpenDocument(data, observer.sniff(data) or ""))
    check(
        GOLDEN / case,
        {
            "pages": [page.model_dump(mode="json") for page in observed.pages],
            "findings": [finding.model_dump(mode="json") for finding in observed.findings],
        },
    )


def make_inputs() -> None:
    """Write the inputs anew: ``python -c "import test_golden; test_golden.make_inputs()"`` in this folder."""
    for case, data in INPUTS.items():
        (GOLDEN / case).mkdir(parents=True, exist_ok=True)
        (GOLDEN / case / "input.tif").write_bytes(data)
