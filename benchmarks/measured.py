"""Numbers against their limits, and the documents they are measured on. Shared by the benchmarks; measures nothing."""

import os
import resource
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

LINE = (
    "The quick brown fox jumps over the lazy dog, and the invoice number {number} names {amount} yen for line {line}."
)
LINES = 40
"""Lines of a generated page: some 4,000 characters, as a full page of a report has."""


@dataclass(frozen=True)
class Number:
    """One measured number beside what it may be.

    Attributes:
        what: What was measured.
        value: Median of the repetitions.
        unit: Its unit.
        limit: What it must not exceed, or must reach where ``at_least``; ``None`` for a number shown for comparison.
        at_least: Whether the limit is a lower one.
        spread: Every repetition, in the order they ran.
        note: What is needed to judge it: load, ceiling, counts.
    """

    what: str
    value: float
    unit: str
    limit: float | None = None
    at_least: bool = False
    spread: Sequence[float] = ()
    note: str = ""

    @property
    def holds(self) -> bool:
        if self.limit is None:
            return True
        return self.value >= self.limit if self.at_least else self.value <= self.limit


def median_of(what: str, values: Sequence[float], unit: str, limit: float | None = None, note: str = "") -> Number:
    return Number(what, statistics.median(values), unit, limit, spread=tuple(values), note=note)


def show(numbers: Iterable[Number]) -> bool:
    """Print one line a number, as it comes; returns whether all of them hold."""
    print(f"{'':58}{'measured':>10} {'unit':9}{'limit':>9}", flush=True)
    verdicts = []
    for number in numbers:
        bound = "" if number.limit is None else f"{'>=' if number.at_least else '<='} {number.limit:g}"
        verdict = "" if number.limit is None else "ok" if number.holds else "MISSED"
        spread = f"[{', '.join(f'{value:.3g}' for value in number.spread)}]" if len(number.spread) > 1 else ""
        told = " ".join(part for part in (verdict.ljust(6), spread, number.note) if part)
        print(f"{number.what:58}{number.value:>10.3g} {number.unit:9}{bound:>9}  {told}".rstrip(), flush=True)
        verdicts.append(number.holds)
    return all(verdicts)


def load() -> str:
    """Load of the machine now, which says how far wall-clock numbers are to be believed."""
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


def cpu_seconds() -> float:
    """User and system seconds of this process and its finished children."""
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def write_pdf(path: Path, pages: int, number: int = 0) -> None:
    """A PDF of text pages. Documents of different numbers differ, so that nothing can be taken twice."""
    from reportlab.pdfgen.canvas import Canvas

    canvas = Canvas(str(path), invariant=1)
    for page in range(pages):
        text = canvas.beginText(50, 800)
        text.setFont("Helvetica", 8)
        for line in range(LINES):
            text.textLine(LINE.format(number=number * 10_000 + page, amount=1_000 + 37 * line, line=line + 1))
        canvas.drawText(text)
        canvas.showPage()
    canvas.save()


def write_one_pagers(folder: Path, count: int) -> None:
    """One-page documents ``00000.pdf``, ``00001.pdf``, and so on."""
    folder.mkdir(parents=True)
    for number in range(count):
        write_pdf(folder / f"{number:05}.pdf", 1, number)
