"""How often a document has failed, since when, and when it is worth another try.

Permanent refusals are never tried again by themselves. Passing ones are, after a time that doubles with each attempt up
to a bound, and not for ever. The count stands with the refusal in the lake, and starts anew with another version of the
source or another basis. Whoever asks for runs by itself honours it; a person's ``indx ingest`` does not wait.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from indx_core.app.ingest.settings import RetrySettings
from indx_core.contracts.errors import Cause

LONGEST_SECONDS: Final = 6 * 3600
"""A vendor's outage of a night is noticed in the morning, and a day costs four requests a document."""


@dataclass(frozen=True, slots=True)
class Attempts:
    """A document's failures in a row.

    Attributes:
        count: Runs that failed over this version of the source and this basis.
        since_ms: When it first failed without passing since, whatever the version; milliseconds since 1970, UTC.
        retry_at_ms: When it is tried again by itself; ``None``: never.
    """

    count: int
    since_ms: int
    retry_at_ms: int | None


def counted(previous: Mapping[str, Any] | None, failed: Mapping[str, Any], now_ms: int) -> Attempts:
    """The attempts after one more failure.

    Args:
        previous: The refusal row that stood before, if any.
        failed: The new one: ``cause``, ``source_version`` and ``basis``.
        now_ms: Time of the failure, milliseconds since 1970, UTC.
    """
    before = previous or {}
    same = all(before.get(name) == failed[name] for name in ("source_version", "basis"))
    count = (before.get("attempts") or 0) + 1 if same else 1
    since = before.get("since_ms")
    return Attempts(count, now_ms if since is None else since, _retry_at(count, failed["cause"], now_ms))


def _retry_at(count: int, cause: str, now_ms: int) -> int | None:
    settings = RetrySettings.load()
    if cause != Cause.TRANSIENT.value or count >= settings.retry_attempts:
        return None
    # Beyond 20 doublings the bound has long been reached, and the number would only grow.
    doubled = settings.retry_seconds << min(count - 1, 20)
    return now_ms + 1000 * min(doubled, max(LONGEST_SECONDS, settings.retry_seconds))
