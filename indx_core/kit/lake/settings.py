"""Where the lake is and how it is reached. Operational only: no output depends on these values."""

from typing import ClassVar

from pydantic import Field, SecretStr

from indx_core.kit.settings import IndxSettings


class LakeSettings(IndxSettings):
    """The lake's address. Credentials left empty are found the way each cloud's own tools find them."""

    stages: ClassVar[tuple[str, ...]] = ()

    lake: str = Field(
        default="./lake",
        description="Folder or bucket the tables are written to: a path, `s3://bucket/prefix`, `gs://…` or `az://…`.",
    )
    lake_endpoint_url: str | None = Field(
        default=None,
        description="Endpoint of an S3-compatible store, such as `http://127.0.0.1:9000`; plain HTTP is accepted "
        "when the URL says so.",
    )
    lake_region: str | None = Field(default=None, description="Region of an S3 bucket.")
    lake_access_key_id: str | None = Field(
        default=None, description="S3 access key id; empty: the standard `AWS_*` variables or the instance's role."
    )
    lake_secret_access_key: SecretStr | None = Field(
        default=None, description="S3 secret access key; empty: as for the key id."
    )
