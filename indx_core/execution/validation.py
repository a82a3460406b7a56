"""The three questions asked of every page a rung was given. Any one sends that page, and only that page, down.

``unreadable`` is not among them: it is a verdict about the content, not about the attempt.
"""

from indx_core.contracts.page import PageOutput, PageStatus
from indx_core.contracts.trace import Validation


def refused(output: PageOutput | None, floor: float) -> Validation | None:
    """Why this output does not count, or ``None`` when it does.

    Args:
        output: What came back for the page; ``None`` when nothing did.
        floor: Confidence (0-1) below which a page counts as unread; 0 is off.
    """
    if output is None:
        return Validation(check="absent")
    if output.status is PageStatus.FAILED:
        return Validation(check="declared_failed")
    if output.confidence is not None and output.confidence < floor:
        return Validation(check="below_confidence_floor", value=output.confidence, floor=floor)
    return None
