"""Which buckets of Google Cloud Storage may be read, and how they are reached."""

from typing import ClassVar, Self

from pydantic import Field, SecretStr, model_validator

from indx_core.kit.objectstore.settings import BucketLoaderSettings


class GcsLoaderSettings(BucketLoaderSettings):
    """Credentials, endpoint and guard. They decide what may be fetched and how, never what is made of it."""

    prefix: ClassVar[str] = "LOADER_GS_"

    service_account_key: SecretStr | None = Field(
        default=None,
        description="Key of a service account: the JSON text itself. Unset: the standard chain, so that a machine's "
        "account needs no copied secret: `GOOGLE_*` variables, `gcloud`'s application default, the metadata server.",
    )
    anonymous: bool = Field(default=False, description="Send no credentials: for public buckets.")
    buckets: tuple[str, ...] | None = Field(
        default=None,
        description="Buckets that may be read, comma-separated; any other is refused. Unset: every bucket that the "
        "credentials open, which with a machine's account may be more than callers should reach.",
    )
    endpoint_url: str | None = Field(
        default=None,
        description="Address of another server of the same protocol. Plain HTTP is accepted when the URL says so.",
    )

    @model_validator(mode="after")
    def _one_identity(self) -> Self:
        if self.anonymous and self.service_account_key is not None:
            raise ValueError("INDX_LOADER_GS_ANONYMOUS and INDX_LOADER_GS_SERVICE_ACCOUNT_KEY exclude each other")
        return self
