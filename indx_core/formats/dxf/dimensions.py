"""What a dimension says where the drawing holds no rendered text for it.

Follows the DXF reference: group 1 of DIMENSION is the text, ``<>`` in it stands for the measurement, a single blank
suppresses it; the DIMSTYLE variables say how the number is written. Fractional and architectural units are written
decimal. Where the text stands is ``collecting``'s business.
"""

import math
from typing import Any

from indx_core.formats.dxf.texts import plain

_RADIUS, _DIAMETER, _ANGULAR, _ORDINATE = 4, 3, {2, 5}, 6
_ORDINATE_X = 64
"""Bit of the dimension type: the ordinate along x rather than y."""


def wording(dimension: Any) -> str:
    """The text a CAD program would show: the override with its placeholder filled in, else the measurement."""
    stated = dimension.dxf.get("text", "")
    if stated.isspace():
        return ""
    if stated and "<>" not in stated:
        return plain(stated)
    return plain((stated or "<>").replace("<>", _measurement(dimension)))


def _measurement(dimension: Any) -> str:
    from ezdxf.render.dim_base import format_text

    style = dimension.override()
    value = dimension.get_measurement()
    kind = dimension.dimtype
    if kind == _ORDINATE:
        value = value.x if dimension.dxf.dimtype & _ORDINATE_X else value.y
    if not math.isfinite(float(value)):
        return ""
    angular = kind in _ANGULAR
    number = format_text(
        float(value) if angular else float(value) * style.get("dimlfac", 1.0),
        style.get("dimrnd", None) or None,
        style.get("dimadec", 0) if angular else style.get("dimdec", 2),
        style.get("dimzin", 8),
        "," if style.get("dimdsep", 46) == ord(",") else ".",
    )
    if angular:
        return f"{number}°"
    post = style.get("dimpost", "") or "<>"
    if post != "<>":
        return str(post.replace("<>", number) if "<>" in post else number + post)
    return {_RADIUS: "R", _DIAMETER: "Ø"}.get(kind, "") + number
