"""Which containers of Azure Storage may be read, and how they are reached."""

from typing import ClassVar, Self

from pydantic import Field, SecretStr, model_validator

from indx_core.kit.objectstore.settings import BucketLoaderSettings


class AzureLoaderSettings(BucketLoaderSettings):
    """Account, credentials, endpoint and guard. They decide what may be fetched and how, never what is made of it."""

    prefix: ClassVar[str] = "LOADER_AZURE_"

    account_name: str | None = Field(
        default=None,
        description="Storage account of the containers. Unset: `AZURE_STORAGE_ACCOUNT_NAME`.",
    )
    account_key: SecretStr | None = Field(
        default=None,
        description="Key of the account. Neither this nor a token set: the standard chain, so that a machine's "
        "identity needs no copied secret: `AZURE_*` variables, workload identity, managed identity.",
    )
    sas_token: SecretStr | None = Field(
        default=None, description="Shared access signature in the place of the key, with or without its `?`."
    )
    containers: tuple[str, ...] | None = Field(
        default=None,
        description="Containers that may be read, comma-separated; any other is refused. Unset: every container that "
        "the credentials open, which with a machine's identity may be more than callers should reach.",
    )
    endpoint_url: str | None = Field(
        default=None,
        description="Address of another server of the same protocol, with the account in its path: "
        "`http://127.0.0.1:10000/devstoreaccount1`. Plain HTTP is accepted when the URL says so.",
    )

    @model_validator(mode="after")
    def _one_credential(self) -> Self:
        if self.account_key is not None and self.sas_token is not None:
            raise ValueError("INDX_LOADER_AZURE_ACCOUNT_KEY and INDX_LOADER_AZURE_SAS_TOKEN exclude each other")
        return self
