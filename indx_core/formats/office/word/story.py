"""Block-level text of a Word part: paragraphs, tables, content controls, text boxes.

A story is a body, a header, a note, a comment, a cell or a text box; they hold the same things, so one walk reads them.
"""

from collections.abc import Callable, Iterator

from indx_core.contracts.page import Cell, Table
from indx_core.formats.office.word.inline import DELETED, TRANSPARENT, Inline, Marks
from indx_core.kit.ooxml.drawingml import body_text, graphic_texts, grid_text
from indx_core.kit.ooxml.markup import children, find, toggled, whole
from indx_core.kit.ooxml.math import math_text
from indx_core.kit.ooxml.package import Package
from indx_core.kit.ooxml.xml import Element

_MAX_COLUMNS = 63
"""Word's own limit; wider spans are damage."""


class Story:
    """Reads block-level content.

    Attributes:
        lines: A line per paragraph and per table row, in document order; ``""`` for a blank paragraph.
        tables: Grids in the order their last row ends, nested ones before the one that holds them.
    """

    def __init__(
        self,
        package: Package,
        part: str,
        root: Element,
        marks: Marks,
        on_section: Callable[[Element], None] | None = None,
    ) -> None:
        """Prepare to read.

        Args:
            package: The package.
            part: The part the story is in, whose relationships name its charts.
            root: The element that holds the story.
            marks: Collects what is come across.
            on_section: Called at the end of a section with its ``w:sectPr``; only the body has sections.
        """
        self.lines: list[str] = []
        self.tables: list[Table] = []
        self._package = package
        self._part = part
        self._root = root
        self._marks = marks
        self._on_section = on_section
        self._joined = ""
        ends = [mark.get("w:fldCharType") for mark in root.iter("w:fldChar")]
        balanced = ends.count("begin") == ends.count("end")
        self._inline = Inline(marks, package.relationships(part), balanced_fields=balanced)

    def read(self) -> "Story":
        """Walk the story."""
        self._blocks(self._root)
        self._flush()
        return self

    @property
    def text(self) -> str:
        """The lines, joined."""
        return "\n".join(self.lines).strip("\n")

    def _blocks(self, parent: Element) -> None:
        for child in children(parent):
            tag = child.tag
            if tag == "w:p":
                self._paragraph(child)
            elif tag == "w:tbl":
                self._table(child)
            elif tag == "w:sdt":
                content = child.find("w:sdtContent")
                if content is not None:
                    self._blocks(content)
            elif tag in TRANSPARENT:
                self._blocks(child)
            elif tag == "m:oMathPara":
                self.lines.append(math_text(child))
            elif tag == "w:altChunk":
                self._marks.alternative_chunks += 1

    def _paragraph(self, paragraph: Element) -> None:
        text = self._joined + self._inline.paragraph(paragraph)
        properties = paragraph.find("w:pPr")
        # A deleted paragraph mark joins the paragraph to the next one in the final text.
        if any(find(properties, "w:rPr", tag) is not None for tag in DELETED):
            self._joined = text
        else:
            self._joined = ""
            self.lines.append(text)
        for aside in self._inline.asides:
            self._aside(aside)
        section = find(properties, "w:sectPr")
        if section is not None and self._on_section:
            self._flush()
            self._on_section(section)

    def _flush(self) -> None:
        if self._joined:
            self.lines.append(self._joined)
            self._joined = ""

    def _aside(self, drawing: Element) -> None:
        """What a drawing says, after the paragraph that anchors it."""
        for element in _text_holders(drawing):
            if element.tag == "w:txbxContent":
                self._nest(self._nested(element))
            elif element.tag == "v:textpath":
                self.lines.append(element.get("string", ""))
            else:
                self.lines.append(body_text(element))
        for text in graphic_texts(self._package, self._part, drawing):
            self.lines.extend(text.split("\n"))

    def _nested(self, root: Element) -> "Story":
        return Story(self._package, self._part, root, self._marks).read()

    def _nest(self, inner: "Story") -> None:
        self.lines.extend(line for line in inner.lines if line.strip())
        self.tables.extend(inner.tables)

    def _table(self, element: Element) -> None:
        grid = _Grid()
        for row in _wrapped(element, "w:tr"):
            properties = row.find("w:trPr")
            if find(properties, "w:del") is not None:
                continue
            grid.start_row(_count(properties, "w:gridBefore", 0), header=toggled(find(properties, "w:tblHeader")))
            for cell in _wrapped(row, "w:tc"):
                self._cell(cell, grid)
        table = grid.table()
        self.tables.append(table)
        self.lines.extend(grid_text(table).split("\n"))

    def _cell(self, element: Element, grid: "_Grid") -> None:
        properties = element.find("w:tcPr")
        merge = find(properties, "w:vMerge")
        continues = merge is not None and merge.get("w:val") != "restart"
        sideways = find(properties, "w:hMerge")
        width = _count(properties, "w:gridSpan", 1)
        if sideways is not None and sideways.get("w:val") != "restart":
            grid.widen(width)
        elif not (continues and grid.continue_above(width)):
            inner = self._nested(element)
            self.tables.extend(inner.tables)
            grid.add(inner.text, width, merges=merge is not None)


