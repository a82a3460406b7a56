"""A document fetched: redirects followed, each hop guarded anew, and what may pass tried again within the time."""

import time

from indx_core.contracts.errors import SourceTemporarilyUnreadable, SourceUnreadable
from indx_core.loaders.http.address import Address
from indx_core.loaders.http.connection import Timeout
from indx_core.loaders.http.fetch import Fetched, fetch
from indx_core.loaders.http.settings import HttpLoaderSettings

FIRST_PAUSE_SECONDS = 0.5


def fetch_document(address: Address, max_bytes: int | None, settings: HttpLoaderSettings) -> Fetched:
    """The document at the end of an address's redirects.

    Raises:
        SourceForbidden: The guard refuses a hop.
        SourceUnreadable: There is no document; its transient subclass when no attempt brought one.
        InputTooLarge: It is larger than ``max_bytes``.
    """
    timeout = Timeout(settings.timeout_seconds)
    for attempt in range(settings.retries):
        try:
            return _follow(address, max_bytes, timeout, settings)
        except SourceTemporarilyUnreadable as error:
            pause = error.details.get("retry_after_seconds", FIRST_PAUSE_SECONDS * 2**attempt)
            if pause >= timeout.seconds_left:
                raise
            time.sleep(pause)
    return _follow(address, max_bytes, timeout, settings)


def _follow(address: Address, max_bytes: int | None, timeout: Timeout, settings: HttpLoaderSettings) -> Fetched:
    hop = address
    for _ in range(settings.max_redirects + 1):
        answer = fetch(hop, max_bytes, timeout, allow_private=settings.allow_private_hosts)
        if isinstance(answer, Fetched):
            return answer
        hop = answer
    raise SourceUnreadable(
        f"the server redirects more than the {settings.max_redirects} times that INDX_LOADER_HTTP_MAX_REDIRECTS allows"
    )
