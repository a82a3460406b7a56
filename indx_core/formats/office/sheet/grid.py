"""Cells as a page: tab-separated rows for the text, and the grid beside it.

A row's blank cells hold their column, counted from A; a run of blank rows is one blank line. Where a sheet leaves more
than a hundred columns in a row wholly blank, its text closes that gap to one column: one cell in the last column of
every row would else make megabytes of tabs. The grid keeps true addresses.
"""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from indx_core.contracts.page import Cell, Table
from indx_core.formats.office.sheet.addresses import Area
from indx_core.formats.office.sheet.cells import SheetContent
from indx_core.kit.ooxml.drawingml import one_line

_WIDEST_GAP = 100


@dataclass(frozen=True, slots=True)
class Grid:
    """A worksheet's cells as a reader returns them.

    Attributes:
        lines: A line per row; ``""`` once for each run of blank rows between two that are not.
        table: The grid; ``None`` for a sheet without content.
        findings: Coded remarks.
    """

    lines: list[str]
    table: Table | None
    findings: list[tuple[str, str]]


def lay_out(content: SheetContent, label: str) -> Grid:
    """Apply merges and write the rows.

    Args:
        content: The sheet's cells; covered ones are removed from it.
        label: The sheet's name.
    """
    findings = content.findings()
    spans = _apply_merges(content, findings)
    columns = _text_columns(content, findings)
    lines: list[str] = []
    cells: list[Cell] = []
    previous = None
    for row, texts in content.rows.items():
        if not texts:
            continue
        if previous is not None and row > previous + 1:
            lines.append("")
        previous = row
        lines.append(_line(texts, columns))
        for column, text in texts.items():
            height, width = spans.get((row, column), (1, 1))
            cells.append(Cell(row, column, text, height, width))
    if not cells:
        return Grid([], None, findings)
    rows = max(cell.row + cell.row_span for cell in cells)
    width = max(cell.column + cell.column_span for cell in cells)
    return Grid(lines, Table(rows, width, tuple(cells), label=label), findings)


def _apply_merges(content: SheetContent, findings: list[tuple[str, str]]) -> dict[tuple[int, int], tuple[int, int]]:
    """Drop what merged cells cover and return their spans. A merge that overlaps an earlier one is not applied."""
    rows = sorted(content.rows)
    taken: dict[int, list[Area]] = {}
    spans = {}
    overlapping = covered = 0
    for area in content.merges:
        # By index, not by slice: a hundred thousand merges of whole columns would each copy the list of rows.
        touched = range(bisect_left(rows, area.top), bisect_right(rows, area.bottom))
        if any(_overlap(area, other) for index in touched for other in taken.get(rows[index], ())):
            overlapping += 1
            continue
        for row in (rows[index] for index in touched):
            taken.setdefault(row, []).append(area)
            texts = content.rows[row]
            under = [c for c in texts if area.left <= c <= area.right and (row, c) != (area.top, area.left)]
            for column in under:
                del texts[column]
            covered += len(under)
        spans[area.top, area.left] = (area.bottom - area.top + 1, area.right - area.left + 1)
    if overlapping:
        findings.append(("merge_overlap", f"{overlapping} merged area(s) overlap another and were not applied"))
    if covered:
        findings.append(
            ("covered_cells", f"{covered} cell(s) under merged cells hold values that the sheet never shows")
        )
    return spans


def _overlap(area: Area, other: Area) -> bool:
    """Whether two areas that share a row share a cell."""
    return area.left <= other.right and other.left <= area.right


def _text_columns(content: SheetContent, findings: list[tuple[str, str]]) -> dict[int, int]:
    """Column of the text for every used column of the sheet."""
    columns = {}
    previous, shift = -1, 0
    for column in sorted({column for texts in content.rows.values() for column in texts}):
        gap = column - previous - 1
        if gap > _WIDEST_GAP:
            shift += gap - 1
        columns[column] = column - shift
        previous = column
    if shift:
        findings.append(
            ("blank_columns_closed", f"{shift} blank column(s) are left out of the text; the grid has them")
        )
    return columns


def _line(texts: dict[int, str], columns: dict[int, int]) -> str:
    parts = []
    at = 0
    for column, text in texts.items():
        target = columns[column]
        parts.append("\t" * (target - at))
        parts.append(one_line(text))
        at = target
    return "".join(parts)
