"""The http loader: redirects followed, each hop guarded anew, and what may pass tried again. Cannot list."""

import time
from itertools import count

from indx_core.contracts.errors import SourceTemporarilyUnreadable, SourceUnreadable
from indx_core.contracts.source import LoadedSource
from indx_core.loaders.http.address import filename, parse
from indx_core.loaders.http.connection import Timeout
from indx_core.loaders.http.fetch import Fetched, fetch
from indx_core.loaders.http.settings import HttpLoaderSettings

FIRST_PAUSE_SECONDS = 0.5


class HttpLoader:
    """Reads ``http:`` and ``https:`` URIs. Proxy variables are ignored: a proxy would resolve names past the guard."""

    distribution = "indx-loader-http"
    schemes: tuple[str, ...] = ("http", "https")

    def load(self, uri: str, max_bytes: int | None) -> LoadedSource:
        address = parse(uri)
        settings = HttpLoaderSettings.load()
        timeout = Timeout(settings.timeout_seconds)
        for attempt in count():
            try:
                fetched = _follow(uri, max_bytes, timeout, settings)
                break
            except SourceTemporarilyUnreadable as error:
                pause = error.details.get("retry_after_seconds", FIRST_PAUSE_SECONDS * 2**attempt)
                if attempt >= settings.retries or pause >= timeout.seconds_left:
                    raise
                time.sleep(pause)
        return LoadedSource(
            fetched.data, uri, filename(address), fetched.media_type, loader=self.distribution, version=fetched.version
        )


def _follow(uri: str, max_bytes: int | None, timeout: Timeout, settings: HttpLoaderSettings) -> Fetched:
    hop = parse(uri)
    for _ in range(settings.max_redirects + 1):
        answer = fetch(hop, max_bytes, timeout, allow_private=settings.allow_private_hosts)
        if isinstance(answer, Fetched):
            return answer
        hop = answer
    raise SourceUnreadable(
        f"the server redirects more than the {settings.max_redirects} times that INDX_LOADER_HTTP_MAX_REDIRECTS allows"
    )
