"""Office documents of a folder: read, refused, crashed, seconds, peak memory, and text recall beside the libraries.

Usage: ``python benchmarks/bench_office.py [CORPUS]``, CORPUS being a folder with ``office/`` and ``hostile/office/``
(default: the shared corpus of real files). Libraries that are not installed are left out of the table.

Truth and scores, each a mean over files:

- workbooks: the CSV files Excel wrote of them; share of text cells, and of number and date cells, that a reader returns
  with the same characters (white space aside; characters beyond ASCII compare as ``_``, see ``comparable``). Cells full
  of ``#`` are Excel's narrow columns and not counted.
- Word and PowerPoint: the words of the package's own text elements in the body, headers, footers, notes, comments,
  charts and diagrams; deleted text, ruby readings, fallbacks for old programs and the page numbers printed on notes
  pages not counted.
"""

import csv
import multiprocessing
import re
import resource
import sys
import time
import warnings
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

DEFAULT_CORPUS = Path(__file__).resolve().parent.parent.parent / "shared" / "corpus"
NUMBER = re.compile(
    r"[-+(]?\s*(?:[$€£¥]|R\$)?\s*[-+(]?[0-9][0-9,.]*(?:E[+-]?[0-9]+)?\s*%?\s*\)?$|"
    r"(?:[0-9]{1,4}[-/:. ]|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*[- ,]).*[0-9](?:\s*[AP]M)?$",
    re.IGNORECASE,
)
WORD = re.compile(r"[^\W_]+")


# -- readers: a path gives pages, each a list of cells or lines -------------------------------------------------------


def indx(path: Path) -> list[list[str]]:
    from indx_core.formats.office import CONTRIBUTION
    from indx_core.ports.document import OpenDocument

    observer, reader = next(iter(CONTRIBUTION.observers)), next(iter(CONTRIBUTION.readers))
    data = path.read_bytes()
    with OpenDocument(data, observer.sniff(data) or "application/zip", path.name) as document:
        numbers = [page.number for page in observer.observe(document).pages]
        pages = sorted(reader.read(document, numbers), key=lambda page: page.number)
        return [re.split(r"[\t\n]", page.text) for page in pages]


def openpyxl(path: Path) -> list[list[str]]:
    import openpyxl

    book = openpyxl.load_workbook(path, data_only=True, read_only=False)
    pages: list[list[str]] = []
    for sheet in book._sheets:  # noqa: SLF001 - tab order, chart sheets included, has no public name
        rows = sheet.iter_rows(values_only=True) if hasattr(sheet, "iter_rows") else ()
        pages.append([str(value) for row in rows for value in row if value is not None])
    return pages


def calamine(path: Path) -> list[list[str]]:
    import python_calamine

    book = python_calamine.CalamineWorkbook.from_path(str(path))
    rows = [book.get_sheet_by_name(name).to_python() for name in book.sheet_names]
    return [[str(value) for row in sheet for value in row if value not in ("", None)] for sheet in rows]


def python_docx(path: Path) -> list[list[str]]:
    import docx

    document = docx.Document(str(path))
    lines: list[str] = []

    def take(container: Any) -> None:
        for item in container.iter_inner_content():
            if hasattr(item, "rows"):
                for row in item.rows:
                    for cell in row.cells:
                        take(cell)
            else:
                lines.append(item.text)

    take(document)
    for section in document.sections:
        for part in (section.header, section.footer, section.first_page_header, section.first_page_footer):
            if not part.is_linked_to_previous:
                take(part)
    lines.extend(comment.text for comment in document.comments)
    return [lines]


def python_pptx(path: Path) -> list[list[str]]:
    import pptx

    def take(shapes: Any) -> Iterator[str]:
        for shape in shapes:
            if hasattr(shape, "shapes"):
                yield from take(shape.shapes)
            elif shape.has_text_frame:
                yield shape.text_frame.text
            elif getattr(shape, "has_table", False) and shape.has_table:
                yield from (cell.text for row in shape.table.rows for cell in row.cells)
            elif getattr(shape, "has_chart", False) and shape.has_chart:
                for plot in shape.chart.plots:
                    yield from (str(name) for name in (*plot.categories, *(series.name for series in plot.series)))

    pages = []
    for slide in pptx.Presentation(str(path)).slides:
        lines = list(take(slide.shapes))
        if slide.has_notes_slide:
            lines.extend(take(slide.notes_slide.shapes))
        pages.append(lines)
    return pages


