"""How searching is done. Operational only: no table depends on these values."""

from typing import ClassVar

from pydantic import Field

from indx_core.kit.settings import IndxSettings


class SearchSettings(IndxSettings):
    """Limits and places of the search index."""

    stages: ClassVar[tuple[str, ...]] = ()

    search_exact_vectors: int = Field(
        default=1_000_000,
        ge=0,
        description="Most vectors that a query is compared with one by one. Beyond, the nearest are looked up in "
        "approximate indexes, where the extra `near` is installed.",
    )
    search_cache: str = Field(
        default="~/.cache/indx",
        description="Folder for what is memory-mapped of the search index of a lake in a bucket, or of a lake that "
        "cannot be written to. Can be removed at any time.",
    )
