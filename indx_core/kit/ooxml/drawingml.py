"""Text of DrawingML: paragraphs of shapes, grids of tables, words of charts and SmartArt diagrams.

Used for slides, worksheet drawings and Word drawings alike. Positions are in ``frames`` and ``shapes``.
"""

from collections.abc import Iterator

from indx_core.contracts.page import Cell, Table
from indx_core.kit.ooxml.archive import PartDamaged
from indx_core.kit.ooxml.markup import children, descend, is_on, whole
from indx_core.kit.ooxml.math import math_text
from indx_core.kit.ooxml.package import Package
from indx_core.kit.ooxml.xml import Element

_MAX_SPAN = 1000
"""PowerPoint's own largest table has 75 columns; a span beyond this is damage."""

_CHART_STRINGS = frozenset({"c:strCache", "c:strLit", "c:multiLvlStrCache"})


def body_text(body: Element | None, without_field: str = "") -> str:
    """Text of a ``txBody``, a line per paragraph.

    Args:
        body: The text body, if there is one.
        without_field: Type of the fields to leave out.
    """
    if body is None:
        return ""
    return "\n".join(paragraph_text(child, without_field) for child in children(body) if child.tag == "a:p")


def paragraph_text(paragraph: Element, without_field: str = "") -> str:
    """Text of one ``a:p``: runs, results of fields, line breaks, formulas."""
    parts = []
    for child in children(paragraph):
        if child.tag == "a:r" or (child.tag == "a:fld" and child.get("type", "text") != without_field):
            parts.append(child.findtext("a:t") or "")
        elif child.tag == "a:br":
            parts.append("\n")
        elif child.tag in ("a14:m", "m:oMath", "m:oMathPara"):
            parts.append(math_text(child))
    return "".join(parts).replace("\v", "\n").replace("_x000B_", "\n")


def table_grid(element: Element, label: str | None = None) -> Table:
    """The grid of an ``a:tbl``; cells another one spans over are left out."""
    rows = element.findall("a:tr")
    cells = []
    width = 0
    for row_index, row in enumerate(rows):
        columns = row.findall("a:tc")
        width = max(width, len(columns))
        for column_index, cell in enumerate(columns):
            text = body_text(cell.find("a:txBody"))
            if is_on(cell.get("hMerge")) or is_on(cell.get("vMerge")) or not text.strip():
                continue
            row_span = whole(cell.get("rowSpan"), 1, low=1, high=len(rows) - row_index)
            column_span = whole(cell.get("gridSpan"), 1, low=1, high=_MAX_SPAN)
            cells.append(Cell(row_index, column_index, text, row_span, column_span))
    header = int(any(is_on(properties.get("firstRow")) for properties in element.findall("a:tblPr")))
    width = max([width, *(cell.column + cell.column_span for cell in cells)])
    return Table(len(rows), width, tuple(cells), header_rows=min(header, len(rows)), label=label)


def grid_text(table: Table) -> str:
    """A grid as tab-separated rows. Blank cells hold their column; a break inside a cell becomes a space."""
    rows: list[list[str]] = [[] for _ in range(table.rows)]
    for cell in table.cells:
        row = rows[cell.row]
        row.extend([""] * (cell.column - len(row)))
        row.append(one_line(cell.text))
    return "\n".join("\t".join(row) for row in rows if row)


def one_line(text: str) -> str:
    """Text fit for a cell of a tab-separated row."""
    return " ".join(text.split()) if any(sign in text for sign in "\t\n\r\v\f") else text


def graphic_texts(package: Package, part: str, element: Element) -> Iterator[str]:
    """Text of the charts and diagrams that an element refers to, a string each.

    Args:
        package: The package.
        part: The part that ``element`` is in, whose relationships name the charts.
        element: A graphic frame or a drawing.
    """
    relationships = package.relationships(part)
    for reference in descend(element):
        if reference.tag in ("c:chart", "cx:chart"):
            target, read = relationships.target(reference.get("r:id")), chart_text
        elif reference.tag == "dgm:relIds":
            target, read = relationships.target(reference.get("r:dm")), diagram_text
        else:
            continue
        if target and package.has(target) and (text := read(package, target)):
            yield text


def chart_text(package: Package, part: str) -> str:
    """Words of a chart: titles, series and category names, text drawn over it; each once, a line each.

    Numbers are left out: a chart draws them as marks, not as text.
    """
    try:
        lines = list(_chart_lines(package.xml(part)))
        for overlay in package.relationships(part).of_type("chartUserShapes"):
            lines.extend(paragraph_text(p) for p in package.xml(overlay).iter("a:p"))
    except PartDamaged:
        return ""
    return "\n".join(dict.fromkeys(line for line in lines if line.strip()))


def diagram_text(package: Package, part: str) -> str:
    """Words of a SmartArt diagram, out of its data part: the drawn form repeats them."""
    try:
        points = list(package.xml(part).iter("dgm:pt"))
    except PartDamaged:
        return ""
    texts = (body_text(point.find("dgm:t")) for point in points)
    return "\n".join(text for text in texts if text.strip())


def _chart_lines(root: Element) -> Iterator[str]:
    for element in root.iter():
        if element.tag == "a:p":
            yield paragraph_text(element)
        elif element.tag in _CHART_STRINGS:
            yield from (value.text or "" for value in element.iter("c:v"))
        elif element.tag == "c:tx" and (literal := element.findtext("c:v")):
            yield literal
        elif element.tag == "cx:txData":
            yield element.findtext("cx:v") or ""
        elif element.tag == "cx:strDim":
            yield from (value.text or "" for value in element.iter("cx:pt"))
