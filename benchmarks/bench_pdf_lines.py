"""CPU time to observe and read every PDF of a folder with line boxes, against PDFium's bare page text.

Usage: python benchmarks/bench_pdf_lines.py [FOLDER] [--rounds N]

``bare`` opens each file with pypdfium2 and takes each page's text in one call: no lines, no boxes, no signals.
``indx`` observes each document and then reads every page the observer believes, with a box for each line.
``replay`` reads without observing first, as a plan's replay does. Lanes take turns on each file in this one process,
so that a busy machine slows all of them alike, and the best round of each counts. Pages and characters are printed so
that no lane wins by reading less.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from indx_core.contracts.errors import IndxError
from indx_core.contracts.observation import TextLayer
from indx_core.formats.pdf.native import raw_text
from indx_core.formats.pdf.observer import MEDIA_TYPE, PdfObserver
from indx_core.formats.pdf.reader import NativeExtraction
from indx_core.ports.document import OpenDocument

DEFAULT_FOLDER = Path(__file__).resolve().parent.parent.parent / "shared" / "corpus" / "pdf"


class Tally(NamedTuple):
    pages: int = 0
    lines: int = 0
    boxed: int = 0
    characters: int = 0

    def plus(self, other: "Tally") -> "Tally":
        return Tally(*(mine + its for mine, its in zip(self, other, strict=True)))


def bare(data: bytes) -> Tally:
    try:
        document = pdfium.PdfDocument(data)
    except pdfium.PdfiumError:
        return Tally()
    pages = characters = 0
    for index in range(len(document)):
        page = pdfium_c.FPDF_LoadPage(document.raw, index)
        if not page:
            continue
        textpage = pdfium_c.FPDFText_LoadPage(page)
        characters += len(raw_text(textpage).text)
        pages += 1
        pdfium_c.FPDFText_ClosePage(textpage)
        pdfium_c.FPDF_ClosePage(page)
    document.close()
    return Tally(pages, 0, 0, characters)


def indx(data: bytes) -> Tally:
    with OpenDocument(data, MEDIA_TYPE) as document:
        try:
            observed = PdfObserver().observe(document)
        except IndxError:
            return Tally()
        readable = [page.number for page in observed.pages if page.text_layer is TextLayer.PRESENT]
        return _read(document, readable)._replace(pages=len(observed.pages))


def replay(data: bytes) -> Tally:
    from indx_core.kit.pdfium.opening import pdf_file

    with OpenDocument(data, MEDIA_TYPE) as document:
        try:
            numbers = range(1, pdf_file(document).page_count + 1)
        except IndxError:
            return Tally()
        return _read(document, list(numbers))


def _read(document: OpenDocument, numbers: list[int]) -> Tally:
    tally = Tally()
    for output in NativeExtraction().read(document, numbers):
        boxed = sum(line.box is not None for line in output.lines)
        tally = tally.plus(Tally(1, len(output.lines), boxed, len(output.text)))
    return tally


LANES = (bare, indx, replay)


def measure(lane: Callable[[bytes], Tally], data: bytes) -> tuple[Tally, float]:
    start = time.process_time()
    tally = lane(data)
    return tally, time.process_time() - start


def run(folder: Path, rounds: int = 3) -> dict[str, tuple[Tally, float]]:
    """What every lane read, and its CPU seconds: for each file the best of its rounds, lanes taking turns on it."""
    totals = {lane.__name__: (Tally(), 0.0) for lane in LANES}
    for path in sorted(folder.glob("*.pdf")):
        data = path.read_bytes()
        best: dict[str, tuple[Tally, float]] = {}
        for _ in range(rounds):
            for lane in LANES:
                tally, seconds = measure(lane, data)
                known = best.get(lane.__name__)
                best[lane.__name__] = (tally, min(seconds, known[1]) if known else seconds)
        for name, (tally, seconds) in best.items():
            totals[name] = (totals[name][0].plus(tally), totals[name][1] + seconds)
    return totals


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=DEFAULT_FOLDER)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    results = run(options.folder, options.rounds)
    base = results["bare"][1]
    print(f"{'lane':8}{'pages':>7}{'lines':>8}{'boxed':>8}{'chars':>11}{'cpu s':>8}{'pages/s':>9}{'x bare':>8}")
    for name, (tally, seconds) in results.items():
        row = f"{name:8}{tally.pages:7}{tally.lines:8}{tally.boxed:8}{tally.characters:11}"
        print(f"{row}{seconds:8.2f}{tally.pages / seconds:9.0f}{seconds / base:8.2f}")


if __name__ == "__main__":
    main()
