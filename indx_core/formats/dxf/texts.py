"""Where a single text of a drawing stands: its plain characters and the four corners around them.

Extents are estimated from height, width factor, alignment and the number of wide characters. The fonts of a drawing are
rarely at hand, and a result that depended on the machine's fonts would not be the same everywhere. What is collected
from where is ``collecting``'s business.
"""

import math
import re
import unicodedata
from dataclasses import dataclass, replace
from typing import Any

Corner = tuple[float, float, float]
Corners = tuple[Corner, Corner, Corner, Corner]

# Advance widths in cap heights: the mean of Arial's letters is 0.75, of the stroke font txt.shx 0.9; a full-width
# character is 1.0 in the stroke fonts (extfont2, bigfont) and 1.33 in MS Gothic.
_NARROW = 0.75
_WIDE = 1.2
_DESCENDER = 0.25
"""Depth below the baseline in cap heights."""
_LINE_STEP = 5 / 3
"""Baseline distance of MTEXT in cap heights at line spacing 1 (DXF reference, group 44)."""
# The letters of the font gdt are the signs of ISO 1101; without it a concentricity tolerance would read "r".
_GDT_FONT = re.compile(r"\{?\\Fgdt[^;]*;([a-z])\}?", re.IGNORECASE)
_GDT_SIGNS = dict(zip("abcdefghijklmnprstu", "∠⟂⏥⌓○∥⌭↗⌯⌖⌒ⓁⓂ⌀Ⓟ◎Ⓢ⌰⏤", strict=True))
# `+0.1^-0.2`, one above the other: ezdxf takes `^-` for a control character and loses the sign.
_TOLERANCE_STACK = re.compile(r"\\S([^\\;^]{0,200})\^ ?([^\\;^]{0,200});")
_SPACES = {"\t": " ", "\u00a0": " "}


@dataclass(frozen=True, slots=True)
class Placed:
    """One text of a layout or block.

    Attributes:
        text: Characters as shown, formatting codes resolved, lines separated by line feeds.
        corners: Around it in the coordinates of its layout or block: lower left, lower right, upper right, upper left
            in the text's own direction; ``None`` where no place is known.
        layer: Its layer; ``0`` inside a block stands for the layer of whoever inserts the block.
        hidden: Whether it is not drawn, whatever its layer: an invisible entity or attribute.
        height: Cap height in drawing units.
    """

    text: str
    corners: Corners | None
    layer: str
    hidden: bool
    height: float

    def moved(self, matrix: Any, layer: str, *, hidden: bool) -> "Placed":
        """The same text as an inserted block shows it."""
        corners = self.corners
        if corners is not None:
            a, b, c, d = (tuple(vertex) for vertex in matrix.transform_vertices(corners))
            corners = (a, b, c, d)
        return replace(
            self,
            corners=corners if corners is not None and finite(corners) else None,
            layer=layer if self.layer == "0" else self.layer,
            hidden=self.hidden or hidden,
        )


def finite(corners: Corners) -> bool:
    """Whether every coordinate is a number."""
    return all(math.isfinite(value) for corner in corners for value in corner)


def single_line(entity: Any, text: str | None = None) -> Placed | None:
    """A TEXT, ATTRIB or ATTDEF; ``None`` when it shows nothing.

    Args:
        entity: The ezdxf entity; its coordinates are those of its own plane (OCS).
        text: What is shown in place of its own content.
    """
    shown = tidy(entity.plain_text() if text is None else text)
    if not shown:
        return None
    height = abs(entity.dxf.get("height", 1.0)) or 1.0
    return Placed(shown, _line_corners(entity, shown, height), _layer(entity), invisible(entity), height)


