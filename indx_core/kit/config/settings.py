"""Where ``indx.toml`` is, and the few of its keys that a deployment overrides."""

from typing import ClassVar

from pydantic import Field

from indx_core.contracts.ingest import Grain, IngestOptions
from indx_core.kit.settings import IndxSettings


class ConfigSettings(IndxSettings):
    """The environment wins over the file."""

    stages: ClassVar[tuple[str, ...]] = ()

    config: str | None = Field(
        default=None, description="Path of `indx.toml`. Unset: the one in the working directory, else the checkout's."
    )
    grain: Grain | None = Field(default=None, description="Overrides `grain` of `indx.toml`: `source` or `shard`.")
    shards: int | None = Field(default=None, ge=1, le=65_536, description="Overrides `shards` of `indx.toml`.")
    batch_size: int | None = Field(default=None, ge=1, le=10_000, description="Overrides `batch_size` of `indx.toml`.")
    batch_bytes: int | None = Field(default=None, ge=1, description="Overrides `batch_bytes` of `indx.toml`.")
    budget_usd: float | None = Field(default=None, ge=0, description="Overrides `budget_usd` of `indx.toml`.")


_LANES = "Comma-separated ids, a comma alone for none. Overrides `{}` of `[ingest]`, and of every corpus with its own."


class LaneSettings(IndxSettings):
    """Spaces and annotators of every corpus, for a deployment that shares its `indx.toml` with others."""

    prefix: ClassVar[str] = "INGEST_"
    stages: ClassVar[tuple[str, ...]] = ()  # the options they end in are part of the data versions

    embedding_spaces: tuple[str, ...] | None = Field(default=None, description=_LANES.format("embedding_spaces"))
    classification_document_ids: tuple[str, ...] | None = Field(
        default=None, description=_LANES.format("classification.document_ids")
    )
    classification_page_ids: tuple[str, ...] | None = Field(
        default=None, description=_LANES.format("classification.page_ids")
    )
    classification_chunk_ids: tuple[str, ...] | None = Field(
        default=None, description=_LANES.format("classification.chunk_ids")
    )
    extraction_page_ids: tuple[str, ...] | None = Field(default=None, description=_LANES.format("extraction.page_ids"))
    extraction_chunk_ids: tuple[str, ...] | None = Field(
        default=None, description=_LANES.format("extraction.chunk_ids")
    )
    enrichment_document_ids: tuple[str, ...] | None = Field(
        default=None, description=_LANES.format("enrichment.document_ids")
    )
    enrichment_page_ids: tuple[str, ...] | None = Field(default=None, description=_LANES.format("enrichment.page_ids"))
    enrichment_chunk_ids: tuple[str, ...] | None = Field(
        default=None, description=_LANES.format("enrichment.chunk_ids")
    )

    def over(self, options: IngestOptions) -> IngestOptions:
        """The options with what is set here in their place."""
        spaces = {} if self.embedding_spaces is None else {"embedding_spaces": self.embedding_spaces}
        selections = {
            name: getattr(options, name).model_copy(update=self._ids(name))
            for name in ("classification", "extraction", "enrichment")
        }
        return options.model_copy(update={**spaces, **selections})

    def _ids(self, selection: str) -> dict[str, tuple[str, ...]]:
        given = self.model_dump(exclude_none=True)
        start = f"{selection}_"
        return {name.removeprefix(start): ids for name, ids in given.items() if name.startswith(start)}
