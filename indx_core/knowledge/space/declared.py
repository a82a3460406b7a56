"""The day a document declares for itself, out of the properties its format states. Reads no text."""

import re
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

_DAY = re.compile(r"(?:D:)?((?:19|20)\d\d)[-/.]?([01]\d)[-/.]?([0-3]\d)")
_DATES = ("date", "modified", "created")
"""Properties that may date a document, the one that says most about its content first."""


def declared_day(properties: Mapping[str, str]) -> str | None:
    """``2024-04-01`` out of ISO 8601, a PDF date or a mail date; ``None`` where none can be read."""
    return next(filter(None, (_day(properties.get(name, "")) for name in _DATES)), None)


def _day(declared: str) -> str | None:
    match = _DAY.match(declared.strip())
    if match:
        return "-".join(match.groups())
    try:
        return parsedate_to_datetime(declared).date().isoformat()
    except (TypeError, ValueError):
        return None
