"""Dates that strict workbooks store as ISO 8601 (``t="d"``), as serial numbers."""

from datetime import date, datetime, time, timedelta

from indx_core.formats.office.sheet.number_format.dates import DAYS_FROM_1900_TO_1904

_DAY = timedelta(days=1)


def serial_of(text: str, *, from_1904: bool) -> float | None:
    """The serial of a date, a time or both, in the workbook's own system; ``None`` for what is none of them."""
    try:
        if "T" in text or "-" in text:
            moment = datetime.fromisoformat(text.removesuffix("Z")).replace(tzinfo=None)
            serial = (moment - datetime(1899, 12, 30)) / _DAY  # noqa: DTZ001 - a sheet's dates have no zone
        else:
            clock = time.fromisoformat(text.removesuffix("Z"))
            return (datetime.combine(date.min, clock.replace(tzinfo=None)) - datetime.min) / _DAY  # noqa: DTZ901
    except ValueError:
        return None
    if serial <= 60:
        serial -= 1  # before Excel's own 29 February 1900
    return serial - (DAYS_FROM_1900_TO_1904 if from_1904 else 0)
