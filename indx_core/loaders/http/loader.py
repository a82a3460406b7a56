"""The http loader: an address in, a document out. Cannot list. How a document is fetched is in ``attempts.py``."""

from indx_core.contracts.source import LoadedSource
from indx_core.loaders.http.address import filename, parse
from indx_core.loaders.http.settings import HttpLoaderSettings


class HttpLoader:
    """Reads ``http:`` and ``https:`` URIs. Proxy variables are ignored: a proxy would resolve names past the guard."""

    distribution = "indx-loader-http"
    schemes: tuple[str, ...] = ("http", "https")

    def load(self, uri: str, max_bytes: int | None) -> LoadedSource:
        from indx_core.loaders.http.attempts import fetch_document  # brings TLS: 20 ms nobody pays who fetches nothing

        address = parse(uri)
        fetched = fetch_document(address, max_bytes, HttpLoaderSettings.load())
        name = filename(address)
        return LoadedSource(fetched.data, uri, name, fetched.media_type, self.distribution, fetched.version)
