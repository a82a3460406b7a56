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
        x = boxes[:, (0, 2)]
        y = boxes[:, (1, 3)]
        match self.rotation:
            case 90:
                x, y = y - self.bottom, x - self.left
            case 180:
                x, y = self.right - x, y - self.bottom
            case 270:
                x, y = self.top - y, self.right - x
            case _:
                x, y = x - self.left, self.top - y
        return np.column_stack((x.min(1), y.min(1), x.max(1), y.max(1)))

    def normalised(self, boxes: NDArray[np.float64]) -> NDArray[np.float64]:
        """Displayed boxes in 0-1, clipped to the page; NaN where a box lies outside of it, is flat or is unknown."""
        width, height = self.size
        scaled = boxes / (width, height, width, height)
        clipped = np.clip(scaled, 0.0, 1.0).round(PLACES)
        with np.errstate(invalid="ignore"):
            good = (clipped[:, 0] < clipped[:, 2]) & (clipped[:, 1] < clipped[:, 3])
        return np.where(good[:, None], clipped, np.nan)

    def outside(self, boxes: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Whether each displayed box lies wholly outside of the page as displayed, such as a printer's slug line."""
        width, height = self.size
        with np.errstate(invalid="ignore"):
            return np.asarray(
                (boxes[:, 2] <= 0) | (boxes[:, 3] <= 0) | (boxes[:, 0] >= width) | (boxes[:, 1] >= height)
            )


def page_frame(page: Any) -> Frame:
    """The frame of a loaded page: crop box within media box, and ``/Rotate``."""
    rectangle = pdfium_c.FS_RECTF()
    pdfium_c.FPDF_GetPageBoundingBox(page, ctypes.byref(rectangle))
    rotation = 90 * pdfium_c.FPDFPage_GetRotation(page)
    return Frame(rectangle.left, rectangle.bottom, rectangle.right, rectangle.top, rotation)
