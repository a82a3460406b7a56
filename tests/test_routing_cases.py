"""The labelled pages of the routing benchmark: complete, within the corpus, and the made ones routed as known."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.routing_pages import MADE
from indx_core.contracts.observation import TextLayer
from indx_core.formats.pdf.observer import PdfObserver
from indx_core.ports.document import OpenDocument

CASES = Path(__file__).resolve().parent.parent / "benchmarks" / "cases" / "routing"
LABELS: dict[str, list[dict[str, Any]]] = {
    file.stem: json.loads(file.read_text(encoding="utf-8"))["pages"] for file in sorted(CASES.glob("*.json"))
}
MISROUTED = {
    "scan under a good hidden layer",
    "good layer covered by the scan",
    "shifted by one",
    "rotated alphabet",
}
"""Made pages that counting characters cannot place. One that leaves this list is an improvement: take it out."""


@pytest.mark.parametrize("name", LABELS)
def test_a_label_follows_from_whether_the_layer_says_what_the_page_shows(name: str) -> None:
    for label in LABELS[name]:
        assert label["layer"] in {"good", "bad", "none"}
        assert label["expected"] == ("native" if label["layer"] == "good" else "ocr"), label


@pytest.mark.parametrize("name", LABELS)
def test_a_page_is_labelled_once(name: str) -> None:
    places = [(label.get("path") or label["made"], label["page"]) for label in LABELS[name]]
    assert sorted(set(places)) == sorted(places)


@pytest.mark.corpus
def test_every_labelled_file_is_in_the_corpus(shared_corpus: Path) -> None:
    assert [row["path"] for row in LABELS["corpus"] if not (shared_corpus / row["path"]).is_file()] == []


def test_every_made_page_is_labelled() -> None:
    assert sorted(row["made"] for row in LABELS["made"]) == sorted(MADE)


@pytest.mark.parametrize("label", LABELS["made"], ids=lambda label: label["made"])
def test_a_made_page_is_routed_as_it_is_labelled_or_known_to_be_misrouted(label: dict[str, Any]) -> None:
    with OpenDocument(MADE[label["made"]](), "application/pdf") as document:
        (page,) = PdfObserver().observe(document).pages
    actual = "native" if page.text_layer is TextLayer.PRESENT else "ocr"
    assert (actual == label["expected"]) is (label["made"] not in MISROUTED)
