"""Links of a worksheet that leave the workbook: of its cells, of formulas, of what is drawn over it. Reads no cell."""

from collections.abc import Iterator
from contextlib import suppress

from indx_core.contracts.page import Link
from indx_core.formats.office.sheet.cells import SheetContent
from indx_core.kit.ooxml.archive import PartDamaged
from indx_core.kit.ooxml.links import drawn_links
from indx_core.kit.ooxml.package import Package


def sheet_links(package: Package, part: str, content: SheetContent) -> Iterator[Link]:
    """The links, cells first. The words of a cell's link are what the cell shows, or else what is shown over it."""
    relationships = package.relationships(part)
    for area, relationship_id, shown in content.links:
        if address := relationships.address(relationship_id):
            yield Link(address, (content.rows.get(area.top, {}).get(area.left) or shown).strip())
    yield from content.formula_links
    for drawing in relationships.of_type("drawing"):
        if package.has(drawing):
            with suppress(PartDamaged):  # which is a finding of its text already
                yield from drawn_links(package.xml(drawing), package.relationships(drawing))
