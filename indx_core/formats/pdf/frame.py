"""The page as displayed: from PDF page units to points, origin top left, crop box and rotation applied.

Pure geometry. ``/UserUnit`` scales the page and everything on it alike, so it does not move a normalised box.
"""

import ctypes
from dataclasses import dataclass
from typing import Any

import numpy as np  # noqa: TID253 - only imported where a PDF is open
import pypdfium2.raw as pdfium_c
from numpy.typing import NDArray  # noqa: TID253 - as above

PLACES = 5
"""Decimals of a normalised coordinate: a hundredth of a point on A4, and the same bytes on every run."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The visible rectangle of a page in page units (origin bottom left) and its clockwise rotation in degrees."""

    left: float
    bottom: float
    right: float
    top: float
    rotation: int = 0

    @property
    def size(self) -> tuple[float, float]:
        """Width and height as displayed."""
        width, height = self.right - self.left, self.top - self.bottom
        return (height, width) if self.rotation in (90, 270) else (width, height)

    def displayed(self, boxes: NDArray[np.float64]) -> NDArray[np.float64]:
        """Boxes as displayed.

        Args:
            boxes: Rows of left, top, right, bottom in page units; corners may be swapped.

        Returns:
            Rows of x0, y0, x1, y1 in displayed points, y downwards, ordered; not clipped.
        """
        left, top, right, bottom = boxes.T
        match self.rotation:
            case 90:
                x, x_end, y, y_end = top - self.bottom, bottom - self.bottom, left - self.left, right - self.left
            case 180:
                x, x_end, y, y_end = self.right - right, self.right - left, bottom - self.bottom, top - self.bottom
            case 270:
                x, x_end, y, y_end = self.top - top, self.top - bottom, self.right - right, self.right - left
            case _:
                x, x_end, y, y_end = left - self.left, right - self.left, self.top - top, self.top - bottom
        displayed = np.empty_like(boxes)
        np.minimum(x, x_end, out=displayed[:, 0])
        np.minimum(y, y_end, out=displayed[:, 1])
        np.maximum(x, x_end, out=displayed[:, 2])
        np.maximum(y, y_end, out=displayed[:, 3])
        return displayed

    def normalised(self, boxes: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Displayed boxes in 0-1, clipped to the page; NaN where a box lies outside of it, is flat or is unknown.

        Returns:
            The boxes, and whether each lay wholly outside of the page as displayed, such as a printer's slug line.
        """
        width, height = self.size
        scaled = boxes / (width, height, width, height)
        clipped = np.minimum(np.maximum(scaled, 0.0, out=scaled), 1.0, out=scaled).round(PLACES)
        good = (clipped[:, 0] < clipped[:, 2]) & (clipped[:, 1] < clipped[:, 3])
        if good.all():
            return clipped, ~good
        clipped[~good] = np.nan
        return clipped, (boxes[:, 2] <= 0) | (boxes[:, 3] <= 0) | (boxes[:, 0] >= width) | (boxes[:, 1] >= height)


def page_frame(page: Any) -> Frame:
    """The frame of a loaded page: crop box within media box, and ``/Rotate``."""
    rectangle = pdfium_c.FS_RECTF()
    pdfium_c.FPDF_GetPageBoundingBox(page, ctypes.byref(rectangle))
    rotation = 90 * pdfium_c.FPDFPage_GetRotation(page)
    return Frame(rectangle.left, rectangle.bottom, rectangle.right, rectangle.top, rotation)
