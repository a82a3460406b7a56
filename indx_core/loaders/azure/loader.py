"""The az loader: where a client's account, credentials and endpoint come from."""

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from indx_core.kit.objectstore import BucketLoader, check_allowed, invalid_when_opened, limits
from indx_core.loaders.azure.settings import AzureLoaderSettings

if TYPE_CHECKING:
    from obstore.store import AzureAccessKey, AzureSASToken, AzureStore


class AzureLoader(BucketLoader):
    """Reads ``az://container/blob`` of one storage account."""

    distribution = "indx-loader-az"
    schemes: tuple[str, ...] = ("az",)
    credentials = (
        "INDX_LOADER_AZURE_ACCOUNT_NAME with INDX_LOADER_AZURE_ACCOUNT_KEY or INDX_LOADER_AZURE_SAS_TOKEN, "
        "or Azure's standard chain"
    )

    def open(self, bucket: str) -> "AzureStore":
        settings = AzureLoaderSettings.load()
        check_allowed(bucket, settings.containers, settings.variable("containers"))
        return _store(settings, bucket)


@lru_cache(maxsize=16)
def _store(settings: AzureLoaderSettings, container: str) -> "AzureStore":
    """A client, kept with its connections for as long as the settings stay the same."""
    from obstore.store import AzureStore

    options: dict[str, Any] = {"credential_provider": _credential_provider(settings)}
    if settings.account_name is not None:
        options["account_name"] = settings.account_name
    if settings.endpoint_url is not None:
        options["endpoint"] = settings.endpoint_url
    with invalid_when_opened("INDX_LOADER_AZURE_*"):
        return AzureStore(container, **options, **limits(settings.endpoint_url, settings.timeout_seconds))


def _credential_provider(settings: AzureLoaderSettings) -> Any:
    """What is set, as a provider: as an option, a signature would lose to an account key of the environment."""
    if settings.account_key is not None:
        key: AzureAccessKey = {"access_key": settings.account_key.get_secret_value(), "expires_at": None}
        return lambda: key
    if settings.sas_token is not None:
        token: AzureSASToken = {
            "sas_token": settings.sas_token.get_secret_value().removeprefix("?"),
            "expires_at": None,
        }
        return lambda: token
    return None
