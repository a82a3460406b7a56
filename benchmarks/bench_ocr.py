"""Character error and CPU seconds a page of recognition, beside bare rapidocr and tesseract, in one run.

What belongs here: reading the labelled page images of a corpus folder with each engine and printing the table. The
truths are the corpus's own (``manifest.tsv`` says how good each is). Text is compared with white space removed, NFKC.

    python benchmarks/bench_ocr.py ../shared/corpus/ocr                 # every engine, every group
    python benchmarks/bench_ocr.py ../shared/corpus/ocr --engine indx   # one engine
    python benchmarks/bench_ocr.py ../shared/corpus/ocr --workers       # pages per second of one and two processes
"""

import argparse
import io
import multiprocessing
import resource
import shutil
import subprocess
import time
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

from indx_core.formats.image.observer import ImageObserver
from indx_core.kit.render.page import page_image
from indx_core.ports.document import OpenDocument

GROUPS = {
    "made_ja_horizontal_mincho30.png": "ja horizontal",
    "made_ja_scan_3pages.pdf": "ja horizontal (scan-only PDF)",
    "made_ja_multipage_g4.tif": "ja horizontal (G4 TIFF)",
    "made_ja_exif_orientation6.jpg": "ja horizontal (EXIF-turned)",
    "made_ja_small_gothic20.png": "ja small type, 20 px",
    "made_ja_two_columns26.jpg": "ja two columns",
    "made_ja_vertical_mincho34.png": "ja vertical",
    "made_ja_rotated90cw_gothic28.png": "ja on its side",
    "made_ja_form_invoice.png": "ja form",
    "test__8071_093.3B.tif": "en magazine, 4 columns (real)",
    "test__8087_054.3B.tif": "en magazine, 2 columns (real)",
    "test__phototest.tif": "en horizontal",
    "test__phototest-rotated-L.png": "en on its side",
    "test__phototest-rotated-R.png": "en on its side",
    "ndlocr-lite__digidepo_11048278_po_geppo1803_00021.jpg": "ja vertical, 2 tiers (real, machine truth)",
    "ndlocr-lite__digidepo_2531162_0024.jpg": "ja handwritten spread (real, machine truth)",
    "ndlocr-lite__digidepo_3048008_0025.jpg": "ja spread with table (real, machine truth)",
    "ndlocr-lite__yokogaki2026-04-24-103617.png": "ja handwriting (real, machine truth)",
}
DPI = 200
OVERHEAD, SPEED_UP = 1.10, 1.7
"""Limits of the figures that end a run."""


class Case(NamedTuple):
    group: str
    path: Path
    page: int
    truth: str
    language: str


class Score(NamedTuple):
    group: str
    error: float
    overlap: float
    cpu_seconds: float


def cases(folder: Path, only: str) -> Iterator[Case]:
    """One case a page, in the order of the groups."""
    for name, group in GROUPS.items():
        path = folder / name
        if not path.is_file() or only not in name:
            continue
        pages = path.with_suffix(".txt").read_text(encoding="utf-8").split("\f")
        language = "ja" if group.startswith("ja") else "en"
        for number, truth in enumerate((page for page in pages if page.strip()), start=1):
            yield Case(group, path, number, truth, language)


def opened(path: Path) -> OpenDocument:
    data = path.read_bytes()
    return OpenDocument(data, ImageObserver().sniff(data) or "application/pdf")


# -- engines ----------------------------------------------------------------------------------------------------------


def indx(case: Case) -> str:
    from indx_core.engines.ocr_rapid.reader import GenericOcr

    with opened(case.path) as document:
        return next(GenericOcr().read(document, [case.page])).text


def bare_rapidocr(case: Case) -> str:
    """What rapidocr reads as installed, nothing set, fed the same page image."""
    import numpy as np

    with opened(case.path) as document:
        pixels = np.asarray(page_image(document, case.page, dpi=DPI))[:, :, ::-1]
    result = _bare()(np.ascontiguousarray(pixels))
    return "\n".join(result.txts or ())


@cache
def _bare() -> Any:
    from rapidocr import RapidOCR

    return RapidOCR(params={"Global.log_level": "critical"})


def tesseract(case: Case) -> str:
    """Tesseract as a user calls it: automatic page segmentation with orientation, both scripts of the language."""
    languages = "jpn+jpn_vert+eng" if case.language == "ja" else "eng"
    with opened(case.path) as document:
        image = page_image(document, case.page, dpi=DPI)
    png = io.BytesIO()
    image.save(png, format="PNG")
    command = ["tesseract", "-", "-", "-l", languages, "--psm", "3", "--dpi", str(DPI)]
    return subprocess.run(command, input=png.getvalue(), capture_output=True, check=True).stdout.decode()


ENGINES: dict[str, Callable[[Case], str]] = {"indx": indx, "bare rapidocr": bare_rapidocr, "tesseract": tesseract}


