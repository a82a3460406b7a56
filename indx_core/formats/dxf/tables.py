"""ACAD_TABLE as a grid: the cells' text beside the drawn table. Where the cells stand is ``collecting``'s business."""

from typing import Any

from indx_core.contracts.page import Cell, Table
from indx_core.formats.dxf.texts import plain, tidy


def table_of(entity: Any) -> Table | None:
    """The table's cells with text, row by row; ``None`` when it holds none. Merged cells are not resolved."""
    from ezdxf.entities.acad_table import read_acad_table_content

    rows = read_acad_table_content(entity)
    cells = tuple(
        Cell(row, column, text)
        for row, values in enumerate(rows)
        for column, value in enumerate(values)
        if (text := tidy(plain(value)))
    )
    return Table(len(rows), max(map(len, rows)), cells) if cells else None