# -- truths -----------------------------------------------------------------------------------------------------------


def sheet_truths(corpus: Path) -> dict[str, list[tuple[int, list[str]]]]:
    found: dict[str, list[tuple[int, list[str]]]] = {}
    index = corpus / "office" / "xlsx_truth" / "INDEX.tsv"
    for row in csv.DictReader(index.open(encoding="utf-8"), delimiter="\t"):
        text = decoded((corpus / row["truth_csv"]).read_bytes())
        cells = [comparable(cell) for line in csv.reader(text.splitlines(keepends=True)) for cell in line]
        kept = [cell for cell in cells if cell and not re.fullmatch(r"#{3,}", cell)]
        found.setdefault(Path(row["workbook"]).name, []).append((int(row["sheet_index"]), kept))
    return found


def decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("mac-roman")


def package_words(path: Path) -> Counter[str]:
    """Words of a package's text elements, found without indx: local names only, paragraph by paragraph."""
    from lxml import etree

    wanted = re.compile(
        r"(?:word/(?:document|header|footer|footnotes|endnotes|comments)\d*|ppt/(?:slides/slide|notesSlides/notesSlide|"
        r"comments/(?:modern)?comment)\w*|(?:word|ppt)/(?:charts/chart|diagrams/data)\w*)\.xml$",
        re.IGNORECASE,
    )
    skipped = {"del", "moveFrom", "Fallback", "rt", "instrText", "delText"}
    words: Counter[str] = Counter()
    in_notes = False

    def text_of(element: Any) -> str:
        parts = []
        for child in element:
            local = etree.QName(child).localname if isinstance(child.tag, str) else ""
            if local == "t":
                parts.append(child.text or "")
            elif local in ("tab", "ptab", "br", "cr"):
                parts.append(" ")
            elif local == "fld" and child.get("type") == "slidenum" and in_notes:
                continue
            elif local not in skipped and local not in ("p", "txbxContent"):
                parts.append(text_of(child))
        return "".join(parts)

    def walk(element: Any) -> None:
        for child in element:
            local = etree.QName(child).localname if isinstance(child.tag, str) else ""
            if local in skipped or (local == "fld" and child.get("type") == "slidenum" and in_notes):
                continue
            if local == "p":
                words.update(words_of(text_of(child)))
            elif local in ("strCache", "strLit", "text"):
                words.update(words_of(" ".join(child.itertext()) if local != "strCache" else ""))
            walk(child)

    with zipfile.ZipFile(path) as package:
        for name in package.namelist():
            if wanted.match(name):
                root = etree.fromstring(package.read(name), etree.XMLParser(resolve_entities=False, huge_tree=True))
                in_notes = "notesSlide" in name
                walk(root)
                caches = root.xpath("//*[local-name()='strCache']//*[local-name()='v']/text()")
                for text in dict.fromkeys(caches):
                    words.update(words_of(text))
    return words


def squeeze(text: str) -> str:
    return " ".join(text.split())


def comparable(text: str) -> str:
    """What Excel for Mac kept of a cell: it wrote Mac Roman, and ``_`` for every character beyond it."""
    return re.sub(r"[^ -~]", "_", squeeze(text))


def words_of(text: str) -> list[str]:
    return WORD.findall(text)


# -- scores -----------------------------------------------------------------------------------------------------------


def share_found(truth: Counter[str], output: Counter[str]) -> float | None:
    total = sum(truth.values())
    return sum((truth & output).values()) / total if total else None


def score_workbook(pages: list[list[str]], truths: list[tuple[int, list[str]]]) -> dict[str, float | None]:
    kinds: dict[str, tuple[Counter[str], Counter[str]]] = {
        "text": (Counter(), Counter()),
        "shown": (Counter(), Counter()),
    }
    for index, cells in truths:
        output = Counter(comparable(cell) for cell in (pages[index] if index < len(pages) else []))
        for name, (truth, found) in kinds.items():
            wanted = Counter(cell for cell in cells if bool(NUMBER.match(cell)) is (name == "shown"))
            truth.update(wanted)
            found.update(wanted & output)
    return {name: share_found(truth, found) for name, (truth, found) in kinds.items()}