def multi_line(entity: Any, *, layer: str | None = None) -> Placed | None:
    """An MTEXT with its columns; ``None`` when it shows nothing."""
    shown = tidy(plain(entity.all_columns_raw_content()))
    if not shown:
        return None
    dxf = entity.dxf
    columns = entity.columns if entity.has_columns else None
    paragraph = Paragraph(
        insert=tuple(dxf.insert),
        direction=tuple(_direction(entity)),
        normal=tuple(dxf.get("extrusion", (0, 0, 1))),
        height=abs(dxf.get("char_height", 1.0)) or 1.0,
        attachment=dxf.get("attachment_point", 1),
        width=columns.total_width if columns else dxf.get("rect_width") or dxf.get("width") or 0.0,
        known_height=columns.total_height if columns else dxf.get("rect_height") or 0.0,
        spacing=dxf.get("line_spacing_factor", 1.0),
        exact_width=bool(columns) or bool(dxf.get("rect_width")),
    )
    return Placed(shown, paragraph.corners(shown), layer or _layer(entity), invisible(entity), paragraph.height)


@dataclass(frozen=True, slots=True)
class Paragraph:
    """The frame of a text of several lines, in world coordinates.

    Attributes:
        attachment: 1 to 9, row by row from top left: which point of the frame ``insert`` is.
        width: Width of the frame, 0 where lines do not wrap.
        known_height: Height as the CAD program measured it, 0 where it did not say.
        exact_width: Whether ``width`` is that of the text rather than where its lines wrap.
    """

    insert: tuple[float, ...]
    direction: tuple[float, ...]
    normal: tuple[float, ...]
    height: float
    attachment: int = 1
    width: float = 0.0
    known_height: float = 0.0
    spacing: float = 1.0
    exact_width: bool = False

    def corners(self, text: str) -> Corners | None:
        """Corners around ``text`` set in this frame; ``None`` where the frame is no plane or not finite."""
        from ezdxf.math import Vec3

        widths = [line_width(line) * self.height for line in text.split("\n")]
        width = self.width if self.exact_width and self.width else max(widths)
        count = float(len(widths))
        if self.width and not self.exact_width:
            count = sum(max(1, math.ceil(each / self.width)) for each in widths)
            width = min(width, self.width)
        step = self.height * _LINE_STEP * self.spacing
        height = self.known_height or self.height * (1 + _DESCENDER) + (count - 1) * step
        along, normal = Vec3(self.direction), Vec3(self.normal)
        if along.is_null or normal.is_null:
            return None
        along = along.normalize()
        up = normal.cross(along).normalize()
        column, row = (self.attachment - 1) % 3, (self.attachment - 1) // 3
        lower_left = Vec3(self.insert) - along * (width * column / 2) - up * (height * (2 - row) / 2)
        return _rectangle(lower_left, along * width, up * height)


def leader_text(leader: Any) -> Placed | None:
    """The note at a MULTILEADER; ``None`` when it points with a block."""
    mtext = leader.context.mtext
    shown = tidy(plain(mtext.default_content)) if mtext is not None else ""
    if not shown:
        return None
    turn = (math.cos(mtext.rotation), math.sin(mtext.rotation), 0.0)
    direction = tuple(mtext.text_direction) if any(tuple(mtext.text_direction)[1:]) else turn
    height = leader.context.char_height or 1.0
    frame = Paragraph(tuple(mtext.insert), direction, tuple(mtext.extrusion), height, mtext.alignment)
    return Placed(shown, frame.corners(shown), _layer(leader), invisible(leader), height)


def tolerance(entity: Any) -> Placed | None:
    """A feature control frame (TOLERANCE): the fields that hold something, between bars."""
    rows = plain(entity.dxf.get("content", "").replace("%%v", "|")).split("\n")
    shown = tidy("\n".join(" | ".join(part.strip() for part in row.split("|") if part.strip()) for row in rows))
    if not shown:
        return None
    direction, height = tuple(entity.dxf.get("x_axis_vector", (1, 0, 0))), 2.5  # its height is the DIMSTYLE's default
    frame = Paragraph(tuple(entity.dxf.insert), direction, (0, 0, 1), height, attachment=4)
    return Placed(shown, frame.corners(shown), _layer(entity), invisible(entity), height)