# -- scores -----------------------------------------------------------------------------------------------------------


def plain(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split())


def character_error(read: str, truth: str) -> float:
    """Levenshtein distance over the length of the truth."""
    import numpy as np

    a, b = plain(read), np.frombuffer(plain(truth).encode("utf-32-le"), dtype=np.uint32)
    steps = np.arange(len(b) + 1)
    row = steps
    for i, char in enumerate(a, start=1):
        best = np.minimum(row[1:] + 1, row[:-1] + (b != ord(char)))
        row = np.minimum.accumulate(np.concatenate(([i], best)) - steps) + steps
    return float(row[-1]) / max(1, len(b))


def overlap(read: str, truth: str) -> float:
    """F1 of the characters, whatever their order: what an order-blind reader would score."""
    a, b = Counter(plain(read)), Counter(plain(truth))
    return 2 * (a & b).total() / max(1, a.total() + b.total())


def cpu_seconds() -> float:
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def measure(engine: Callable[[Case], str], chosen: list[Case]) -> list[Score]:
    engine(chosen[0])  # models load here, once a process
    scores = []
    for case in chosen:
        before = cpu_seconds()
        text = engine(case)
        spent = cpu_seconds() - before
        scores.append(Score(case.group, character_error(text, case.truth), overlap(text, case.truth), spent))
    return scores


def table(results: dict[str, list[Score]]) -> str:
    """One row a group: character error (order-free F1, CPU seconds a page) of each engine."""
    lines = ["| group (pages) | " + " | ".join(results) + " |", "| --- |" + " --- |" * len(results)]
    grouped = {name: by_group(scores) for name, scores in results.items()}
    for group, first in grouped[next(iter(results))].items():
        cells = [cell(grouped[name][group]) for name in results]
        lines.append(f"| {group} ({len(first)}) | " + " | ".join(cells) + " |")
    totals = [f"CPU {mean(score.cpu_seconds for score in scores):.1f} s a page" for scores in results.values()]
    lines.append("| all | " + " | ".join(totals) + " |")
    if {"indx", "bare rapidocr"} <= results.keys():
        ours, bare = (sum(score.cpu_seconds for score in results[name]) for name in ("indx", "bare rapidocr"))
        lines.append(f"\nindx takes {ours / bare:.2f} times the CPU of bare rapidocr; at most {OVERHEAD:.2f}")
    return "\n".join(lines)


def by_group(scores: list[Score]) -> dict[str, list[Score]]:
    groups: dict[str, list[Score]] = defaultdict(list)
    for score in scores:
        groups[score.group].append(score)
    return groups


def cell(scores: list[Score]) -> str:
    error, shared, spent = (mean(getattr(score, part) for score in scores) for part in Score._fields[1:])
    return f"{error:.3f} ({shared:.3f}, {spent:.1f} s)"


# -- workers ----------------------------------------------------------------------------------------------------------


def _warm_up() -> None:
    from indx_core.engines.ocr_rapid.engine import engine
    from indx_core.engines.ocr_rapid.models import find_models
    from indx_core.engines.ocr_rapid.settings import OcrEngineSettings, OcrSettings

    engine(find_models(OcrSettings.load()), OcrEngineSettings.load().threads)


def workers(chosen: list[Case]) -> str:
    """Pages per second of one and of two processes, models loaded beforehand, threads as set in the environment.

    On a busy machine only the CPU seconds a page compare: they show what the processes cost each other.
    """
    lines, rates = [], []
    for count in (1, 2):
        with multiprocessing.get_context("spawn").Pool(count, initializer=_warm_up) as pool:
            pool.map(indx, chosen[:count], chunksize=1)
            start = time.perf_counter()
            spent = mean(pool.map(_cpu_of, chosen, chunksize=1))
            rate = len(chosen) / (time.perf_counter() - start)
        rates.append(rate)
        lines.append(f"{count} processes: {rate:.3f} pages/s, {spent:.2f} CPU s a page ({len(chosen)} pages)")
    lines.append(
        f"two processes read {rates[1] / rates[0]:.2f} times the pages a second of one; at least {SPEED_UP:.1f}"
    )
    return "\n".join(lines)


def _cpu_of(case: Case) -> float:
    before = time.process_time()
    indx(case)
    return time.process_time() - before


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--engine", choices=sorted(ENGINES), action="append")
    parser.add_argument("--only", default="", help="part of a file name")
    parser.add_argument("--workers", action="store_true")
    chosen = parser.parse_args()
    pages = list(cases(chosen.folder, chosen.only))
    if chosen.workers:
        print(workers(pages))
        return
    names = chosen.engine or [name for name in ENGINES if name != "tesseract" or shutil.which("tesseract")]
    print(table({name: measure(ENGINES[name], pages) for name in names}))


if __name__ == "__main__":
    main()
