"""What a store throws, as typed errors. Messages never repeat the store's own words: they hold addresses.

obstore tells a missing and a forbidden object by class; everything else is one class, whose text holds the status.
"""

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager

from indx_core.contracts.errors import SourceTemporarilyUnreadable, SourceUnreadable

log = logging.getLogger(__name__)

TRANSIENT = {408, 425, 429}
"""Besides every 5xx: the answers that ask to be asked again."""
_STATUS = re.compile(r"status code: (\d{3})")
_OTHER_REGION = "redirect without LOCATION"
_UNADDRESSABLE = "a key has an empty, '.' or '..' segment or a control character, which cannot be asked for"


@contextmanager
def typed_failures(doing: str, credentials: str) -> Iterator[None]:
    """Run calls of the store so that only typed errors leave.

    Args:
        doing: What was attempted, as the start of a sentence: ``the object cannot be read``.
        credentials: Which variables hold the credentials, for the remedy of a refusal.

    Raises:
        SourceUnreadable: The store refuses or has no such thing; its transient subclass when it does not answer, or
            answers that it cannot just now.
    """
    from obstore.exceptions import BaseError

    try:
        yield
    except (BaseError, FileNotFoundError, NotImplementedError, ValueError) as error:
        log.info("%s: %s", doing, error)
        raise _typed(error, doing, credentials) from None


def _typed(error: Exception, doing: str, credentials: str) -> SourceUnreadable:
    text = str(error)
    found = _STATUS.search(text)
    status = int(found[1]) if found else None
    details = {"status": status} if status else {}
    refusal = _refusal(error, text, status, credentials)
    if refusal is not None:
        reason, remedy = refusal
        return SourceUnreadable(f"{doing}: {reason}", remedy=remedy, details=details)
    if "token request" in text:
        return SourceTemporarilyUnreadable(f"{doing}: no credentials could be had", remedy=f"set {credentials}")
    reason = f"the store answered with status {status}" if status else "the store did not answer, or broke off"
    return SourceTemporarilyUnreadable(f"{doing}: {reason}", details=details)


def _refusal(error: Exception, text: str, status: int | None, credentials: str) -> tuple[str, str] | None:
    """Reason and remedy of what another attempt would not change; ``None`` for what it might."""
    from obstore.exceptions import InvalidPathError, PermissionDeniedError, UnauthenticatedError

    if isinstance(error, FileNotFoundError) or status == 404:
        return "there is none of that name", "check the bucket and the key"
    if isinstance(error, PermissionDeniedError | UnauthenticatedError) or status in {401, 403}:
        return "the store refuses the credentials", f"check {credentials}"
    if isinstance(error, InvalidPathError | ValueError):
        return _UNADDRESSABLE, "copy such objects to other keys; the log names the first one"
    if _OTHER_REGION in text:
        return "the bucket is in another region", "set the region, or the endpoint, of the bucket"
    if status is not None and status < 500 and status not in TRANSIENT:
        return f"the store answered with status {status}", "check the bucket, the endpoint and the credentials"
    return None