def invisible(entity: Any) -> bool:
    """Whether the entity itself says that it is not drawn; its layer may say so too."""
    attribute = entity.dxftype() in {"ATTRIB", "ATTDEF"} and entity.is_invisible
    return bool(entity.dxf.get("invisible", 0)) or bool(attribute)


def line_width(line: str) -> float:
    """Estimated advance width of a line in cap heights."""
    return sum(_WIDE if unicodedata.east_asian_width(character) in "WF" else _NARROW for character in line)


def plain(content: str) -> str:
    r"""MTEXT content without its formatting codes: ``\P`` a line feed, ``\S`` stacks as ``1/2``, ``%%d`` a degree."""
    from ezdxf.tools.text import plain_mtext

    content = _GDT_FONT.sub(lambda sign: _GDT_SIGNS.get(sign.group(1).lower(), sign.group(1)), content)
    text = plain_mtext(_TOLERANCE_STACK.sub(r"\\S\1/\2;", content), tabsize=1)
    return text if isinstance(text, str) else "\n".join(text)


def tidy(text: str) -> str:
    """Text as it goes out: surrogates joined, line ends trimmed, no control characters."""
    text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    text = "".join(_SPACES.get(each, each) if each >= " " or each in "\n\t" else "" for each in text)
    return "\n".join(line.rstrip() for line in text.split("\n")).strip("\n")


def _line_corners(entity: Any, shown: str, height: float) -> Corners | None:
    from ezdxf.math import Vec3

    dxf = entity.dxf
    insert, align = Vec3(dxf.get("insert", (0, 0, 0))), dxf.get("align_point")
    halign, valign = dxf.get("halign", 0), dxf.get("valign", 0)
    width = line_width(shown) * height * abs(dxf.get("width", 1.0) or 1.0)
    angle = math.radians(dxf.get("rotation", 0.0))
    anchor = insert
    if align is not None and halign in (3, 5):  # aligned, fit: the text fills the distance between the two points
        across = Vec3(align) - insert
        width, angle, halign, valign = across.magnitude, across.angle, 0, 0
    elif align is not None and (halign or valign):
        anchor = Vec3(align)
    left = {1: -width / 2, 2: -width, 4: -width / 2}.get(halign, 0.0)
    bottom = {1: 0.0, 2: -(0.5 + _DESCENDER) * height, 3: -(1 + _DESCENDER) * height}.get(valign, -_DESCENDER * height)
    if halign == 4:
        bottom = -(0.5 + _DESCENDER) * height
    flags = dxf.get("text_generation_flag", 0)
    along = Vec3.from_angle(angle) * (-1 if flags & 2 else 1)  # 2: backwards
    up = Vec3.from_angle(angle + math.pi / 2) * (-1 if flags & 4 else 1)  # 4: upside down
    lower_left = anchor + along * left + up * bottom
    corners = _rectangle(lower_left, along * width, up * height * (1 + _DESCENDER))
    ocs = entity.ocs()
    a, b, c, d = (ocs.to_wcs(Vec3(corner)).xyz for corner in corners)
    return (a, b, c, d) if finite((a, b, c, d)) else None


def _rectangle(lower_left: Any, along: Any, up: Any) -> Corners:
    return (lower_left.xyz, (lower_left + along).xyz, (lower_left + along + up).xyz, (lower_left + up).xyz)


def _direction(entity: Any) -> Any:
    from ezdxf.math import Vec3

    stated = entity.dxf.get("text_direction")
    if stated is not None:
        return Vec3(stated)
    return entity.ocs().to_wcs(Vec3.from_deg_angle(entity.dxf.get("rotation", 0.0)))


def _layer(entity: Any) -> str:
    return str(entity.dxf.get("layer", "0"))
