"""Characters of an open text page by their index into the page's text. What lines they form is in ``lines``.

PDFium counts characters of its list, its text counts UTF-16 units, and Python counts code points; characters that
PDFium keeps out of the text set the first two apart, and anything beyond U+FFFF the last two.
"""

from typing import Any

import numpy as np  # noqa: TID253 - only imported where a PDF is open
import pypdfium2.raw as pdfium_c
from numpy.typing import NDArray  # noqa: TID253 - as above

from indx_core.formats.pdf import native
from indx_core.formats.pdf.frame import Frame
from indx_core.formats.pdf.native import RawText


class Characters:
    """Boxes and properties of characters, asked for by position in the page's text."""

    def __init__(self, textpage: Any, raw: RawText, frame: Frame) -> None:
        self._textpage = textpage
        self._frame = frame
        self._units: NDArray[np.int64] | None = None
        if raw.units != len(raw.text):
            widths = np.asarray([1 + (char > "\uffff") for char in raw.text])
            self._units = np.cumsum(widths) - widths
        self._same = pdfium_c.FPDFText_CountChars(textpage) == raw.units

    def indexes(self, positions: NDArray[np.int64]) -> list[int]:
        """PDFium's character indexes of positions in the text."""
        units: list[int] = (positions if self._units is None else self._units[positions]).tolist()
        return units if self._same else native.char_indexes(self._textpage, units)

    def index(self, position: int) -> int:
        """The same for one position."""
        return self.indexes(np.asarray([position]))[0]

    def boxes(self, positions: NDArray[np.int64]) -> NDArray[np.float64]:
        """Displayed boxes, one row a position; NaN where there is none."""
        return self._frame.displayed(native.loose_boxes(self._textpage, self.indexes(positions)))

    def generated(self, position: int) -> bool:
        """Whether PDFium put the character there: a space where glyphs stand apart."""
        return bool(pdfium_c.FPDFText_IsGenerated(self._textpage, self.index(position)) == 1)

    def hyphens(self, positions: list[int]) -> list[bool]:
        """Whether each is a hyphen at which PDFium ran two visual lines together."""
        return native.line_hyphens(self._textpage, self.indexes(np.asarray(positions, dtype=np.int64)))

    def upright_origin(self, position: int) -> float | None:
        """Displayed x of the point an upright character is drawn from; ``None`` for a turned one."""
        import ctypes

        index = self.index(position)
        if self._frame.rotation or pdfium_c.FPDFText_GetCharAngle(self._textpage, index) != 0:
            return None
        x, y = ctypes.c_double(), ctypes.c_double()
        pdfium_c.FPDFText_GetCharOrigin(self._textpage, index, ctypes.byref(x), ctypes.byref(y))
        return x.value - self._frame.left
