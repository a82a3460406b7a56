"""What the signature and its parser are called, and what they are asked about. Reading a chart is not done here."""

CAPABILITY_ID = "process-chart-parser"
DISTRIBUTION = "indx-capability-process-chart"

_OPEN = "application/vnd.openxmlformats-officedocument.presentationml."
_MACROS = "application/vnd.ms-powerpoint."
MEDIA_TYPES = (
    f"{_OPEN}presentation",
    f"{_MACROS}presentation.macroEnabled.12",
    f"{_OPEN}template",
    f"{_MACROS}template.macroEnabled.12",
    f"{_OPEN}slideshow",
    f"{_MACROS}slideshow.macroEnabled.12",
)
"""Presentations, shows and templates, with and without macros."""
