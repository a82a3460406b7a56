"""The s3 loader: where a client's credentials, region and endpoint come from."""

from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from indx_core.contracts.errors import SourceUnreadable
from indx_core.kit.objectstore import BucketLoader, check_allowed, invalid_when_opened, limits
from indx_core.loaders.s3.settings import S3LoaderSettings

if TYPE_CHECKING:
    from obstore.store import S3Credential, S3Store


class S3Loader(BucketLoader):
    """Reads ``s3://bucket/key``."""

    distribution = "indx-loader-s3"
    schemes: tuple[str, ...] = ("s3",)
    credentials = "INDX_LOADER_S3_ACCESS_KEY_ID and INDX_LOADER_S3_SECRET_ACCESS_KEY, or AWS's standard chain"

    def open(self, bucket: str) -> "S3Store":
        settings = S3LoaderSettings.load()
        check_allowed(bucket, settings.buckets, settings.variable("buckets"))
        return _store(settings, bucket)


@lru_cache(maxsize=16)
def _store(settings: S3LoaderSettings, bucket: str) -> "S3Store":
    """A client, kept with its connections for as long as the settings stay the same."""
    from obstore.store import S3Store

    options: dict[str, Any] = {"credential_provider": _credential_provider(settings)}
    if settings.region is not None:
        options["region"] = settings.region
    if settings.endpoint_url is not None:
        # Plain `endpoint` would lose to an AWS_ENDPOINT_URL_S3 of the environment.
        options |= {"aws_endpoint_url_s3": settings.endpoint_url, "virtual_hosted_style_request": False}
    with invalid_when_opened("INDX_LOADER_S3_*"):
        return S3Store(bucket, **options, **limits(settings.endpoint_url, settings.timeout_seconds))


def _credential_provider(settings: S3LoaderSettings) -> Any:
    """The keys given, else boto3's chain where it is installed; ``None``: obstore's own, which knows no profiles."""
    if settings.access_key_id is not None and settings.secret_access_key is not None:
        # A provider and not options: next to those, obstore would send an AWS_SESSION_TOKEN of the environment.
        token = settings.session_token.get_secret_value() if settings.session_token is not None else None
        return _fixed(settings.access_key_id, settings.secret_access_key.get_secret_value(), token)
    if find_spec("boto3") is None:
        return None
    from obstore.auth.boto3 import Boto3CredentialProvider

    try:
        return Boto3CredentialProvider()
    except ValueError:
        raise SourceUnreadable(
            "no credentials for S3 are set", remedy=f"set {S3Loader.credentials}, or give this machine a role"
        ) from None


def _fixed(key_id: str, secret: str, token: str | None) -> Any:
    credential: S3Credential = {
        "access_key_id": key_id,
        "secret_access_key": secret,
        "token": token,
        "expires_at": None,
    }
    return lambda: credential
