"""Cuts text lines out of a page image and turns images by quarters. Only imported by functions that recognise."""

import cv2  # noqa: TID253 - see the docstring
import numpy as np  # noqa: TID253 - as above

from indx_core.engines.ocr_rapid.engine import Pixels
from indx_core.kit.geometry.boxes import Quad, edges, turn


def cut(image: Pixels, quad: Quad) -> Pixels:
    """The line within four corners, levelled: as wide and as high as the quadrilateral's edges, at least 1 x 1."""
    width, height = (max(1, round(edge)) for edge in edges(quad))
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32)
    matrix = cv2.getPerspectiveTransform(np.array(quad, dtype=np.float32), target)
    line = cv2.warpPerspective(image, matrix, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(line, dtype=np.uint8)


def turned(image: Pixels, quarters: int) -> Pixels:
    """The image turned clockwise by quarter turns."""
    return np.ascontiguousarray(np.rot90(image, -quarters))


def turned_quad(quad: Quad, quarters: int, width: float, height: float) -> Quad:
    """A line's corners on the page turned clockwise: the corner that becomes the top left comes first again.

    Args:
        quad: On a page of ``width`` x ``height``, before the turn.
        quarters: Quarter turns clockwise.
        width: Page width before the turn.
        height: Page height before the turn.
    """
    points = [turn(point, quarters, width, height) for point in quad]
    first = -quarters % 4
    a, b, c, d = points[first:] + points[:first]
    return a, b, c, d