class _Grid:
    """A table under construction: places cells, and grows the ones that span rows."""

    def __init__(self) -> None:
        self._cells: list[Cell] = []
        self._merging: dict[int, int] = {}
        self._row = -1
        self._column = 0
        self._columns = 0
        self._header_rows = 0

    def start_row(self, before: int, *, header: bool) -> None:
        """Begin a row whose first cell stands ``before`` columns in."""
        self._row += 1
        self._column = before
        if header and self._header_rows == self._row:
            self._header_rows += 1

    def add(self, text: str, width: int, *, merges: bool) -> None:
        """A cell of its own. ``merges``: cells below may continue it."""
        self._merging.pop(self._column, None)
        if merges:
            self._merging[self._column] = len(self._cells)
        self._cells.append(Cell(self._row, self._column, text, 1, width))
        self._advance(width)

    def continue_above(self, width: int) -> bool:
        """Let the cell above span this row too; false when there is none to continue."""
        index = self._merging.get(self._column)
        if index is None or self._cells[index].row + self._cells[index].row_span != self._row:
            return False
        cell = self._cells[index]
        self._cells[index] = Cell(cell.row, cell.column, cell.text, cell.row_span + 1, cell.column_span)
        self._advance(width)
        return True

    def widen(self, width: int) -> None:
        """Let the cell to the left span these columns too (``w:hMerge``, of old writers)."""
        if self._cells and self._cells[-1].row == self._row:
            cell = self._cells[-1]
            self._cells[-1] = Cell(cell.row, cell.column, cell.text, cell.row_span, cell.column_span + width)
        self._advance(width)

    def table(self) -> Table:
        """The grid, with the cells that hold text."""
        cells = tuple(cell for cell in self._cells if cell.text.strip())
        return Table(self._row + 1, self._columns, cells, header_rows=self._header_rows)

    def _advance(self, width: int) -> None:
        self._column += width
        self._columns = max(self._columns, self._column)


def _text_holders(drawing: Element) -> Iterator[Element]:
    """Text boxes and word art of a drawing, grouped shapes included; what is inside a text box is its own story."""
    for child in children(drawing):
        if child.tag in ("w:txbxContent", "v:textpath", "a:txBody"):
            yield child
        else:
            yield from _text_holders(child)


def _wrapped(parent: Element, tag: str) -> Iterator[Element]:
    """Rows or cells, also those inside content controls and insertions."""
    for child in children(parent):
        if child.tag == tag:
            yield child
        elif child.tag in TRANSPARENT or child.tag in ("w:sdt", "w:sdtContent"):
            yield from _wrapped(child, tag)


def _count(properties: Element | None, tag: str, default: int) -> int:
    stated = find(properties, tag)
    return whole(stated.get("w:val") if stated is not None else None, default, low=default, high=_MAX_COLUMNS)
