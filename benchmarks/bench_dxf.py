"""Drawings of a folder: read, refused, crashed, seconds, peak memory, and recall of texts and of their places.

Usage: ``python benchmarks/bench_dxf.py [CORPUS]``, CORPUS being a folder with ``dxf/`` and ``hostile/dxf/`` (default:
the shared corpus of real files). Each file is read in its own process, limited to 60 s and 2 GiB.

Recall is over the drawings that have a ``.json`` of the same name beside them, which lists every text with its layout
and, for some, its insertion point. A place counts as found when the insertion points of two texts of a layout stand to
each other as the corresponding corners of their boxes do, within 2 % of the layout.
"""

import json
import sys
from collections import Counter
from itertools import combinations
from pathlib import Path

from isolated import run, table

from indx_core.contracts.page import Box, PageOutput
from indx_core.formats.dxf import CONTRIBUTION
from indx_core.formats.dxf.loading import library
from indx_core.ports.document import OpenDocument

DEFAULT_CORPUS = Path(__file__).resolve().parent.parent.parent / "shared" / "corpus"


def outputs(data: bytes) -> dict[str, PageOutput]:
    """Pages by the name of their layout."""
    (observer,), (reader,) = CONTRIBUTION.observers, CONTRIBUTION.readers
    with OpenDocument(data, "image/vnd.dxf") as document:
        pages = observer.observe(document).pages
        read = reader.read(document, [page.number for page in pages])
        return {page.label or "": output for page, output in zip(pages, read, strict=True)}


def texts(data: bytes) -> list[str]:
    return [output.text for output in outputs(data).values()]


def recall(truth: Path) -> Counter[str]:
    """Counts of texts and of placed pairs: how many there are, and how many were found."""
    record = json.loads(truth.read_text(encoding="utf-8"))
    pages = outputs(truth.with_suffix(".dxf").read_bytes())
    counts: Counter[str] = Counter(layouts=len(record["layouts"]), layouts_found=list(pages) == record["layouts"])
    counts["layouts_found"] *= counts["layouts"]
    for name in record["layouts"]:
        wanted = [text for text in record["texts"] if text["layout"] == name]
        page = pages[name]
        found = {page.text[line.start : line.end]: line.box for line in page.lines}
        counts["texts"] += len(wanted)
        counts["texts_found"] += sum(text["text"] in found for text in wanted)
        counts["boxes"] += sum(found.get(text["text"]) is not None for text in wanted)
        placed = [(text, found[text["text"]]) for text in wanted if "x" in text and found.get(text["text"])]
        _count_pairs(placed, counts)
    return counts


def _count_pairs(placed: list[tuple[dict[str, float], Box]], counts: Counter[str]) -> None:
    """Distances along y between single lines must be in one proportion to the distances of their boxes' lower edges."""
    lines = [(text, box) for text, box in placed if "\n" not in str(text["text"])]
    pairs = [(a[0]["y"] - b[0]["y"], b[1].y1 - a[1].y1, a[1].x0 - b[1].x0) for a, b in combinations(lines, 2)]
    if not pairs:
        return
    scale = max(pairs, key=lambda pair: abs(pair[0]))
    ratio = scale[1] / scale[0]
    counts["pairs"] += len(pairs)
    counts["pairs_found"] += sum(abs(drawn * ratio - seen) < 0.02 and abs(x) < 0.02 for drawn, seen, x in pairs)


def main(arguments: list[str]) -> None:
    corpus = Path(arguments[0]) if arguments else DEFAULT_CORPUS
    for part in ("dxf", "hostile/dxf"):
        paths = sorted(path for path in (corpus / part).iterdir() if path.suffix in {".dxf", ".dxfb"})
        print(table(part, run(paths, texts, library)))
    total: Counter[str] = Counter()
    for truth in sorted((corpus / "dxf").glob("*.json")):
        total += recall(truth)
    for name in ("layouts", "texts", "pairs"):
        print(f"{name}: {total[f'{name}_found']} of {total[name]} found")
    print(f"boxes: {total['boxes']} of {total['texts']} texts have one")


if __name__ == "__main__":
    main(sys.argv[1:])
