"""Which buckets of S3 may be read, and how they are reached."""

from typing import ClassVar, Self

from pydantic import Field, SecretStr, model_validator

from indx_core.kit.objectstore.settings import BucketLoaderSettings


class S3LoaderSettings(BucketLoaderSettings):
    """Credentials, endpoint and guard. They decide what may be fetched and how, never what is made of it."""

    prefix: ClassVar[str] = "LOADER_S3_"

    access_key_id: str | None = Field(
        default=None,
        description="Access key. Unset: the standard chain, so that a machine's role needs no copied secret: `AWS_*` "
        "variables, container and instance roles, and where boto3 is installed profiles and single sign-on.",
    )
    secret_access_key: SecretStr | None = Field(default=None, description="Secret of the access key.")
    session_token: SecretStr | None = Field(default=None, description="Token of a role's temporary keys.")
    buckets: tuple[str, ...] | None = Field(
        default=None,
        description="Buckets that may be read, comma-separated; any other is refused. Unset: every bucket that the "
        "credentials open, which with a machine's role may be more than callers should reach.",
    )
    endpoint_url: str | None = Field(
        default=None,
        description="Endpoint of an S3-compatible server, such as `http://127.0.0.1:9000`; buckets are addressed in "
        "the path. Plain HTTP is accepted when the URL says so.",
    )
    region: str | None = Field(default=None, description="Region of the buckets.")

    @model_validator(mode="after")
    def _whole_key(self) -> Self:
        if (self.access_key_id is None) != (self.secret_access_key is None):
            raise ValueError("INDX_LOADER_S3_ACCESS_KEY_ID and INDX_LOADER_S3_SECRET_ACCESS_KEY go together")
        if self.session_token is not None and self.access_key_id is None:
            raise ValueError("INDX_LOADER_S3_SESSION_TOKEN needs INDX_LOADER_S3_ACCESS_KEY_ID")
        return self
