"""A sheet as a page: rows of cells, then what stands beside them; a tab without cells says so."""

from indx_core.contracts.page import PageOutput, PageStatus
from indx_core.formats.office.settings import OfficeSettings
from indx_core.formats.office.sheet.beside import header_blocks, side_blocks
from indx_core.formats.office.sheet.cells import read_cells
from indx_core.formats.office.sheet.grid import lay_out
from indx_core.formats.office.sheet.links import sheet_links
from indx_core.formats.office.sheet.workbook import Sheet, SheetKind, Workbook, open_workbook
from indx_core.kit.ooxml.page_text import PageText
from indx_core.ports.document import OpenDocument

_NO_CELLS = {
    SheetKind.CHART: "this sheet holds a chart rather than cells",
    SheetKind.DIALOG: "this sheet holds a dialog rather than cells",
    SheetKind.MISSING: "the workbook lists this sheet and does not hold it",
}


def read_sheet(document: OpenDocument, number: int) -> PageOutput:
    """Read a sheet.

    Raises:
        IndexError: There is no such sheet.
        PartDamaged: Its part is not well-formed.
        SourceUnreadable: It is no readable workbook, or beyond a limit.
    """
    workbook = open_workbook(document)
    if not 1 <= number <= len(workbook.sheets):
        raise IndexError(number)
    sheet = workbook.sheets[number - 1]
    if sheet.kind is not SheetKind.CELLS or sheet.part is None:
        # Failed, not blank: an empty string would claim that a blank sheet had been read.
        return PageOutput(number, PageStatus.FAILED, reason=_NO_CELLS[sheet.kind])
    return _read_cells(workbook, sheet, sheet.part)


def _read_cells(workbook: Workbook, sheet: Sheet, part: str) -> PageOutput:
    content = read_cells(workbook, part, OfficeSettings.load().max_cells)
    grid = lay_out(content, sheet.name)
    page = PageText()
    page.add_lines("\n".join(grid.lines))
    findings = list(grid.findings)
    for label, text in (
        *side_blocks(workbook, part, findings),
        *header_blocks(content.headers, sheet.name),
    ):
        page.add_block(label, text)
    return PageOutput(
        sheet.number,
        text=page.text,
        lines=page.lines,
        tables=(grid.table,) if grid.table else (),
        findings=tuple(findings),
        links=tuple(sheet_links(workbook.package, part, content)),
    )
