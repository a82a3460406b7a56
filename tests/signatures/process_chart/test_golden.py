"""Whole decks as graphs and as the two diagram files, byte for byte against what is committed."""

from pathlib import Path

import golden_files
import pytest
from signatures.process_chart.charts import CASES, opened

from indx_core.signatures.process_chart.drawio import to_drawio
from indx_core.signatures.process_chart.mermaid import to_mermaid
from indx_core.signatures.process_chart.reading import read_chart

GOLDEN = Path(__file__).parents[2] / "golden" / "process_chart"


def check_text(path: Path, text: str) -> None:
    """The same as ``golden_files.check`` for a file whose own bytes are the promise."""
    if golden_files.regenerating():
        path.write_bytes(text.encode())
    assert path.read_bytes() == text.encode()


@pytest.mark.parametrize("case", CASES)
def test_the_committed_deck_is_what_its_script_builds(case: str) -> None:
    deck = GOLDEN / case / "input.pptx"
    if golden_files.regenerating():
        deck.parent.mkdir(parents=True, exist_ok=True)
        deck.write_bytes(CASES[case]())
    assert deck.read_bytes() == CASES[case]()


@pytest.mark.parametrize("case", CASES)
def test_a_deck_comes_out_as_recorded(case: str) -> None:
    folder = GOLDEN / case
    with opened((folder / "input.pptx").read_bytes()) as document:
        readings = {number: read_chart(document, number) for number in range(1, 4)}
    found = {number: reading for number, reading in readings.items() if reading is not None}
    golden_files.check(
        folder,
        {
            f"page:{number}": {
                "process_chart": reading.chart.to_metadata(),
                "labels_by_position": reading.labels_by_position,
                "loose_connectors": reading.loose_connectors,
            }
            for number, reading in found.items()
        },
    )
    check_text(folder / "expected.drawio", to_drawio(*(reading.chart for reading in found.values())))
    for number, reading in found.items():
        check_text(folder / f"expected-{number}.mmd", to_mermaid(reading.chart))
