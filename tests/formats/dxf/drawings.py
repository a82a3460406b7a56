"""Builds small drawings with ezdxf for the tests of this folder."""

import io
from collections.abc import Callable
from typing import Any

from indx_core.contracts.page import PageOutput
from indx_core.formats.dxf.loading import library
from indx_core.formats.dxf.reader import DxfReader
from indx_core.ports.document import OpenDocument


def built(fill: Callable[[Any], object], version: str = "R2010") -> bytes:
    """The bytes of a new drawing after ``fill(drawing)``."""
    drawing = library().new(version)
    fill(drawing)
    stream = io.StringIO()
    drawing.write(stream)
    return stream.getvalue().encode(drawing.encoding, "dxfreplace")


def read(data: bytes, number: int = 1) -> PageOutput:
    """One page as the reader returns it."""
    (page,) = DxfReader().read(OpenDocument(data, "image/vnd.dxf"), [number])
    return page


def texts(page: PageOutput) -> list[str]:
    """The located texts in reading order."""
    return [page.text[line.start : line.end] for line in page.lines]
