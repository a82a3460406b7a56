"""What the layouts and blocks of a drawing hold: texts with their corners, extents, and whether anything is drawn.

A block is collected once and moved for each of its insertions, so repetition costs a matrix product and no parsing. All
loops are bounded: a block that inserts itself, a grid of a million copies and a chain of blocks that doubles at every
step end with a finding. How one text is measured is in ``texts``, how a dimension is worded in ``dimensions``.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from indx_core.contracts.page import Table
from indx_core.formats.dxf.dimensions import wording
from indx_core.formats.dxf.encoding import Findings
from indx_core.formats.dxf.extents import is_geometry, points
from indx_core.formats.dxf.tables import table_of
from indx_core.formats.dxf.texts import (
    Paragraph,
    Placed,
    invisible,
    leader_text,
    multi_line,
    single_line,
    tidy,
    tolerance,
)

MAX_DEPTH = 50
"""Blocks inside blocks; real drawings stay below 10."""
MAX_COPIES = 1_000
"""Copies of one gridded insertion whose texts are read."""


@dataclass(slots=True)
class Content:
    """What a layout or block shows, in its own coordinates.

    Attributes:
        texts: In the order the drawing lists them.
        box: ``ezdxf.math.BoundingBox`` of what is drawn, text left out.
        drawn: Whether anything but text is drawn.
        tables: Grids of its table entities.
    """

    box: Any
    texts: list[Placed] = field(default_factory=list)
    drawn: bool = False
    tables: list[Table] = field(default_factory=list)


class Collector:
    """Collects from one drawing; keeps its blocks."""

    def __init__(self, drawing: Any, max_texts: int, findings: Findings) -> None:
        self.drawing = drawing
        self.max_texts = max_texts
        self.findings = findings
        self._blocks: dict[str, Content] = {}
        self._open: list[str] = []
        self._placings_left = max_texts * 10
        self._frozen = {name for name, layer in self._layers() if layer.is_frozen()}
        self._off = {name for name, layer in self._layers() if layer.is_off()}

    def collect(self, entities: Any) -> Content:
        """Everything that these entities show. One that breaks costs itself alone."""
        from ezdxf.math import BoundingBox

        content = Content(BoundingBox())
        skipped = 0
        for entity in entities:
            try:
                self._add(content, entity)
            except (MemoryError, RecursionError):
                raise
            except Exception:  # noqa: BLE001 - ezdxf's entities raise what their broken data provokes
                skipped += 1
        if skipped:
            self.findings.append(("entities_skipped", "some entities are damaged and were left out"))
        if len(content.texts) > self.max_texts:
            del content.texts[self.max_texts :]
            self.findings.append(("texts_left_out", f"more than {self.max_texts:,} texts; the rest was left out"))
        return content

    def hidden(self, text: Placed) -> bool:
        """Whether the text is not drawn: by itself, or as its layer is frozen or off."""
        layer = text.layer.lower()
        return text.hidden or layer in self._frozen or layer in self._off

    def _layers(self) -> list[tuple[str, Any]]:
        return [(layer.dxf.name.lower(), layer) for layer in self.drawing.layers]

    def _add(self, content: Content, entity: Any) -> None:
        show = _SHOWN.get(entity.dxftype())
        if show is not None:
            show(self, content, entity)
        content.drawn = content.drawn or is_geometry(entity)
        if not invisible(entity):
            content.box.extend(points(entity))

    def add_line(self, content: Content, entity: Any) -> None:
        _append(content, single_line(entity))

    def add_paragraph(self, content: Content, entity: Any) -> None:
        _append(content, multi_line(entity))

    def add_tolerance(self, content: Content, entity: Any) -> None:
        _append(content, tolerance(entity))

    def add_proxy(self, content: Content, entity: Any) -> None:
        """What an add-on's entity looks like without the add-on."""
        self._merge(content, self.collect(islice(entity.virtual_entities(), self.max_texts)), None, entity)

    def add_definition(self, content: Content, entity: Any) -> None:
        """An ATTDEF shows its tag in a layout. In an inserted block only a constant one shows, and shows its value."""
        if not self._open:
            _append(content, single_line(entity, entity.dxf.get("tag", "")))
        elif entity.is_const:
            _append(content, single_line(entity))

    def add_insert(self, content: Content, insert: Any) -> None:
        for attribute in insert.attribs:
            multi = attribute.virtual_mtext_entity() if attribute.has_embedded_mtext_entity else None
            _append(content, multi_line(multi, layer=attribute.dxf.layer) if multi else single_line(attribute))
        block = self._block(insert.dxf.name)
        if block is None:
            return
        matrix = insert.matrix44()
        for offset in self._offsets(insert, block):
            moved = matrix.copy()
            moved.set_row(3, [a + b for a, b in zip(matrix.get_row(3)[:3], offset, strict=True)])
            self._merge(content, block, moved, insert)

    def _offsets(self, insert: Any, block: Content) -> list[tuple[float, float, float]]:
        """Displacements of a gridded insertion, in world coordinates. Without text only the corners matter."""
        from ezdxf.math import Vec3

        dxf = insert.dxf
        rows = max(dxf.row_count, 1) if dxf.row_spacing else 1
        columns = max(dxf.column_count, 1) if dxf.column_spacing else 1
        if rows * columns == 1:
            return [(0.0, 0.0, 0.0)]
        places = ((row, column) for row in range(rows) for column in range(columns))
        corners = sorted({(row, column) for row in (0, rows - 1) for column in (0, columns - 1)})
        if not block.texts:
            chosen = corners
        else:
            chosen = list(dict.fromkeys([*islice(places, MAX_COPIES), *corners]))
            if rows * columns > MAX_COPIES:
                self.findings.append(
                    ("copies_left_out", f"a block repeated {rows * columns:,} times; {MAX_COPIES:,} copies were read")
                )
        ocs = insert.ocs()
        steps = (Vec3(column * dxf.column_spacing, row * dxf.row_spacing) for row, column in chosen)
        return [tuple(ocs.to_wcs(step.rotate_deg(dxf.rotation))) for step in steps]

    def _block(self, name: str) -> Content | None:
        """A block's content, collected on first use; ``None`` where there is no such block or it holds itself."""
        key = name.lower()
        if key in self._blocks:
            return self._blocks[key]
        if key in self._open or len(self._open) >= MAX_DEPTH:
            self.findings.append(
                ("block_recursion", f"a block holds itself, or more than {MAX_DEPTH} levels of blocks")
            )
            return None
        block = self.drawing.blocks.get(name)
        if block is None:
            self.findings.append(("block_missing", "an insertion names a block the drawing does not hold"))
            return None
        if block.block.is_xref:
            self.findings.append(("external_reference", "the drawing shows another file, which was not opened"))
        self._open.append(key)
        try:
            self._blocks[key] = self.collect(block)
        finally:
            self._open.pop()
        return self._blocks[key]

    def _merge(self, content: Content, block: Content, matrix: Any, entity: Any) -> None:
        """Add a block's content as ``entity`` shows it: moved, on its layer where the block leaves that open."""
        from ezdxf.math import Matrix44

        layer = str(entity.dxf.get("layer", "0"))
        hidden = invisible(entity) or layer.lower() in self._frozen
        matrix = matrix if matrix is not None else Matrix44()
        content.drawn = content.drawn or block.drawn
        if block.box.has_data and not hidden:
            content.box.extend(matrix.transform_vertices(block.box.cube_vertices()))
        for text in block.texts:
            if self._placings_left <= 0 or len(content.texts) > self.max_texts:
                self.findings.append(("texts_left_out", "repeated blocks show more texts than are read"))
                return
            self._placings_left -= 1
            content.texts.append(text.moved(matrix, layer, hidden=hidden))

    def add_dimension(self, content: Content, dimension: Any) -> None:
        """The text as the CAD program rendered it, out of the dimension's own block; worded here where it has none."""
        from ezdxf.math import Matrix44, Vec3

        name = dimension.dxf.get("geometry")
        block = self._block(name) if name and name in self.drawing.blocks else None
        if block is not None:
            self._merge(content, block, Matrix44.translate(*Vec3(dimension.dxf.get("insert", (0, 0, 0)))), dimension)
            if block.texts:
                return
        if shown := tidy(wording(dimension)):
            height = dimension.override().get("dimtxt", 2.5) * (dimension.override().get("dimscale", 1.0) or 1.0)
            middle = dimension.dxf.get("text_midpoint")
            frame = Paragraph(tuple(middle), (1, 0, 0), (0, 0, 1), height, attachment=5) if middle is not None else None
            layer = str(dimension.dxf.get("layer", "0"))
            content.texts.append(
                Placed(shown, frame.corners(shown) if frame else None, layer, invisible(dimension), height)
            )

    def add_table(self, content: Content, table: Any) -> None:
        """Cells where the table's own block draws them; without one, the cells without a place."""
        from ezdxf.math import Matrix44, Vec3

        grid = table_of(table)
        if grid is not None:
            content.tables.append(grid)
        name = table.dxf.get("geometry")
        block = self._block(name) if name and name in self.drawing.blocks else None
        if block is not None and block.texts:
            self._merge(content, block, Matrix44.translate(*Vec3(table.dxf.get("insert", (0, 0, 0)))), table)
        elif grid is not None:
            layer = str(table.dxf.get("layer", "0"))
            content.texts += [Placed(cell.text, None, layer, invisible(table), 1.0) for cell in grid.cells]

    def add_leader(self, content: Content, leader: Any) -> None:
        _append(content, leader_text(leader))
        if leader.context.block is not None:
            self._add_leader_block(content, leader)

    def _add_leader_block(self, content: Content, leader: Any) -> None:
        """A leader that points with a block: the block's texts, and the values of its attributes where they stand."""
        block, entities = leader.context.block, self.drawing.entitydb
        record = entities.get(block.block_record_handle)
        name = record.dxf.name if record is not None else ""
        if name in self.drawing.blocks and (shown := self._block(name)) is not None:
            self._merge(content, shown, block.matrix44, leader)
        for value in leader.block_attribs:
            definition = entities.get(value.handle)
            placed = single_line(definition, value.text) if definition is not None else None
            if placed is not None:
                layer = str(leader.dxf.get("layer", "0"))
                content.texts.append(placed.moved(block.matrix44, layer, hidden=invisible(leader)))


def _append(content: Content, placed: Placed | None) -> None:
    if placed is not None:
        content.texts.append(placed)


_SHOWN: dict[str, Callable[[Collector, Content, Any], None]] = {
    "TEXT": Collector.add_line,
    "MTEXT": Collector.add_paragraph,
    "ATTDEF": Collector.add_definition,
    "INSERT": Collector.add_insert,
    "DIMENSION": Collector.add_dimension,
    "ARC_DIMENSION": Collector.add_dimension,
    "LARGE_RADIAL_DIMENSION": Collector.add_dimension,
    "ACAD_TABLE": Collector.add_table,
    "MULTILEADER": Collector.add_leader,
    "MLEADER": Collector.add_leader,
    "TOLERANCE": Collector.add_tolerance,
    "ACAD_PROXY_ENTITY": Collector.add_proxy,
}
