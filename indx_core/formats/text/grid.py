"""Delimited text as a grid, beside the page's text and never in its place.

Bounded: text beyond the bound has no grid, and says so.
"""

import csv
import io
from collections.abc import Iterator

from indx_core.contracts.page import Cell, Table

MAX_CELLS = 200_000
"""Cells of the largest grid: some 40 MB of objects. The text itself has no such bound."""

Grid = tuple[tuple[Table, ...], tuple[tuple[str, str], ...]]


def grid(text: str, delimiter: str) -> Grid:
    """The table of a CSV (RFC 4180) or TSV (IANA text/tab-separated-values, which knows no quotes), and findings.

    Rows may be ragged; the table is as wide as the widest. No header is claimed, since neither format marks one.
    """
    cells: list[Cell] = []
    rows = columns = 0
    try:
        for row in _records(text, delimiter):
            filled = [(column, value) for column, value in enumerate(row) if value]
            if len(cells) + len(filled) > MAX_CELLS:
                return (), (("table_too_large", f"no grid: it holds more than {MAX_CELLS} cells"),)
            cells.extend(Cell(rows, column, value) for column, value in filled)
            rows, columns = rows + 1, max(columns, len(row))
    except csv.Error as error:
        return (), (("table_malformed", f"no grid: {error}"),)
    return ((Table(rows, columns, tuple(cells)),) if cells else ()), ()


def _records(text: str, delimiter: str) -> Iterator[list[str]]:
    if delimiter == "\t":
        return (line.split("\t") for line in text.removesuffix("\n").split("\n"))
    return csv.reader(io.StringIO(text, newline="\n"), delimiter=delimiter)
