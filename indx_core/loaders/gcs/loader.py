"""The gs loader: where a client's credentials and endpoint come from."""

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from indx_core.kit.objectstore import BucketLoader, check_allowed, invalid_when_opened, limits
from indx_core.loaders.gcs.settings import GcsLoaderSettings

if TYPE_CHECKING:
    from obstore.store import GCSStore


class GcsLoader(BucketLoader):
    """Reads ``gs://bucket/key``."""

    distribution = "indx-loader-gs"
    schemes: tuple[str, ...] = ("gs",)
    credentials = "INDX_LOADER_GS_SERVICE_ACCOUNT_KEY, or Google's standard chain"

    def open(self, bucket: str) -> "GCSStore":
        settings = GcsLoaderSettings.load()
        check_allowed(bucket, settings.buckets, settings.variable("buckets"))
        return _store(settings, bucket)


@lru_cache(maxsize=16)
def _store(settings: GcsLoaderSettings, bucket: str) -> "GCSStore":
    """A client, kept with its connections for as long as the settings stay the same."""
    from obstore.store import GCSStore

    options: dict[str, Any] = {}
    if settings.anonymous:
        options["skip_signature"] = True
    if settings.service_account_key is not None:
        options["service_account_key"] = settings.service_account_key.get_secret_value()
    if settings.endpoint_url is not None:
        options["base_url"] = settings.endpoint_url
    with invalid_when_opened("INDX_LOADER_GS_*"):
        return GCSStore(bucket, **options, **limits(settings.endpoint_url, settings.timeout_seconds))
