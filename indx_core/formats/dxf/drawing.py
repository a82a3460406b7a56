"""The one page enumerator of drawings: layouts in tab order, each with its texts located on the page.

The model space is page 1, each paper space follows as its tab does. A page is the rectangle around everything drawn on
the layout, text included, and around the sheet of a paper space: what a CAD program shows on "zoom extents". Boxes are
0-1 of it with the origin at the top left, so the y axis of the drawing is turned over. Observer and reader share what
is computed here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from indx_core.contracts.page import Box, BoxReason, Table
from indx_core.formats.dxf.collecting import Collector, Content
from indx_core.formats.dxf.encoding import Findings
from indx_core.formats.dxf.loading import load, typed_errors
from indx_core.formats.dxf.settings import DxfSettings
from indx_core.formats.dxf.texts import Placed
from indx_core.ports.document import OpenDocument

_DIGITS = 6
"""Decimals of a box: a millionth of the page, so that results are the same on every machine."""


@dataclass(frozen=True, slots=True)
class Located:
    """A text on its page; exactly one of ``box`` and ``reason`` is set."""

    text: str
    box: Box | None
    reason: BoxReason | None


@dataclass(frozen=True, slots=True)
class Layout:
    """One page.

    Attributes:
        name: As on its tab.
        texts: In reading order: top to bottom, left to right within a row.
        drawn: Whether the layout shows anything but text.
        tables: Grids of its table entities.
    """

    name: str
    texts: tuple[Located, ...]
    drawn: bool
    tables: tuple[Table, ...]


@dataclass(frozen=True, slots=True)
class Drawing:
    """A whole drawing.

    Attributes:
        layouts: Pages in tab order.
        findings: What was repaired, left out or decoded otherwise than declared; ``(code, message)`` pairs.
        properties: What the drawing declares of itself.
    """

    layouts: tuple[Layout, ...]
    findings: tuple[tuple[str, str], ...]
    properties: dict[str, str]


def opened(document: OpenDocument) -> Drawing:
    """The drawing behind a document, parsed once.

    Raises:
        SourceUnreadable: It is no DXF, damaged beyond recovery, or beyond ``INDX_DXF_MAX_ENTITIES``.
    """
    with typed_errors():
        return document.once("dxf.drawing", lambda: _read(document.data))


def _read(data: bytes) -> Drawing:
    settings = DxfSettings.load()
    findings: Findings = []
    drawing = load(data, settings.max_entities, findings)
    collector = Collector(drawing, settings.max_texts, findings)
    layouts = []
    for name in drawing.layout_names_in_taborder():
        content = collector.collect(drawing.layout(name))
        if name != "Model" and drawing.dxfversion <= "AC1009" and not content.texts and not content.drawn:
            continue  # R12 has no tabs: an unused paper space is nothing a CAD program shows
        _add_sheet(content, drawing.layout(name))
        layouts.append(_layout(name, content, collector))
    return Drawing(tuple(layouts), tuple(dict.fromkeys(findings)), _properties(drawing))


def _add_sheet(content: Content, layout: Any) -> None:
    """A paper space reaches at least as far as its sheet; unset limits are stored as 1e20 the wrong way round."""
    low, high = layout.dxf.get("limmin"), layout.dxf.get("limmax")
    if layout.is_any_paperspace and low is not None and high is not None and low[0] < high[0] and low[1] < high[1]:
        content.box.extend([(low[0], low[1], 0), (high[0], high[1], 0)])


def _layout(name: str, content: Content, collector: Collector) -> Layout:
    visible = [text for text in content.texts if not collector.hidden(text)]
    page = _page(content, visible)
    located = [(text, _locate(text, page, hidden=collector.hidden(text))) for text in _in_reading_order(content.texts)]
    return Layout(name, tuple(placed for _, placed in located), content.drawn, tuple(content.tables))


def _page(content: Content, visible: Sequence[Placed]) -> tuple[float, float, float, float] | None:
    """Left, bottom, right, top of the page in drawing units; ``None`` when nothing has a place."""
    from ezdxf.math import BoundingBox

    box = BoundingBox(content.box.cube_vertices() if content.box.has_data else ())
    for text in visible:
        if text.corners is not None:
            box.extend(text.corners)
    if not box.has_data:
        return None
    low, high = box.extmin, box.extmax
    return low.x, low.y, high.x, high.y


def _locate(text: Placed, page: tuple[float, float, float, float] | None, *, hidden: bool) -> Located:
    if hidden:
        return Located(text.text, None, BoxReason.HIDDEN)
    if text.corners is None or page is None:
        return Located(text.text, None, BoxReason.UNRESOLVED)
    left, bottom, right, top = page
    width, height = right - left, top - bottom
    if width <= 0 or height <= 0:
        return Located(text.text, None, BoxReason.UNRESOLVED)
    xs = [(corner[0] - left) / width for corner in text.corners]
    ys = [(top - corner[1]) / height for corner in text.corners]
    return Located(text.text, Box(*(_share(value) for value in (min(xs), min(ys), max(xs), max(ys)))), None)


def _share(value: float) -> float:
    return round(min(max(value, 0.0), 1.0), _DIGITS)


def _in_reading_order(texts: Sequence[Placed]) -> list[Placed]:
    """Rows from the top, each from the left; two texts share a row when their middles are half a text height apart.

    Texts without a place follow in the order the drawing lists them.
    """
    placed = [(_middle(text), text) for text in texts if text.corners is not None]
    if not placed:
        return list(texts)
    tolerance = median(text.height for _, text in placed) / 2
    placed.sort(key=lambda entry: (-entry[0][1], entry[0][0]))
    rows: list[list[tuple[tuple[float, float], Placed]]] = []
    for entry in placed:
        if rows and rows[-1][0][0][1] - entry[0][1] <= tolerance:
            rows[-1].append(entry)
        else:
            rows.append([entry])
    ordered = [text for row in rows for _, text in sorted(row, key=lambda entry: entry[0][0])]
    return ordered + [text for text in texts if text.corners is None]


def _middle(text: Placed) -> tuple[float, float]:
    """Left edge and the height of the first line's middle: where the eye enters the text."""
    assert text.corners is not None
    top = max(corner[1] for corner in text.corners)
    return min(corner[0] for corner in text.corners), top - text.height / 2


def _properties(drawing: Any) -> dict[str, str]:
    stated = {"dxf_version": drawing.dxfversion, "units": str(drawing.header.get("$INSUNITS", ""))}
    custom = {str(tag): str(value) for tag, value in getattr(drawing.header, "custom_vars", ())}
    return {key: value for key, value in {**custom, **stated}.items() if value}