def score_words(pages: list[list[str]], path: Path) -> dict[str, float | None]:
    output = Counter(word for page in pages for line in page for word in words_of(line))
    return {"words": share_found(package_words(path), output)}


# -- runs -------------------------------------------------------------------------------------------------------------


def measure(tool: str, files: list[Path], corpus: Path, connection: Any) -> None:
    """One tool over some files, in a process of its own, so that memory and crashes are its own too."""
    from indx_core.contracts.errors import IndxError

    warnings.simplefilter("ignore")
    read: Callable[[Path], list[list[str]]] = globals()[tool]
    truths = sheet_truths(corpus)
    status: Counter[str] = Counter()
    scores: dict[str, dict[str, float | None]] = {}
    seconds = 0.0
    slowest = ("", 0.0)
    for path in files:
        start = time.process_time()
        try:
            pages = read(path)
        except Exception as error:  # noqa: BLE001 - what crashes is what is measured
            refused = isinstance(error, IndxError)
            status[f"refused {error.code}" if refused else f"error {type(error).__name__}"] += 1
            pages = None
        took = time.process_time() - start
        seconds += took
        slowest = max(slowest, (path.name, took), key=lambda pair: pair[1])
        if pages is None:
            continue
        status["read"] += 1
        if path.suffix in (".xlsx", ".xlsm") and path.name in truths:
            scores[path.name] = score_workbook(pages, truths[path.name])
        elif path.suffix in (".docx", ".pptx") and "hostile" not in path.parts:
            scores[path.name] = score_words(pages, path)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    connection.send((status, scores, seconds, slowest, peak))


def run(tool: str, files: list[Path], corpus: Path) -> tuple[Any, ...] | None:
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=measure, args=(tool, files, corpus, sender))
    process.start()
    sender.close()
    try:
        return receiver.recv()  # type: ignore[no-any-return]
    except EOFError:
        return None
    finally:
        process.join()


def mean(values: list[float | None]) -> str:
    known = [value for value in values if value is not None]
    return f"{sum(known) / len(known):.3f} ({len(known)})" if known else "-"


def main() -> None:
    corpus = Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_CORPUS
    verbose = "-v" in sys.argv
    hostile = sorted((corpus / "hostile" / "office").iterdir())
    formats = {
        "docx": (sorted((corpus / "office" / "docx").iterdir()), ("indx", "python_docx")),
        "xlsx": (sorted((corpus / "office" / "xlsx").iterdir()), ("indx", "openpyxl", "calamine")),
        "pptx": (sorted((corpus / "office" / "pptx").iterdir()), ("indx", "python_pptx")),
        "hostile": (hostile, ("indx",)),
    }
    print(
        f"{'format':8} {'tool':12} {'files':>5} {'read':>5} {'crashed':>7} {'cpu s':>6} {'MB':>5}  scores and refusals"
    )
    for name, (files, tools) in formats.items():
        for tool in tools:
            result = run(tool, files, corpus)
            if result is None:
                print(f"{name:8} {tool:12} {len(files):5} the process died")
                continue
            status, scores, seconds, slowest, peak = result
            errors = sum(count for key, count in status.items() if key.startswith("error"))
            refused = ", ".join(f"{key} {count}" for key, count in sorted(status.items()) if key != "read")
            kinds = sorted({kind for score in scores.values() for kind in score})
            shown = "; ".join(f"{kind} {mean([score.get(kind) for score in scores.values()])}" for kind in kinds)
            print(
                f"{name:8} {tool:12} {len(files):5} {status['read']:5} {errors:7} {seconds:6.2f} {peak:5.0f}  "
                f"{shown}{' | ' if shown and refused else ''}{refused} | slowest {slowest[0]} {slowest[1]:.2f} s"
            )
            if verbose and tool == "indx":
                for file, score in sorted(scores.items()):
                    low = {kind: value for kind, value in score.items() if value is not None and value < 0.995}
                    if low:
                        print(f"    {file}: " + ", ".join(f"{kind} {value:.3f}" for kind, value in low.items()))


if __name__ == "__main__":
    main()
