"""How a store's client is set up, whichever cloud it speaks to: time limits, retries, the guard of allowed buckets."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from indx_core.contracts.errors import SettingsInvalid, SourceForbidden

log = logging.getLogger(__name__)

RETRIES = 3
"""Further attempts after a 408, 429 or 5xx answer or a dropped connection. obstore's own ten take three minutes."""


def limits(endpoint_url: str | None, seconds: float) -> dict[str, Any]:
    """Options that every store takes: time limits, bounded retries, and plain HTTP where the endpoint's URL says so.

    The limit on a whole request, 30 s unless set, would cut off a large object on a slow line: the limit on each read
    is what tells a stalled one. No retry begins later than two of the limits after the first attempt.
    """
    wait = timedelta(seconds=seconds)
    return {
        "client_options": {
            "connect_timeout": wait,
            "read_timeout": wait,
            "timeout": timedelta(days=1),
            "allow_http": (endpoint_url or "").lower().startswith("http://"),
        },
        "retry_config": {
            "max_retries": RETRIES,
            "retry_timeout": 2 * wait,
            "backoff": {"init_backoff": timedelta(seconds=0.1), "max_backoff": timedelta(seconds=5), "base": 2},
        },
    }


def check_allowed(bucket: str, allowed: tuple[str, ...] | None, variable: str) -> None:
    """Guard of an allowlist; unset allows any bucket.

    Raises:
        SourceForbidden: The bucket is not on the list. What is on it stands only in the log.
    """
    if allowed is not None and bucket not in allowed:
        log.warning("refused by %s: %s is not one of %s", variable, bucket, ", ".join(allowed))
        raise SourceForbidden(f"the bucket is not one that {variable} allows")


@contextmanager
def invalid_when_opened(variables: str) -> Iterator[None]:
    """Turn what a client's constructor throws into an error that names the variables and never their values.

    Raises:
        SettingsInvalid: The values do not make a client.
    """
    from obstore.exceptions import BaseError

    try:
        yield
    except (BaseError, ValueError, TypeError) as error:
        raise SettingsInvalid(f"{variables}: no client can be made of these values ({type(error).__name__})") from None
