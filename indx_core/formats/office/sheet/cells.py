"""The cells of one worksheet, streamed: a row is in memory at a time, and rows without content leave no trace.

The used range a sheet claims (``s:dimension``) is never looked at: it is often inflated and may lie.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from indx_core.contracts.errors import SourceUnreadable
from indx_core.contracts.page import Link
from indx_core.formats.office.sheet.addresses import MAX_COLUMNS, MAX_ROWS, Area, address, parse_address, parse_area
from indx_core.formats.office.sheet.iso_dates import serial_of
from indx_core.formats.office.sheet.number_format import Formatter
from indx_core.formats.office.sheet.strings import rich_text, unescape
from indx_core.formats.office.sheet.workbook import Workbook
from indx_core.kit.ooxml.links import formula_address
from indx_core.kit.ooxml.markup import is_on, whole
from indx_core.kit.ooxml.names import short
from indx_core.kit.ooxml.xml import Element, shorten, stream

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$")
_NAMED_ADDRESSES = 5
"""Addresses a finding names; the rest are counted."""


@dataclass(slots=True)
class SheetContent:
    """What a worksheet's own part holds.

    Attributes:
        rows: Text by row and column, both from 0; only what is not blank. Rows ascend, columns within a row too.
        merges: Merged areas in file order.
        headers: Header and footer codes by element name (``oddHeader``).
        hidden_rows: Rows with content that the sheet hides.
        hidden_columns: Ranges of columns, from 0 and both ends in, that the sheet hides.
        uncalculated: Addresses of formulas without a cached value.
        misplaced: Cells whose reference is no address of a sheet or repeats one; they stand after their predecessor.
        missing_strings: Cells that refer to a shared string that is not there.
        links: Areas that are a link, each with the id of its relationship and what a pointer over it shows.
        formula_links: Where a formula leads, with what its cell shows.
    """

    rows: dict[int, dict[int, str]] = field(default_factory=dict)
    merges: list[Area] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    hidden_rows: int = 0
    hidden_columns: list[tuple[int, int]] = field(default_factory=list)
    uncalculated: list[str] = field(default_factory=list)
    misplaced: int = 0
    missing_strings: int = 0
    links: list[tuple[Area, str, str]] = field(default_factory=list)
    formula_links: list[Link] = field(default_factory=list)

    def findings(self) -> list[tuple[str, str]]:
        """Coded remarks about the cells."""
        found = []
        if self.uncalculated:
            named = ", ".join(self.uncalculated[:_NAMED_ADDRESSES])
            more = len(self.uncalculated) - _NAMED_ADDRESSES
            found.append(
                (
                    "formula_not_calculated",
                    f"{len(self.uncalculated)} formula(s) have no cached value and read as blank: {named}"
                    + (f" and {more} more" if more > 0 else "")
                    + "; open and save the workbook in Excel to calculate them",
                )
            )
        if self.hidden_rows or self.hidden_columns:
            columns = sum(last - first + 1 for first, last in self.hidden_columns)
            found.append(
                ("hidden_cells", f"{self.hidden_rows} row(s) and {columns} column(s) are hidden; they are read")
            )
        if self.misplaced:
            found.append(("cell_reference_invalid", f"{self.misplaced} cell(s) state no usable address"))
        if self.missing_strings:
            found.append(("shared_string_missing", f"{self.missing_strings} cell(s) refer to text that is not there"))
        return found


def read_cells(workbook: Workbook, part: str, max_cells: int) -> SheetContent:
    """Read a worksheet's part.

    Args:
        workbook: The workbook it belongs to.
        part: The worksheet's part.
        max_cells: Most cells with content it may hold.

    Raises:
        PartDamaged: The part is not well-formed.
        SourceUnreadable: It declares a document type, is beyond a limit, or holds more cells than ``max_cells``.
    """
    reading = _Reading(workbook, max_cells)
    with workbook.package.open(part) as source:
        for event, element in stream(source, part):
            reading.take(event, element)
    return reading.finished()


class _Reading:
    def __init__(self, workbook: Workbook, max_cells: int) -> None:
        self.content = SheetContent()
        self._workbook = workbook
        self._max_cells = max_cells
        self._count = 0
        self._data: Element | None = None
        self._row = -1
        self._column = -1
        self._formatters: dict[int, Formatter] = {}
        self._sorted = True

    def take(self, event: str, element: Element) -> None:
        tag = short(element.tag)
        if event == "start":
            if tag == "s:sheetData":
                self._data = element
        elif tag == "s:row":
            self._take_row(element)
            if self._data is not None:
                self._data.clear()  # an element kept for each of a million blank rows would cost 60 MB
        elif tag in self._OTHERS:
            shorten(element)
            self._OTHERS[tag](self, element)

    def finished(self) -> SheetContent:
        if not self._sorted:
            rows = self.content.rows
            self.content.rows = {row: dict(sorted(rows[row].items())) for row in sorted(rows)}
        return self.content

    def _take_row(self, row: Element) -> None:
        stated = whole(row.get("r"), 0, low=0, high=MAX_ROWS + 1)
        self._go_to_row(stated - 1 if 1 <= stated <= MAX_ROWS else self._row + 1)
        before = self._count
        for cell in row:
            for part in cell.iter():
                shorten(part)
            if cell.tag == "s:c":
                self._take_cell(cell)
        if self._count > before and is_on(row.get("hidden")):
            self.content.hidden_rows += 1

    def _go_to_row(self, row: int) -> None:
        if row <= self._row:
            self._sorted = False
        self._row, self._column = row, -1

    def _take_cell(self, cell: Element) -> None:
        row, column = self._place(cell.get("r"))
        text = self._text(cell, row, column)
        if not text or text.isspace():
            return
        cells = self.content.rows.setdefault(row, {})
        self._sorted = self._sorted and not (cells and column <= next(reversed(cells)))
        cells[column] = text
        self._count += 1
        if self._count > self._max_cells:
            raise SourceUnreadable(
                f"the worksheet holds more than {self._max_cells} cells with content",
                remedy="raise INDX_OFFICE_MAX_CELLS or split the workbook",
            )

    def _place(self, reference: str | None) -> tuple[int, int]:
        """Where a cell stands; after its predecessor where it does not say, or says what is no address."""
        stated = parse_address(reference) if reference else None
        if stated is None:
            if reference:
                self.content.misplaced += 1
            stated = (self._row, min(self._column + 1, MAX_COLUMNS - 1))
        elif stated[0] != self._row:
            self.content.misplaced += 1
            self._sorted = False
        self._column = stated[1]
        return stated

    def _text(self, cell: Element, row: int, column: int) -> str:
        kind = cell.get("t", "n")
        if kind == "inlineStr":
            inline = cell.find("s:is")
            return self._as_text(cell, rich_text(inline) if inline is not None else "")
        value = cell.find("s:v")
        stored = (value.text or "") if value is not None else ""
        if not stored.strip() and kind != "str":
            if cell.find("s:f") is not None:
                self.content.uncalculated.append(address(row, column))
            return self._result(cell, "")
        return self._stored(cell, kind, stored)

    def _stored(self, cell: Element, kind: str, stored: str) -> str:
        if kind == "n":
            return self._number(cell, stored)
        if kind == "s":
            return self._as_text(cell, self._shared(stored))
        if kind == "str":
            return self._result(cell, self._as_text(cell, unescape(stored)))
        if kind == "b":
            return "TRUE" if is_on(stored) else "FALSE"
        if kind == "d":
            serial = serial_of(stored.strip(), from_1904=self._workbook.from_1904)
            return stored.strip() if serial is None else self._formatter(cell)(serial)
        return stored.strip()

    def _result(self, cell: Element, text: str) -> str:
        """The text a formula gave; one that is a link gives the words of the link."""
        if target := formula_address(cell.findtext("s:f") or ""):
            self.content.formula_links.append(Link(target, text.strip()))
        return text

    def _number(self, cell: Element, stored: str) -> str:
        stored = stored.strip()
        if not _NUMBER.match(stored):
            return stored
        value = float(stored)
        return stored if value in (float("inf"), float("-inf")) else self._formatter(cell)(value)

    def _shared(self, stored: str) -> str:
        strings = self._workbook.strings
        index = whole(stored.strip(), -1, low=-1, high=len(strings))
        if 0 <= index < len(strings):
            return strings[index]
        self.content.missing_strings += 1
        return ""

    def _as_text(self, cell: Element, text: str) -> str:
        code = self._code(cell)
        return text if code in ("General", "@") else self._workbook.renderer.text(code, text)

    def _formatter(self, cell: Element) -> Formatter:
        style = whole(cell.get("s"), 0, low=0, high=2**31)
        if style not in self._formatters:
            self._formatters[style] = self._workbook.renderer.formatter(self._code(cell))
        return self._formatters[style]

    def _code(self, cell: Element) -> str:
        codes = self._workbook.codes
        style = whole(cell.get("s"), 0, low=0, high=len(codes))
        return codes[style] if style < len(codes) else "General"

    def _take_merge(self, element: Element) -> None:
        area = parse_area(element.get("ref", ""))
        if area is not None:
            self.content.merges.append(area)

    def _take_link(self, element: Element) -> None:
        area = parse_area(element.get("ref", ""))
        if area is not None and element.get("r:id"):
            self.content.links.append((area, element.get("r:id", ""), element.get("display", "")))

    def _take_columns(self, element: Element) -> None:
        if is_on(element.get("hidden")):
            first = whole(element.get("min"), 1, low=1, high=MAX_COLUMNS)
            last = whole(element.get("max"), first, low=first, high=MAX_COLUMNS)
            self.content.hidden_columns.append((first - 1, last - 1))

    def _take_header(self, element: Element) -> None:
        self.content.headers[element.tag.partition(":")[2]] = unescape(element.text or "")

    _OTHERS: dict[str, Callable[["_Reading", Element], None]] = {
        "s:mergeCell": _take_merge,
        "s:hyperlink": _take_link,
        "s:col": _take_columns,
        "s:firstHeader": _take_header,
        "s:oddHeader": _take_header,
        "s:evenHeader": _take_header,
        "s:firstFooter": _take_header,
        "s:oddFooter": _take_header,
        "s:evenFooter": _take_header,
    }
