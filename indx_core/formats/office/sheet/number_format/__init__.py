"""Number formats: a cell's stored value as the characters the sheet shows (ECMA-376 part 1, 18.8.30 and 18.8.31).

Decimal point and thousands separator are those of the file format, ``.`` and ``,``: they are the viewer's setting, not
the document's. Column widths are ignored, so nothing reads ``####``.
"""

from indx_core.formats.office.sheet.number_format.render import Formatter, Renderer

__all__ = ["Formatter", "Renderer"]
