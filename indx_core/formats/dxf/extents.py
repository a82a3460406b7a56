"""How far the entities of a drawing reach: the rectangle that becomes the page.

A bounding box per entity from its defining points, in world coordinates. Text is not measured here, and neither is what
has no end (rays). A viewport counts by its frame: what it shows is the model space, which is a page of its own.
"""

from collections.abc import Callable, Iterable
from typing import Any

_NO_GEOMETRY = {"VIEWPORT", "TEXT", "MTEXT", "ATTRIB", "ATTDEF", "SEQEND", "ACAD_PROXY_OBJECT"}
_MAX_POINTS = 50_000


def is_geometry(entity: Any) -> bool:
    """Whether the entity draws something that is not text."""
    return entity.dxftype() not in _NO_GEOMETRY


def points(entity: Any) -> list[Any]:
    """Points (``Vec3``, world coordinates) whose bounding box covers the entity; empty for a kind not known here."""
    measure = _MEASURES.get(entity.dxftype())
    if measure is None:
        return []
    found = []
    for point in measure(entity):
        found.append(point)
        if len(found) >= _MAX_POINTS:
            break
    return found


def _viewport(entity: Any) -> Iterable[Any]:
    from ezdxf.math import Vec3

    if entity.dxf.get("id", 0) == 1:  # the paper space itself
        return ()
    half = Vec3(entity.dxf.width / 2, entity.dxf.height / 2)
    return (Vec3(entity.dxf.center) - half, Vec3(entity.dxf.center) + half)


def _ends(entity: Any) -> Iterable[Any]:
    return (entity.dxf.start, entity.dxf.end)


def _location(entity: Any) -> Iterable[Any]:
    return (entity.dxf.location,)


def _circle(entity: Any) -> Iterable[Any]:
    from ezdxf.math import Vec3

    centre, radius = Vec3(entity.dxf.center), entity.dxf.radius
    ocs = entity.ocs()
    return [ocs.to_wcs(centre + Vec3(x * radius, y * radius)) for x in (-1, 1) for y in (-1, 1)]


def _curve(entity: Any) -> Iterable[Any]:
    reach = entity.dxf.radius if entity.dxftype() == "ARC" else entity.dxf.major_axis.magnitude
    if reach > 0:
        yield from entity.flattening(reach * 0.02)


def _spline(entity: Any) -> Iterable[Any]:
    yield from entity.control_points if len(entity.control_points) else entity.fit_points


def _light_polyline(entity: Any) -> Iterable[Any]:
    yield from entity.vertices_in_wcs()


def _polyline(entity: Any) -> Iterable[Any]:
    yield from entity.points_in_wcs()


def _filled(entity: Any) -> Iterable[Any]:
    yield from entity.wcs_vertices()


def _hatch(entity: Any) -> Iterable[Any]:
    from ezdxf.math import Vec3

    ocs = entity.ocs()
    elevation = Vec3(entity.dxf.get("elevation", (0, 0, 0))).z
    for path in entity.paths:
        flat = [vertex[:2] for vertex in getattr(path, "vertices", ())]
        for edge in getattr(path, "edges", ()):
            flat += [tuple(edge.start_point)[:2], tuple(edge.end_point)[:2]]
        yield from (ocs.to_wcs(Vec3(x, y, elevation)) for x, y in flat)


def _image(entity: Any) -> Iterable[Any]:
    yield from entity.boundary_path_wcs()


def _vertices(entity: Any) -> Iterable[Any]:
    from ezdxf.math import Vec3

    return (Vec3(vertex) for vertex in entity.vertices)


def _multi_line(entity: Any) -> Iterable[Any]:
    return (vertex.location for vertex in entity.vertices)


_MEASURES: dict[str, Callable[[Any], Iterable[Any]]] = {
    "LINE": _ends,
    "POINT": _location,
    "CIRCLE": _circle,
    "ARC": _curve,
    "ELLIPSE": _curve,
    "SPLINE": _spline,
    "LWPOLYLINE": _light_polyline,
    "POLYLINE": _polyline,
    "SOLID": _filled,
    "TRACE": _filled,
    "3DFACE": _filled,
    "HATCH": _hatch,
    "MPOLYGON": _hatch,
    "IMAGE": _image,
    "WIPEOUT": _image,
    "LEADER": _vertices,
    "MESH": _vertices,
    "MLINE": _multi_line,
    "VIEWPORT": _viewport,
}
